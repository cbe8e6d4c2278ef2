internal import CBOR
internal import COSE
internal import CTAP
internal import Conformance

/// The platform's side of a case: requests to the authenticator, and judgements on its answers.
struct Platform: Sendable {
    let bench: AuthenticatorBench
    let recorder: CaseRecorder

    /// Sends a command, whatever the answer is.
    func send(_ command: CTAPCommand, _ parameters: CBOR.Map? = nil) async throws -> AuthenticatorAnswer {
        try await bench.send(command, parameters.map(CBOR.Value.map))
    }

    /// Sends a command that must succeed, and returns its members.
    @discardableResult
    func accept(
        _ command: CTAPCommand, _ parameters: CBOR.Map? = nil, clause: Clause? = nil
    ) async throws -> CBOR.Map {
        try members(of: try await send(command, parameters), clause: clause)
    }

    /// The members of an answer that must be a success.
    func members(of answer: AuthenticatorAnswer, clause: Clause? = nil) throws(CaseStop) -> CBOR.Map {
        guard recorder.expect(answer, .ok, clause: clause) else { throw .deviation }
        guard answer.bytes.count > 1 else { return [:] }
        return try recorder.response(answer)
    }

    /// Sends a command that must be refused with one of these statuses.
    func refuse(
        _ command: CTAPCommand, _ parameters: CBOR.Map? = nil, with statuses: [CTAPStatus], clause: Clause? = nil,
        level: Level? = nil
    ) async throws {
        expect(try await send(command, parameters), statuses, clause: clause, level: level)
    }

    /// Notes a deviation unless an answer has one of these statuses.
    @discardableResult
    func expect(
        _ answer: AuthenticatorAnswer, _ statuses: [CTAPStatus], clause: Clause? = nil, level: Level? = nil
    ) -> Bool {
        recorder.expect(answer, anyOf: statuses, clause: clause, level: level)
    }

    /// Notes a deviation unless a member has this value.
    @discardableResult
    func expect(
        _ map: CBOR.Map, _ key: Int, _ name: String, _ value: CBOR.Value?, clause: Clause? = nil, level: Level? = nil
    ) -> Bool {
        recorder.expect(
            map[key] == value, "\(name) \(Self.words(value))", seen: "\(name) \(Self.words(map[key]))", clause: clause,
            level: level)
    }

    /// The bytes of a member, which must be there.
    func bytes(_ map: CBOR.Map, _ key: Int, _ name: String) throws(CaseStop) -> [UInt8] {
        try recorder.bytes(map, .integer(key), name)
    }

    /// The number of a member, which must be there and not be negative.
    func number(_ map: CBOR.Map, _ key: Int, _ name: String) throws(CaseStop) -> Int {
        try recorder.integer(map, .integer(key), name)
    }

    /// getInfo as it is now.
    func information() async throws -> AuthenticatorInfo {
        try await bench.readInfo()
    }

    /// Notes a deviation unless an option of getInfo has this value now.
    @discardableResult
    func expectOption(
        _ option: InfoOption, _ value: Bool?, clause: Clause? = nil, level: Level? = nil
    ) async throws -> Bool {
        let found = try await information().option(option)
        return recorder.expect(
            found == value, "\(option) \(Self.words(value))", seen: Self.words(found), clause: clause, level: level)
    }

    private static func words(_ value: Bool?) -> String { value.map { "\($0)" } ?? "absent" }
    private static func words(_ value: CBOR.Value?) -> String { value.map { "\($0)" } ?? "absent" }
}
