internal import Attestation
internal import CTAP
internal import Causes
public import WebAuthn

/// A deliberate error in an authenticator's responses.
///
/// Every fault is one edit of one thing on the way from the credential to the response; ``all`` is the catalogue.
public struct AuthenticatorFault: Sendable {
    /// The stable name, such as `counter-backwards`.
    public let name: String
    /// The error it causes, in a few words.
    public let meaning: String
    /// The steps of a relying party's verification that detect it; empty for a fault that only the client sees.
    public let noticedBy: [VerificationStep]
    let edit: Edit

    enum Edit: Sendable {
        /// A request before it is carried out: the status that refuses it and the cause, if any.
        case request(@Sendable (FaultyRequest, _ isPINSet: Bool) -> (CTAPStatus, Cause)?)
        /// The verification of the user, which counts as given without a question.
        case verification
        /// Authenticator data before it is encoded and signed.
        case authenticatorData(@Sendable (inout AuthenticatorData, FaultMemory) -> Void)
        /// Encoded authenticator data before it is signed.
        case encodedAuthenticatorData(@Sendable ([UInt8]) -> [UInt8])
        /// The attestation, certificates included.
        case attestation(AttestationFlaw)
        case registration(@Sendable (inout MakeCredentialResponse) -> Void)
        case assertion(@Sendable (inout GetAssertionResponse) -> Void)
    }

    init(_ name: String, _ meaning: String, noticedBy steps: [VerificationStep], edit: Edit) {
        self.name = name
        self.meaning = meaning
        noticedBy = steps
        self.edit = edit
    }

    /// The ceremonies whose responses it changes: those of the steps that detect it.
    public var ceremonies: Set<VerificationStep.Ceremony> { Set(noticedBy.map(\.ceremony)) }

    /// Whether the device claims a verification of its user that it does not ask for.
    package var claimsVerification: Bool { if case .verification = edit { true } else { false } }

    /// The fault with a name, or nil when no fault has it.
    public static func named(_ name: String) -> AuthenticatorFault? { all.first { $0.name == name } }

    /// Every fault: those the client detects, and the others in the order of the relying party's steps.
    public static let all =
        requestFaults + dataFaults + keyFaults + statementFaults + attestationFaults + assertionFaults + counterFaults
}

extension AuthenticatorFault: Hashable {
    /// Whether both have the same name.
    public static func == (left: Self, right: Self) -> Bool { left.name == right.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The device's history, for faults that repeat a former value.
struct FaultMemory: Sendable {
    var formerCredentialID: [UInt8]?
    /// The last counters that relying parties got, by credential ID.
    private(set) var signCounts: [[UInt8]: UInt32] = [:]
    /// That of the present credential; nil for one from before a restart or among very many.
    var formerSignCount: UInt32?
    /// The names of the faults that left the present response as it was; they count for a later one.
    var idle: Set<String> = []

    private static let mostSignCounts = 10_000

    /// A zero after a positive value, which a fault made, is not noted, so that the fault also changes the next answer.
    mutating func note(_ signCount: UInt32, of credentialID: [UInt8]) {
        guard signCount > 0 || signCounts[credentialID] == nil else { return }
        if signCounts.count >= Self.mostSignCounts { signCounts = [:] }
        signCounts[credentialID] = signCount
    }
}
