internal import CBOR
internal import COSE
internal import WebAuthn

/// The fixed head of authenticator data: SHA-256 of the RP ID (32 bytes), flags (1), counter (4) (WebAuthn L3 §6.1).
///
/// It can be judged even when the rest is malformed.
struct AuthenticatorDataHead {
    let relyingPartyIDHash: [UInt8]
    let flags: AuthenticatorDataFlags
    let signCount: UInt32

    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 37 else { return nil }
        relyingPartyIDHash = Array(bytes[0..<32])
        flags = AuthenticatorDataFlags(rawValue: bytes[32])
        signCount = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// - Parameter scope: the RP ID, or the app ID that takes its place.
    func judgeRelyingParty(_ scope: String) -> [Reason] {
        let expected = sha256(Array(scope.utf8))
        guard relyingPartyIDHash != expected else { return [] }
        return [Reason(.relyingPartyIDHashMismatch, "the hash is not the hash of “\(scope)”")]
    }

    func judgeUserPresence() -> [Reason] {
        flags.contains(.userPresent) ? [] : [Reason(.userPresentMissing, "UP is not set")]
    }

    func judgeUserVerification() -> [Reason] {
        flags.contains(.userVerified) ? [] : [Reason(.userVerifiedMissing, "UV is required and not set")]
    }

    func judgeBackupConsistency() -> [Reason] {
        guard flags.contains(.backupState) && !flags.contains(.backupEligible) else { return [] }
        return [Reason(.backupStateWithoutEligibility, "BS is set while BE is not")]
    }

    func judgeBackupPolicy(_ policy: BackupPolicy) -> [Reason] {
        var reasons: [Reason] = []
        if !policy.eligibility.holds(for: flags.contains(.backupEligible)) {
            reasons.append(Reason(.backupEligibilityAgainstPolicy, "BE is \(policy.eligibility.rawValue)"))
        }
        if !policy.state.holds(for: flags.contains(.backupState)) {
            reasons.append(Reason(.backupStateAgainstPolicy, "BS is \(policy.state.rawValue)"))
        }
        return reasons
    }
}

extension Reason {
    init(_ error: AuthenticatorData.ParsingError) {
        let label: ReasonLabel =
            switch error {
            case .truncated: .authenticatorDataTruncated
            case .surplusBytes: .authenticatorDataSurplus
            case .invalidCBOR(_, let detail): ReasonLabel(rawValue: "authenticatorData.\(detail.rule.rawValue)")
            case .extensionsNotAMap: .extensionsNotAMap
            }
        self.init(label, error.description)
    }

    init(_ error: AttestationObject.ParsingError) {
        let label: ReasonLabel =
            switch error {
            case .invalidCBOR(let detail): ReasonLabel(rawValue: "attestationObject.\(detail.rule.rawValue)")
            case .invalidMember(let detail):
                detail.problem == .missing ? .attestationObjectMissingMember : .attestationObjectInvalidMember
            }
        self.init(label, error.description)
    }
}
