import CBOR
import Crypto
import RelyingParty
import WebAuthn
import X509

extension RegistrationMutation {
    private static func android(
        _ name: String, _ label: ReasonLabel?, _ edit: @escaping @Sendable (inout AndroidKeyForm?) -> Void
    ) -> RegistrationMutation {
        var caughtBy: [VerificationStep: ReasonLabel] = [:]
        if let label { caughtBy[.attestationStatement] = label }
        return RegistrationMutation("android-key: \(name)", caughtBy: caughtBy, kinds: [.androidKey]) {
            edit(&$0.androidKey)
        }
    }

    static let androidKeyRules: [RegistrationMutation] = [
        android("valid", nil) { _ in },
        android("another challenge", .androidKeyChallengeMismatch) {
            $0?.challenge = [UInt8](repeating: 1, count: 32)
        },
        android("no challenge", .androidKeyChallengeMismatch) { $0?.challenge = [] },
        android("all applications, says the trusted environment", .androidKeyAllApplications) {
            $0?.trustedEnvironmentEnforced.insert(AndroidKeyForm.allApplications, at: 1)
        },
        android("all applications, says Android", .androidKeyAllApplications) {
            $0?.softwareEnforced = [AndroidKeyForm.allApplications]
        },
        android("a derived key", .androidKeyOrigin) {
            $0?.trustedEnvironmentEnforced = [AndroidKeyForm.purposes(2), AndroidKeyForm.origin(1)]
        },
        android("an imported key, says Android", .androidKeyOrigin) {
            $0?.softwareEnforced = [AndroidKeyForm.origin(2)]
        },
        android("for decrypting", .androidKeyPurpose) {
            $0?.trustedEnvironmentEnforced = [AndroidKeyForm.purposes(1), AndroidKeyForm.origin(0)]
        },
        android("for nothing", .androidKeyPurpose) {
            $0?.trustedEnvironmentEnforced = [AndroidKeyForm.purposes(), AndroidKeyForm.origin(0)]
        },
        android("for signing and verifying", nil) {
            $0?.trustedEnvironmentEnforced = [AndroidKeyForm.purposes(2, 3), AndroidKeyForm.origin(0)]
        },
        android("authorizations Android enforces", nil) {
            $0?.softwareEnforced = [AndroidKeyForm.purposes(2), AndroidKeyForm.origin(0)]
            $0?.trustedEnvironmentEnforced = []
        },
        android("no authorizations, as in the specification's vector", nil) { $0?.trustedEnvironmentEnforced = [] },
        android("no key description", .androidKeyDescriptionMissing) { $0 = nil },
        android("a key description that ends early", .androidKeyDescriptionMalformed) {
            $0?.edit = { $0.dropLast() }
        },
        android("a byte after the key description", .androidKeyDescriptionMalformed) { $0?.edit = { $0 + [0] } },
        android("an empty key description", .androidKeyDescriptionMalformed) { $0?.edit = { _ in [0x30, 0x00] } },
        android("a purpose that is not a number", .androidKeyDescriptionMalformed) {
            $0?.trustedEnvironmentEnforced = [[0xA1, 0x02, 0x05, 0x00]]
        },
        android("an authorization without a tag", .androidKeyDescriptionMalformed) {
            $0?.trustedEnvironmentEnforced = [[0x02, 0x01, 0x02]]
        },
        RegistrationMutation(
            "android-key: another key in the leaf", caughtBy: [.attestationStatement: .androidKeyMismatch],
            kinds: [.androidKey]
        ) { try $0.certify { $0.publicKey = Certificate.PublicKey(P256.Signing.PrivateKey().publicKey) } },
        RegistrationMutation(
            "android-key: no x5c", caughtBy: [.attestationStatement: .attestationStatementMalformed],
            kinds: [.androidKey]
        ) { $0.editStatement = { $0["x5c"] = nil } },
    ]
}
