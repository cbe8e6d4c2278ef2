package import CBOR
package import CTAP
package import Conformance
internal import Synchronization

/// Requests with the demand on their answers, and judgements on answers; deviations go into the record of the case.
extension AuthenticatorBench {
    /// Notes a deviation unless the condition holds; the case goes on.
    @discardableResult
    package func expect(
        _ condition: Bool, _ expected: @autoclosure () -> String, seen: @autoclosure () -> String,
        clause: Clause? = nil, level: Level? = nil
    ) -> Bool { record.expect(condition, expected(), seen: seen(), clause: clause, level: level) }

    /// Notes a deviation and ends the case unless the condition holds.
    package func require(_ condition: Bool, _ expected: @autoclosure () -> String, seen: @autoclosure () -> String)
        throws(CaseStop)
    { try record.require(condition, expected(), seen: seen()) }

    /// Notes a deviation and ends the case.
    package func fail(_ expected: String, seen: String, clause: Clause? = nil) -> CaseStop {
        record.fail(expected, seen: seen, clause: clause)
    }

    // MARK: Statuses

    /// Expects one of these statuses; the case goes on.
    @discardableResult
    package func expect(
        _ answer: AuthenticatorAnswer, _ statuses: CTAPStatus..., for request: String = "the request",
        clause: Clause? = nil, level: Level? = nil
    ) -> Bool { expect(answer, anyOf: statuses, for: request, clause: clause, level: level) }

    @discardableResult
    package func expect(
        _ answer: AuthenticatorAnswer, anyOf statuses: [CTAPStatus], for request: String = "the request",
        clause: Clause? = nil, level: Level? = nil
    ) -> Bool {
        // For the form of a message, §8 demands a refusal, and recommends its status.
        let isOtherRefusal = statuses.contains(.cborUnexpectedType) && answer.status != .ok
        let isMet = expect(
            statuses.contains(answer.status), "\(statuses.specified) for \(request)", seen: answer.seen,
            clause: isOtherRefusal ? .ctap("8") : clause, level: isOtherRefusal ? .should : level)
        // The status alone makes no credential.
        if isMet, let problem = answer.formProblem {
            state.withLock { $0.unreadable = answer.command }
            return expect(false, "a response with authenticator data to \(request)", seen: problem)
        }
        if !isMet, answer.formProblem != nil { state.withLock { $0.unreadable = answer.command } }
        if !isMet, answer.status != .ok, let command = answer.command {
            state.withLock { state in
                state.suspectCommands.insert(command)
                if !statuses.contains(.ok) || Self.plainCases[command] != nil { state.refusedCommands.append(command) }
            }
        }
        return isMet
    }

    /// Requires one of these statuses; otherwise the case ends.
    package func require(_ answer: AuthenticatorAnswer, _ statuses: CTAPStatus..., for request: String = "the request")
        throws(CaseStop)
    { guard expect(answer, anyOf: statuses, for: request) else { throw .deviation } }

    /// Expects success without response parameters (CTAP 2.3 §6).
    func expectEmptySuccess(_ answer: AuthenticatorAnswer) {
        guard expect(answer, .ok) else { return }
        expect(answer.bytes.count == 1, "an answer without members", seen: "\(answer.bytes.count - 1) bytes")
    }

    /// Expects any refusal; the case goes on.
    @discardableResult
    package func expectRefusal(_ answer: AuthenticatorAnswer, of request: String, level: Level? = nil) -> Bool {
        expect(answer.status != .ok, "a refusal of \(request)", seen: answer.seen, level: level)
    }

    /// Expects that the pinUvAuthParam is accepted; the request may be refused for another reason.
    func expectAcceptedPinUvAuthParam(_ answer: AuthenticatorAnswer) {
        let refusals: [CTAPStatus] = [.pinAuthInvalid, .puatRequired, .pinAuthBlocked]
        expect(!refusals.contains(answer.status), "an answer that accepts the pinUvAuthParam", seen: answer.seen)
    }

    /// Sends a command that must be refused with one of these statuses.
    func refuse(
        _ command: CTAPCommand, _ parameters: CBOR.Map? = nil, with statuses: [CTAPStatus], clause: Clause? = nil,
        level: Level? = nil
    ) async throws { expect(try await send(command, parameters), anyOf: statuses, clause: clause, level: level) }

    /// Sends a command that must succeed, and returns its members.
    @discardableResult
    func accept(_ command: CTAPCommand, _ parameters: CBOR.Map? = nil, clause: Clause? = nil) async throws -> CBOR.Map {
        try members(of: try await send(command, parameters), clause: clause)
    }

    // MARK: Members

    /// Requires success, and returns the response's map.
    package func response(
        _ answer: AuthenticatorAnswer, to request: String = "the request"
    ) throws(CaseStop) -> CBOR.Map {
        try require(answer, .ok, for: request)
        guard case .map(let map)? = answer.cbor else {
            state.withLock { $0.unreadable = answer.command }
            throw fail(
                "a map in the response to \(request)", seen: answer.cbor.map { "a \($0.kind.rawValue)" } ?? "none")
        }
        return map
    }

    /// The members of an answer that must be a success; none for an empty response.
    func members(of answer: AuthenticatorAnswer, clause: Clause? = nil) throws(CaseStop) -> CBOR.Map {
        guard expect(answer, .ok, clause: clause) else { throw .deviation }
        guard answer.bytes.count > 1 else {
            state.withLock { $0.unreadable = answer.command }
            return [:]
        }
        return try response(answer)
    }

    /// Notes a deviation unless a member has this value.
    @discardableResult
    func expect(
        _ map: CBOR.Map, _ key: Int, _ name: String, _ value: CBOR.Value?, clause: Clause? = nil, level: Level? = nil
    ) -> Bool {
        func words(_ value: CBOR.Value?) -> String { "\(name) \(value.map { "\($0)" } ?? "absent")" }
        return expect(map[key] == value, words(value), seen: words(map[key]), clause: clause, level: level)
    }

    /// Requires a member of a type.
    package func bytes(_ map: CBOR.Map, _ key: CBOR.Value, _ name: String) throws(CaseStop) -> [UInt8] {
        guard case .bytes(let bytes)? = map[key] else { throw fail("the byte string \(name)", seen: kind(map[key])) }
        return bytes
    }

    func bytes(_ map: CBOR.Map, _ key: Int, _ name: String) throws(CaseStop) -> [UInt8] {
        try bytes(map, .integer(key), name)
    }

    package func number(_ map: CBOR.Map, _ key: Int, _ name: String) throws(CaseStop) -> Int {
        guard let value = map[key], let number = try? value.asUnsigned(name) else {
            throw fail("the unsigned integer \(name)", seen: kind(map[key]))
        }
        return number
    }

    package func text(_ map: CBOR.Map, _ key: Int, _ name: String) throws(CaseStop) -> String {
        guard case .text(let text)? = map[key] else { throw fail("the text string \(name)", seen: kind(map[key])) }
        return text
    }

    package func map(_ map: CBOR.Map, _ key: Int, _ name: String) throws(CaseStop) -> CBOR.Map {
        guard case .map(let inner)? = map[key] else { throw fail("the map \(name)", seen: kind(map[key])) }
        return inner
    }

    /// The ID in the descriptor of a response to GetAssertion or GetNextAssertion (CTAP 2.3 §6.2.2).
    func credentialID(in response: CBOR.Map) throws(CaseStop) -> [UInt8] {
        let id = try map(response, 1, "credential (0x01)")["id"]
        guard case .bytes(let bytes)? = id else { throw fail("the byte string id of the credential", seen: kind(id)) }
        return bytes
    }

    private func kind(_ value: CBOR.Value?) -> String { value.map { "a \($0.kind.rawValue)" } ?? "nothing" }

    // MARK: Options

    /// Ends the case unless getInfo lacks an option altogether.
    func requireAbsent(_ option: InfoOption) throws(CaseStop) {
        guard info.option(option) == nil else { throw .notApplicable("getInfo has the option \(option)") }
    }

    /// Notes a deviation unless an option of getInfo has this value now.
    @discardableResult
    func expectOption(
        _ option: InfoOption, _ value: Bool?, clause: Clause? = nil, level: Level? = nil
    ) async throws -> Bool {
        func words(_ value: Bool?) -> String { value.map { "\($0)" } ?? "absent" }
        let found = try await readInfo().option(option)
        return expect(found == value, "\(option) \(words(value))", seen: words(found), clause: clause, level: level)
    }

    // MARK: Status words

    /// Expects one of these status words; the case goes on.
    func expect(
        _ answer: ResponseAPDU, _ words: StatusWord..., for request: String = "the request", level: Level? = nil
    ) {
        expect(
            words.contains(answer.status), "\(words.map(\.description).joined(separator: " or ")) for \(request)",
            seen: "\(answer.status)", level: level)
    }

    /// Requires the status word of a success; otherwise the case ends.
    func require(_ answer: ResponseAPDU) throws(CaseStop) {
        try require(answer.status == .noError, "NO_ERROR (0x9000)", seen: "\(answer.status)")
    }
}
