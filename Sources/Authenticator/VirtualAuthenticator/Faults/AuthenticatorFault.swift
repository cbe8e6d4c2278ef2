internal import Attestation
public import CTAP
internal import WebAuthn

/// A way for an authenticator to lie, or to be broken.
///
/// Every fault is one edit of one thing on the way from the credential to the answer; the catalogue is ``all``.
public struct AuthenticatorFault: Sendable {
    /// What it is called and who should notice.
    public let description: FaultDescription
    /// Whether it changes registrations.
    public var changesRegistrations: Bool { description.noticedBy.contains { $0.hasPrefix("r") } }
    /// Whether it changes assertions.
    public var changesAssertions: Bool { description.noticedBy.contains { $0.hasPrefix("a") } }
    let edit: Edit

    /// What a fault changes.
    enum Edit: Sendable {
        /// Authenticator data before it is encoded and signed.
        case authenticatorData(@Sendable (inout AuthenticatorData, FaultMemory) -> Void)
        /// Encoded authenticator data before it is signed.
        case encodedAuthenticatorData(@Sendable ([UInt8]) -> [UInt8])
        /// The attestation, certificates and all.
        case attestation(AttestationFlaw)
        /// An assertion's signature.
        case signature(@Sendable ([UInt8]) -> [UInt8])
        /// The answer to a registration.
        case registration(@Sendable (inout MakeCredentialResponse) -> Void)
        /// The answer to an assertion.
        case assertion(@Sendable (inout GetAssertionResponse, FaultMemory) -> Void)
        /// The counter: what to say, given what the answer before said.
        case signCount(@Sendable (_ former: UInt32) -> UInt32)
    }

    init(_ name: String, _ meaning: String, noticedBy steps: String..., edit: Edit) {
        self.init(name, meaning, steps, edit: edit)
    }

    init(_ name: String, _ meaning: String, _ steps: [String], edit: Edit) {
        description = FaultDescription(name, seam: .authenticator, meaning, noticedBy: steps)
        self.edit = edit
    }

    /// The fault of a name.
    public static func named(_ name: String) -> AuthenticatorFault? {
        all.first { $0.description.name == name }
    }

    /// Every fault, in the order of the relying party's steps.
    public static let all =
        dataFaults + keyFaults + statementFaults + attestationFaults + assertionFaults + counterFaults
}

/// What faults remember of the device, for lies that need a history.
struct FaultMemory: Sendable {
    /// The ID of the credential made before this one.
    var formerCredentialID: [UInt8]?
    /// The counter the answer before said.
    var formerSignCount: UInt32 = 0
}
