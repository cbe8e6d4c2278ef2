import CBOR
import CTAP
import Conformance
import Testing

/// Devices whose answers cannot be used: one case is the finding, and the cases that need the answer are not run.
struct BrokenAnswerTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let change: WireChange
        let cases: [String]
        /// The cases that fail.
        let failed: [String]
        /// A part of the reason of each other case.
        let reason: String

        var testDescription: String { change.name }
    }

    private static let registration = [
        "makeCredential.plain", "makeCredential.options.up.true", "makeCredential.options.up.false",
        "makeCredential.data", "makeCredential.flags.up", "makeCredential.rpIdHash", "cbor.makeCredential.response",
        "getAssertion.plain",
    ]

    /// An answer to a command.
    private static func answering(
        _ name: String, _ command: CTAPCommand, _ change: @escaping @Sendable ([UInt8]) throws -> [UInt8]
    ) -> WireChange {
        WireChange(name, []) { turn in
            guard turn.command == command else { return try await turn.passed() }
            return try change(try await turn.passed())
        }
    }

    static let rows = [
        Row(
            change: answering("MakeCredential is answered with bytes that cannot be read", .makeCredential) { _ in
                [0, 0xFF, 0xFF, 0xFF]
            }, cases: registration, failed: ["cbor.makeCredential.response", "makeCredential.plain"],
            reason: "cannot be read, see cbor.makeCredential.response"),
        Row(
            change: answering("the members of MakeCredential have texts as keys", .makeCredential) { answer in
                guard answer.first == 0, case .map(let map)? = try? CBOR.decode(answer, from: 1, options: .lenient),
                    let format = map[1], let data = map[2], let statement = map[3]
                else { return answer }
                return [0] + CBOR.encode(["fmt": format, "authData": data, "attStmt": statement])
            }, cases: registration.filter { $0 != "makeCredential.options.up.false" }, failed: ["makeCredential.plain"],
            reason: "is a map without authData (0x02), see makeCredential.plain"),
        Row(
            change: answering("MakeCredential is not answered", .makeCredential) { _ in
                throw CTAPDeviceError.timedOut("no report for 30 seconds")
            }, cases: registration, failed: ["makeCredential.plain"],
            reason: "does not answer the valid request MakeCredential, see makeCredential.plain"),
        Row(
            change: answering("getInfo is a map of indefinite length", .getInfo) { answer in
                guard case .map(let map)? = try? CBOR.decode(answer, from: 1, options: .lenient) else { return answer }
                return [0, 0xBF] + map.flatMap { CBOR.encode($0.key) + CBOR.encode($0.value) } + [0xFF]
            },
            cases: [
                "cbor.getInfo.response", "getInfo.map", "getInfo.required", "getInfo.keys", "getInfo.repeated",
                "getInfo.relation", "getInfo.truth.withoutRK", "makeCredential.aaguid",
            ], failed: ["cbor.getInfo.response"], reason: "getInfo"),
        Row(
            change: answering("getInfo has an AAGUID of 15 bytes", .getInfo) { answer in
                guard case .map(var map)? = try? CBOR.decode(answer, from: 1, options: .lenient) else { return answer }
                map[3] = .bytes([UInt8](repeating: 7, count: 15))
                return [0] + CBOR.encode(.map(map))
            }, cases: ["getInfo.aaguid.type", "makeCredential.aaguid"], failed: ["getInfo.aaguid.type"],
            reason: "getInfo has no AAGUID that can be read"),
    ]

    @Test(arguments: rows)
    func oneCaseIsTheFinding(row: Row) async throws {
        let results = try await WireTests.results(row.change, identifiers: row.cases)
        let failed = results.filter { $0.verdict == .failed || $0.verdict == .warning }
        #expect(failed.map(\.id).sorted() == row.failed, "\(failed.map(\.words))")
        for result in results where !row.failed.contains(result.id) {
            // The encoding alone may be right; without a credential there is nothing to sign.
            guard result.id != "cbor.makeCredential.response" else { continue }
            let reason = result.id == "getAssertion.plain" ? "MakeCredential" : row.reason
            #expect(result.verdict == .notRun && result.reason?.contains(reason) == true, "\(result)")
        }
        #expect(results.count >= row.cases.count)
    }

    /// A key that is silent once, and then answers, is judged as usual.
    @Test func aSilentMomentEndsNothing() async throws {
        let change = WireChange("the first MakeCredential is not answered", []) { turn in
            guard turn.command == .makeCredential, turn.memory.count == 0 else { return try await turn.passed() }
            turn.memory.count = 1
            throw CTAPDeviceError.timedOut("no report for 30 seconds")
        }
        let results = try await WireTests.results(change, identifiers: Self.registration)
        #expect(results.count { $0.verdict == .failed } <= 1, "\(results.map(\.words))")
        #expect(results.count { $0.verdict == .passed } >= results.count - 1, "\(results.map(\.words))")
    }
}
