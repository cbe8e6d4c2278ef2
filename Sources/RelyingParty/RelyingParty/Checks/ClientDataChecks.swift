internal import WebAuthn

/// The checks of client data that registration and authentication share (WebAuthn L3 §7.1 steps 5–11, §7.2 steps 8–14).
struct ClientDataChecks {
    var parsing: LedgerOutcome
    var type = LedgerOutcome.notReached
    var challenge = LedgerOutcome.notReached
    var origin = LedgerOutcome.notReached
    var crossOrigin = LedgerOutcome.notReached
    var topOrigin = LedgerOutcome.notReached

    init(_ clientDataJSON: [UInt8], type expectedType: String, expectation: CeremonyExpectation) {
        let stateReasons = Self.reasons(of: expectation)
        let clientData: CollectedClientData
        do {
            clientData = try CollectedClientData(parsing: clientDataJSON)
        } catch {
            parsing = .failed([Self.reason(for: error)])
            // The state of the challenge does not depend on the response.
            if !stateReasons.isEmpty { challenge = .failed(stateReasons) }
            return
        }
        parsing = .passed
        type = Self.judgeType(clientData.type, expectedType)
        challenge = .judged(
            stateReasons + Self.mismatch(clientData.challenge, expectation.challenge),
            flags: Self.flags(of: expectation.challenge))
        origin = Self.judgeOrigin(clientData.origin, expectation.origins)
        if expectation.level == .two {
            origin = .judged(origin.refusals + TokenBindingCheck.reasons(in: clientDataJSON))
        }
        let absent = expectation.level.outcomeOfLevel3Step
        crossOrigin = absent ?? Self.judgeCrossOrigin(clientData.crossOrigin, expectation)
        topOrigin = absent ?? Self.judgeTopOrigin(clientData.topOrigin, expectation)
    }

    var combined: LedgerOutcome {
        let outcomes = [parsing, type, challenge, origin, crossOrigin, topOrigin]
        return .judged(outcomes.flatMap(\.refusals), flags: outcomes.flatMap(\.flags))
    }

    private static func reason(for error: CollectedClientData.ParsingError) -> Reason {
        switch error {
        case .notUTF8: Reason(.clientDataNotUTF8, error.description)
        case .notJSON: Reason(.clientDataNotJSON, error.description)
        case .invalidMember: Reason(.clientDataInvalidMember, error.description)
        case .duplicateMember: Reason(.clientDataDuplicateMember, error.description)
        }
    }

    private static func judgeType(_ found: String, _ expected: String) -> LedgerOutcome {
        guard !isSameText(found, expected) else { return .passed }
        return .failed([Reason(.clientDataTypeMismatch, "the type is “\(found)”, not “\(expected)”")])
    }

    /// WebAuthn L3 §13.4.3 only recommends the length, so that a response to a short challenge is accepted.
    private static func flags(of challenge: [UInt8]) -> [Reason] {
        guard challenge.count < 16 else { return [] }
        let length = "\(challenge.count) \(challenge.count == 1 ? "byte" : "bytes")"
        return [Reason(.challengeTooShort, "the issued challenge has \(length); at least 16 bytes cannot be guessed")]
    }

    private static func reasons(of expectation: CeremonyExpectation) -> [Reason] {
        var reasons: [Reason] = []
        switch expectation.challengeState {
        case .current: break
        case .unknown: reasons.append(Reason(.challengeUnknown, "the challenge was never issued"))
        case .used: reasons.append(Reason(.challengeUsed, "the challenge was already answered"))
        case .expired: reasons.append(Reason(.challengeExpired, "the challenge has expired"))
        case .otherSession:
            reasons.append(Reason(.challengeOtherSession, "the challenge was issued to another session"))
        case .otherUser: reasons.append(Reason(.challengeOtherUser, "the challenge was issued for another user"))
        }
        return reasons
    }

    private static func mismatch(_ found: String, _ expected: [UInt8]) -> [Reason] {
        let text = Base64URL.encode(expected)
        guard !isSameText(found, text) else { return [] }
        return [Reason(.challengeMismatch, "the challenge is not the one issued")]
    }

    private static func judgeOrigin(_ origin: String, _ expected: [String]) -> LedgerOutcome {
        if expected.contains(where: { isSameText($0, origin) }) { return .passed }
        let list = expected.joined(separator: ", ")
        return .failed([Reason(.originUnexpected, "the origin is “\(origin)”; expected: \(list)")])
    }

    private static func judgeCrossOrigin(_ crossOrigin: Bool?, _ expectation: CeremonyExpectation) -> LedgerOutcome {
        guard crossOrigin == true, !expectation.allowsCrossOrigin else { return .passed }
        return .failed([Reason(.crossOriginUnexpected, "the response comes from a cross-origin frame")])
    }

    private static func judgeTopOrigin(_ topOrigin: String?, _ expectation: CeremonyExpectation) -> LedgerOutcome {
        guard let topOrigin else { return .notApplicable("client data has no top-level origin") }
        guard expectation.allowsCrossOrigin else {
            return .failed([Reason(.topOriginUnexpected, "the response comes from a frame inside “\(topOrigin)”")])
        }
        guard expectation.topOrigins.contains(where: { isSameText($0, topOrigin) }) else {
            return .failed([Reason(.topOriginNotAllowed, "“\(topOrigin)” may not frame this relying party")])
        }
        return .passed
    }
}
