/// A step of a relying party's verification: `r…` of registration (WebAuthn L3 §7.1), `a…` of authentication (§7.2).
///
/// The raw values are stable: reports, scenarios and faults name steps by them.
public struct VerificationStep: RawRepresentable, Hashable, Sendable, Codable, CaseIterable {
    /// The ceremony a step belongs to.
    public enum Ceremony: String, Hashable, Sendable, CaseIterable {
        case registration, authentication
    }

    /// The step's number in its ceremony, such as `r13`.
    public let rawValue: String
    /// The property the step verifies, as the ledger shows it.
    public let title: String
    /// The clause of WebAuthn Level 3 that asks for the step.
    public let clause: String

    /// The step with this number, or nil when no step has it.
    public init?(rawValue: String) {
        guard let step = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = step
    }

    private init(_ number: String, _ title: String, _ clause: String) {
        rawValue = number
        self.title = title
        self.clause = "WebAuthn L3 \(clause)"
    }

    /// The ceremony the step belongs to.
    public var ceremony: Ceremony { Self.registration.contains(self) ? .registration : .authentication }

    /// Whether both are the same step.
    public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }

    /// Hashes the step's number.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// The steps of both ceremonies.
    public static let allCases = registration + authentication
}

// Registration, WebAuthn L3 §7.1.
extension VerificationStep {
    /// The steps of a registration, in the specification's order.
    public static let registration: [VerificationStep] = [
        .registrationResponse, .clientDataJSON, .clientDataType, .challenge, .origin, .crossOrigin, .topOrigin,
        .attestationObject, .relyingPartyIDHash, .userPresence, .userVerification, .backupConsistency, .backupPolicy,
        .attestedCredentialData, .credentialKey, .attestationStatement, .attestationTrust, .credentialIDLength,
        .credentialIDUniqueness, .credentialRecord, .extensionOutputs, .account,
    ]

    /// r1: the response's type and credential ID.
    public static let registrationResponse = VerificationStep(
        "r1", "response is an attestation for one credential ID", "§7.1 step 3")
    /// r2: the form of client data.
    public static let clientDataJSON = VerificationStep("r2", "client data is UTF-8 and JSON", "§7.1 steps 5–6")
    /// r3: the type in client data.
    public static let clientDataType = VerificationStep(
        "r3", "client data has the type of a registration", "§7.1 step 7")
    /// r4: the challenge in client data.
    public static let challenge = VerificationStep("r4", "challenge is the one issued", "§7.1 step 8")
    /// r5: the origin in client data.
    public static let origin = VerificationStep("r5", "origin is an expected one", "§7.1 step 9")
    /// r6: `crossOrigin` in client data.
    public static let crossOrigin = VerificationStep("r6", "not in an unexpected cross-origin frame", "§7.1 step 10")
    /// r7: `topOrigin` in client data.
    public static let topOrigin = VerificationStep("r7", "top-level origin is an expected one", "§7.1 step 11")
    /// r8: the form of the attestation object.
    public static let attestationObject = VerificationStep(
        "r8", "attestation object is one canonical CBOR map", "§7.1 step 13")
    /// r9: the RP ID hash in authenticator data.
    public static let relyingPartyIDHash = VerificationStep(
        "r9", "RP ID hash is that of the relying party", "§7.1 step 14")
    /// r10: UP.
    public static let userPresence = VerificationStep("r10", "user was present", "§7.1 step 15")
    /// r11: UV.
    public static let userVerification = VerificationStep("r11", "user was verified where required", "§7.1 step 16")
    /// r12: BS without BE.
    public static let backupConsistency = VerificationStep(
        "r12", "backed up only if eligible for backup", "§7.1 step 17")
    /// r13: BE and BS against the relying party's policy.
    public static let backupPolicy = VerificationStep(
        "r13", "backup eligibility and state meet the policy", "§7.1 steps 18–19")
    /// r14: the form of authenticator data.
    public static let attestedCredentialData = VerificationStep(
        "r14", "authenticator data holds the new credential and nothing else", "§6.1")
    /// r15: the credential's public key.
    public static let credentialKey = VerificationStep(
        "r15", "public key is valid and of an offered algorithm", "§7.1 step 20")
    /// r16: the attestation statement against its format.
    public static let attestationStatement = VerificationStep(
        "r16", "attestation statement is valid in its format", "§7.1 steps 21–22")
    /// r17: the attestation against the relying party's policy and trust anchors.
    public static let attestationTrust = VerificationStep("r17", "attestation is trusted", "§7.1 steps 23–24")
    /// r18: the length of the credential ID.
    public static let credentialIDLength = VerificationStep(
        "r18", "credential ID is 1 to 1023 bytes long", "§7.1 step 25")
    /// r19: the credential ID against those registered.
    public static let credentialIDUniqueness = VerificationStep(
        "r19", "credential ID is not registered to any user", "§7.1 step 26")
    /// r20: the new credential record.
    public static let credentialRecord = VerificationStep("r20", "credential record is complete", "§7.1 step 27")
    /// r21: extension outputs against the relying party's policy.
    public static let extensionOutputs = VerificationStep("r21", "extension outputs meet the policy", "§7.1 step 28")
    /// r22: the account that receives the record.
    public static let account = VerificationStep(
        "r22", "response comes from the account named in the request", "§7.1 step 29")
}

// Authentication, WebAuthn L3 §7.2.
extension VerificationStep {
    /// The steps of an authentication, in the specification's order.
    public static let authentication: [VerificationStep] = [
        .allowedCredential, .knownUser, .userHandle, .assertionClientData, .assertionAuthenticatorData,
        .assertionUserPresence, .assertionUserVerification, .assertionBackup, .signature, .signatureCounter,
        .updatedState, .stateRelease,
    ]

    /// a1: the response's type and credential ID, and the allow list.
    public static let allowedCredential = VerificationStep("a1", "credential is one of those allowed", "§7.2 step 5")
    /// a2: the owner of the credential, when the user is known before the ceremony.
    public static let knownUser = VerificationStep("a2", "credential belongs to the known user", "§7.2 step 6")
    /// a3: the user handle, when the user is not known before the ceremony.
    public static let userHandle = VerificationStep("a3", "user handle names the credential's owner", "§7.2 step 6")
    /// a4: every check of client data.
    public static let assertionClientData = VerificationStep(
        "a4", "client data matches this request", "§7.2 steps 8–14")
    /// a5: the form and RP ID hash of authenticator data.
    public static let assertionAuthenticatorData = VerificationStep(
        "a5", "authenticator data is valid and of the relying party", "§7.2 step 15")
    /// a6: UP.
    public static let assertionUserPresence = VerificationStep("a6", "user was present", "§7.2 step 16")
    /// a7: UV.
    public static let assertionUserVerification = VerificationStep(
        "a7", "user was verified where required", "§7.2 step 17")
    /// a8: BE and BS, alone, against the policy and against the record.
    public static let assertionBackup = VerificationStep(
        "a8", "backup flags are consistent and eligibility is unchanged", "§7.2 steps 18–19")
    /// a9: the assertion's signature.
    public static let signature = VerificationStep(
        "a9", "signature verifies with the stored public key", "§7.2 steps 20–21")
    /// a10: the signature counter.
    public static let signatureCounter = VerificationStep(
        "a10", "signature counter increased, or is not in use", "§7.2 step 22")
    /// a11: the credential's new state.
    public static let updatedState = VerificationStep("a11", "record takes the state of the response", "§7.2 step 24")
    /// a12: handing the new state to the relying party.
    public static let stateRelease = VerificationStep("a12", "record is updated only after every check", "§7.2 step 25")
}
