import CBOR
import RelyingParty
import WebAuthn

extension RegistrationMutation {
    /// A credential whose protection is stated, and the protection requested (CTAP 2.3 §12.1).
    private static func protecting(
        _ name: String, _ stated: CBOR.Value?, _ requested: CredentialProtectionPolicy, enforced: Bool = false,
        flagged: Bool = false
    ) -> RegistrationMutation {
        RegistrationMutation(
            "credProtect: \(name)", caughtBy: enforced ? [.extensionOutputs: .credentialProtectionWeaker] : [:],
            flaggedBy: flagged ? [.extensionOutputs: .credentialProtectionWeaker] : [:]
        ) {
            $0.expectation.extensions = ExtensionPolicy(
                requested: ["credProtect"], credentialProtection: requested, enforcesCredentialProtection: enforced)
            guard let stated else { return }
            $0.authenticatorData.extensions = ["credProtect": stated]
            $0.authenticatorData.flags.insert(.extensionData)
        }
    }

    static let records: [RegistrationMutation] = [
        RegistrationMutation("a credential ID of 1023 bytes", caughtBy: [:]) {
            $0.authenticatorData.attestedCredentialData?.credentialID = [UInt8](repeating: 5, count: 1023)
        },
        RegistrationMutation("a credential ID of 1024 bytes", caughtBy: [.credentialIDLength: .credentialIDTooLong]) {
            $0.authenticatorData.attestedCredentialData?.credentialID = [UInt8](repeating: 5, count: 1024)
        },
        RegistrationMutation("an empty credential ID", caughtBy: [.credentialIDLength: .credentialIDEmpty]) {
            $0.authenticatorData.attestedCredentialData?.credentialID = []
        },
        RegistrationMutation(
            "registered before, same user", caughtBy: [.credentialIDUniqueness: .credentialIDRegisteredToUser]
        ) {
            $0.expectation.owner = { _ in .thisUser }
        },
        RegistrationMutation(
            "registered before, other user", caughtBy: [.credentialIDUniqueness: .credentialIDRegisteredToOther]
        ) {
            $0.expectation.owner = { _ in .otherUser }
        },
        RegistrationMutation("an unsolicited client output", caughtBy: [.extensionOutputs: .extensionUnsolicited]) {
            $0.expectation.extensions.refusesUnsolicited = true
            $0.editResponse = { $0.clientExtensionResults.credProps = .init(rk: true) }
        },
        RegistrationMutation(
            "an unsolicited authenticator output", caughtBy: [.extensionOutputs: .extensionUnsolicited]
        ) {
            $0.expectation.extensions.refusesUnsolicited = true
            $0.authenticatorData.extensions = ["credProtect": 2]
            $0.authenticatorData.flags.insert(.extensionData)
        },
        RegistrationMutation("requested outputs", caughtBy: [:]) {
            $0.expectation.extensions = ExtensionPolicy(
                requested: ["credProps", "credProtect"], refusesUnsolicited: true)
            $0.authenticatorData.extensions = ["credProtect": 2]
            $0.authenticatorData.flags.insert(.extensionData)
            $0.editResponse = { $0.clientExtensionResults.credProps = .init(rk: true) }
        },
        RegistrationMutation("requested outputs that are missing", caughtBy: [:]) {
            $0.expectation.extensions = ExtensionPolicy(requested: ["credProps"], refusesUnsolicited: true)
        },
        RegistrationMutation(
            "credProps denies a requirement", caughtBy: [.extensionOutputs: .credentialNotDiscoverable]
        ) {
            $0.expectation.residentKey = .required
            $0.editResponse = { $0.clientExtensionResults.credProps = .init(rk: false) }
        },
        protecting("at the level requested", 2, .userVerificationOptionalWithCredentialIDList),
        protecting("above the level requested", 3, .userVerificationOptionalWithCredentialIDList),
        protecting("below the level requested", 1, .userVerificationRequired, flagged: true),
        protecting("not stated", nil, .userVerificationRequired),
        protecting("below the level enforced", 2, .userVerificationRequired, enforced: true),
        protecting("not stated, though enforced", nil, .userVerificationOptional, enforced: true),
        protecting("stated as text, though enforced", "high", .userVerificationOptional, enforced: true),
        RegistrationMutation("account swapped between begin and complete", caughtBy: [.account: .accountSwapped]) {
            $0.expectation.completingUserHandle = Example.otherUserHandle
        },
        RegistrationMutation("no account bound to sending the response", caughtBy: [:]) {
            $0.expectation.completingUserHandle = nil
        },
    ]
}
