internal import CBOR
internal import COSE
internal import WebAuthn

extension AuthenticatorFault {
    static let dataFaults: [AuthenticatorFault] = [
        data(
            "rp-id-hash", "the RP ID hash is another relying party's",
            noticedBy: [.relyingPartyIDHash, .assertionAuthenticatorData]
        ) { $0.relyingPartyIDHash = sha256(Array("phish.example".utf8)) },
        data("up-clear", "UP is not set", noticedBy: [.userPresence, .assertionUserPresence]) {
            $0.flags.remove(.userPresent)
        },
        data(
            "uv-clear", "UV is not set, though the user was verified",
            noticedBy: [.userVerification, .assertionUserVerification]
        ) { $0.flags.remove(.userVerified) },
        data("bs-without-be", "BS is set while BE is not", noticedBy: [.backupConsistency, .assertionBackup]) {
            $0.flags.remove(.backupEligible)
            $0.flags.insert(.backupState)
        },
        data("be-flipped", "BE differs from its value at registration", noticedBy: [.assertionBackup]) {
            $0.flags.formSymmetricDifference(.backupEligible)
            $0.flags.remove(.backupState)
        },
        data("at-clear", "AT is not set, though a credential follows", noticedBy: [.attestedCredentialData]) {
            $0.flags.remove(.attestedCredentialData)
        },
        data(
            "at-set", "AT is set in an assertion, where no credential follows", noticedBy: [.assertionAuthenticatorData]
        ) { $0.flags.insert(.attestedCredentialData) },
        data(
            "ed-set", "ED is set, though no extension outputs follow",
            noticedBy: [.attestedCredentialData, .assertionAuthenticatorData]
        ) { $0.flags.insert(.extensionData) },
        data(
            "ed-clear", "extension outputs follow, though ED is not set",
            noticedBy: [.attestedCredentialData, .assertionAuthenticatorData]
        ) {
            $0.extensions = ["credBlob": true]
            $0.flags.remove(.extensionData)
        },
        data("extension-unsolicited", "an extension output was not requested", noticedBy: [.extensionOutputs]) {
            var outputs = $0.extensions ?? [:]
            outputs["touchstone-unsolicited"] = true
            $0.extensions = outputs
            $0.flags.insert(.extensionData)
        },
        AuthenticatorFault(
            "trailing-bytes", "bytes follow authenticator data",
            noticedBy: [.attestedCredentialData, .assertionAuthenticatorData],
            edit: .encodedAuthenticatorData { $0 + [0xDE, 0xAD] }),
        AuthenticatorFault(
            "truncated", "authenticator data ends early",
            noticedBy: [.attestedCredentialData, .assertionAuthenticatorData],
            edit: .encodedAuthenticatorData { $0.dropLast(min($0.count, 3)) }),
        data(
            "aaguid", "the AAGUID is another model's and contradicts a certificate that names the model",
            noticedBy: [.attestationStatement]
        ) { $0.attestedCredentialData?.aaguid = AAGUID(bytes: [UInt8](repeating: 0xAA, count: 16)) ?? .zero },
        data("credential-id-oversized", "the credential ID has 1024 bytes", noticedBy: [.credentialIDLength]) {
            $0.attestedCredentialData?.credentialID = [UInt8](repeating: 0xC1, count: 1024)
        },
        data("credential-id-empty", "the credential ID is empty", noticedBy: [.credentialIDLength]) {
            $0.attestedCredentialData?.credentialID = []
        },
        AuthenticatorFault(
            "credential-id-repeated", "the credential ID repeats that of the previous credential",
            noticedBy: [.credentialIDUniqueness],
            edit: .authenticatorData { data, memory in
                guard let former = memory.formerCredentialID else { return }
                data.attestedCredentialData?.credentialID = former
            }),
    ]

    /// A fault of authenticator data that needs no former value.
    private static func data(
        _ name: String, _ meaning: String, noticedBy steps: [VerificationStep],
        _ edit: @escaping @Sendable (inout AuthenticatorData) -> Void
    ) -> AuthenticatorFault {
        AuthenticatorFault(name, meaning, noticedBy: steps, edit: .authenticatorData { data, _ in edit(&data) })
    }
}
