package import CBOR
package import CTAP
package import Conformance

extension CaseRecorder {
    /// Expects one of these statuses; the case goes on.
    @discardableResult
    package func expect(
        _ answer: AuthenticatorAnswer, _ statuses: CTAPStatus..., for request: String = "the request",
        clause: Clause? = nil, level: Level? = nil
    ) -> Bool {
        expect(answer, anyOf: statuses, for: request, clause: clause, level: level)
    }

    /// Expects one of these statuses; the case goes on.
    @discardableResult
    package func expect(
        _ answer: AuthenticatorAnswer, anyOf statuses: [CTAPStatus], for request: String = "the request",
        clause: Clause? = nil, level: Level? = nil
    ) -> Bool {
        expect(
            statuses.contains(answer.status), "\(statuses.specified) for \(request)", seen: answer.seen,
            clause: clause, level: level)
    }

    /// Requires one of these statuses; otherwise the case ends.
    package func require(
        _ answer: AuthenticatorAnswer, _ statuses: CTAPStatus..., for request: String = "the request"
    ) throws(CaseStop) {
        guard expect(answer, anyOf: statuses, for: request) else { throw .deviation }
    }

    /// Expects any refusal; the case goes on.
    @discardableResult
    package func expectRefusal(_ answer: AuthenticatorAnswer, of request: String, level: Level? = nil) -> Bool {
        expect(answer.status != .ok, "a refusal of \(request)", seen: answer.seen, level: level)
    }

    /// Requires success, and returns the response's map.
    package func response(
        _ answer: AuthenticatorAnswer, to request: String = "the request"
    ) throws(CaseStop) -> CBOR.Map {
        try require(answer, .ok, for: request)
        guard case .map(let map)? = answer.cbor else {
            throw fail(
                "a map in the response to \(request)", seen: answer.cbor.map { "a \($0.kind.rawValue)" } ?? "none")
        }
        return map
    }

    /// Requires a member of a type.
    package func bytes(_ map: CBOR.Map, _ key: CBOR.Value, _ name: String) throws(CaseStop) -> [UInt8] {
        guard case .bytes(let bytes)? = map[key] else { throw fail("the byte string \(name)", seen: words(map[key])) }
        return bytes
    }

    /// Requires a member of a type.
    package func integer(_ map: CBOR.Map, _ key: CBOR.Value, _ name: String) throws(CaseStop) -> Int {
        guard let value = map[key], let number = try? value.asUnsigned(name) else {
            throw fail("the unsigned integer \(name)", seen: words(map[key]))
        }
        return number
    }

    /// Requires a member of a type.
    package func text(_ map: CBOR.Map, _ key: CBOR.Value, _ name: String) throws(CaseStop) -> String {
        guard case .text(let text)? = map[key] else { throw fail("the text string \(name)", seen: words(map[key])) }
        return text
    }

    /// Requires a member of a type.
    package func map(_ map: CBOR.Map, _ key: CBOR.Value, _ name: String) throws(CaseStop) -> CBOR.Map {
        guard case .map(let inner)? = map[key] else { throw fail("the map \(name)", seen: words(map[key])) }
        return inner
    }

    private func words(_ value: CBOR.Value?) -> String { value.map { "a \($0.kind.rawValue)" } ?? "nothing" }
}
