internal import CBOR
internal import WebAuthn

extension AuthenticatorFault {
    /// Faults of authenticator data.
    static let dataFaults: [AuthenticatorFault] = [
        AuthenticatorFault(
            "rp-id-hash", "the RP ID hash is another relying party's", in: [.registration, .authentication],
            noticedBy: .relyingPartyIDHash, .assertionAuthenticatorData,
            edit: .authenticatorData { data, _ in data.relyingPartyIDHash = sha256(Array("phish.example".utf8)) }),
        flag(
            "up-clear", "UP is not set", in: [.registration, .authentication],
            noticedBy: .userPresence, .assertionUserPresence
        ) { $0.remove(.userPresent) },
        flag(
            "uv-clear", "UV is not set, though the user was verified", in: [.registration, .authentication],
            noticedBy: .userVerification, .assertionUserVerification
        ) { $0.remove(.userVerified) },
        flag(
            "bs-without-be", "BS is set while BE is not", in: [.registration, .authentication],
            noticedBy: .backupConsistency, .assertionBackup
        ) {
            $0.remove(.backupEligible)
            $0.insert(.backupState)
        },
        flag(
            "be-flipped", "BE differs from its value at registration", in: [.authentication],
            noticedBy: .assertionBackup
        ) {
            $0.formSymmetricDifference(.backupEligible)
            $0.remove(.backupState)
        },
        flag(
            "at-clear", "AT is not set, though a credential follows", in: [.registration],
            noticedBy: .attestedCredentialData
        ) { $0.remove(.attestedCredentialData) },
        flag(
            "at-set", "AT is set in an assertion, where no credential follows", in: [.authentication],
            noticedBy: .assertionAuthenticatorData
        ) { $0.insert(.attestedCredentialData) },
        flag(
            "ed-set", "ED is set, though no extension outputs follow", in: [.registration, .authentication],
            noticedBy: .attestedCredentialData, .assertionAuthenticatorData
        ) { $0.insert(.extensionData) },
        AuthenticatorFault(
            "ed-clear", "extension outputs follow, though ED is not set", in: [.registration, .authentication],
            noticedBy: .attestedCredentialData, .assertionAuthenticatorData,
            edit: .authenticatorData { data, _ in
                data.extensions = ["credBlob": true]
                data.flags.remove(.extensionData)
            }),
        AuthenticatorFault(
            "extension-unsolicited", "an extension output was not requested", in: [.registration],
            noticedBy: .extensionOutputs,
            edit: .authenticatorData { data, _ in
                var outputs = data.extensions ?? [:]
                outputs["touchstone-unsolicited"] = true
                data.extensions = outputs
                data.flags.insert(.extensionData)
            }),
        AuthenticatorFault(
            "trailing-bytes", "bytes follow authenticator data", in: [.registration, .authentication],
            noticedBy: .attestedCredentialData, .assertionAuthenticatorData,
            edit: .encodedAuthenticatorData { $0 + [0xDE, 0xAD] }),
        AuthenticatorFault(
            "truncated", "authenticator data ends early", in: [.registration, .authentication],
            noticedBy: .attestedCredentialData, .assertionAuthenticatorData,
            edit: .encodedAuthenticatorData { Array($0.dropLast(min($0.count, 3))) }),
        AuthenticatorFault(
            "aaguid", "the AAGUID is another model's and contradicts a certificate that names the model",
            in: [.registration], noticedBy: .attestationStatement,
            edit: .authenticatorData { data, _ in
                data.attestedCredentialData?.aaguid = AAGUID(bytes: [UInt8](repeating: 0xAA, count: 16)) ?? .zero
            }),
        AuthenticatorFault(
            "credential-id-oversized", "the credential ID has 1024 bytes", in: [.registration],
            noticedBy: .credentialIDLength,
            edit: .authenticatorData { data, _ in
                data.attestedCredentialData?.credentialID = [UInt8](repeating: 0xC1, count: 1024)
            }),
        AuthenticatorFault(
            "credential-id-empty", "the credential ID is empty", in: [.registration], noticedBy: .credentialIDLength,
            edit: .authenticatorData { data, _ in data.attestedCredentialData?.credentialID = [] }),
        AuthenticatorFault(
            "credential-id-repeated", "the credential ID repeats that of the previous credential", in: [.registration],
            noticedBy: .credentialIDUniqueness,
            edit: .authenticatorData { data, memory in
                guard let former = memory.formerCredentialID else { return }
                data.attestedCredentialData?.credentialID = former
            }),
    ]

    private static func flag(
        _ name: String, _ meaning: String, in ceremonies: Set<VerificationStep.Ceremony>,
        noticedBy steps: VerificationStep..., edit: @escaping @Sendable (inout AuthenticatorDataFlags) -> Void
    ) -> AuthenticatorFault {
        AuthenticatorFault(
            name, meaning, in: ceremonies, noticedBy: steps, edit: .authenticatorData { data, _ in edit(&data.flags) })
    }
}
