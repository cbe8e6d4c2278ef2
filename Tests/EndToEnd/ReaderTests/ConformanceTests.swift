import AuthenticatorSuite
import Conformance
import Foundation
import SecurityKeys
import TestSupport
import Testing

extension Readers {
    /// The conformance suite on a key on the reader of a real pcscd.
    @Suite(.serialized, .readerStack) struct ConformanceTests {
        /// The suite's own tests prove each case without a reader; the same bytes pass here.
        private static let cases = Ring.sample(AuthenticatorSuite.all.cases.map(\.description.id), 300)

        @Test(arguments: ["security-key-complete", "yubikey-5-nfc-5.7"])
        func noCaseFailsOnTheReader(profile: String) async throws {
            let stack = try ReaderStack.required()
            let directory = FileManager.default.temporaryDirectory.appending(path: "touchstone-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: directory) }
            let touchstone = Touchstone(beside: .module, runtimeDirectory: directory)
            let program = try touchstone.start(
                ["device", "start", profile, "--nfc", "--nfc-port", "\(stack.port)", "--name", "key"])
            defer { program.terminate() }
            for await line in program.errors where line.contains("on the NFC reader") { break }
            try await waitUntilReaders { $0.contains { $0.name == stack.readers[0] && $0.hasCard } }
            let run = try await touchstone.run(
                [
                    "conformance", "authenticator", "--device", "nfc:\(stack.readers[0])", "--destructive", "--yes",
                    "--json",
                ] + (Ring.isWhole ? [] : Self.cases.flatMap { ["--case", $0] }))
            let report = try JSONDecoder().decode(ConformanceReport.self, from: Data(run.standardOutput.utf8))
            #expect(report.results.filter { $0.verdict == .failed }.map(\.id) == [])
            #expect(run.status == 0, "\(run.standardError)")
            #expect(report.count(.passed) > (Ring.isWhole ? 900 : Self.cases.count / 2))
            let whyNot = Set(report.results.filter { $0.verdict == .notRun }.compactMap(\.reason))
            #expect(whyNot == Self.allowedReasons.intersection(whyNot))
            program.terminate()
            try await waitUntilReaders { $0.contains { $0.name == stack.readers[0] && $0.content == .nothing } }
        }

        /// The reasons for cases that are not run: they take a simulated user, a sensor, a hand or a
        /// metadata statement.
        private static let allowedReasons: Set = [
            "the device is not simulated", "the device is not reached by CTAPHID", "no finger is enrolled",
            "over NFC the tap is the touch, which is not withheld", "the key is reset over usb only",
            "no metadata statement was given",
        ]
    }
}
