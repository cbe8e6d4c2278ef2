internal import CBOR
internal import WebAuthn

extension AuthenticatorFault {
    /// Lies in authenticator data.
    static let dataFaults: [AuthenticatorFault] = [
        AuthenticatorFault(
            "rp-id-hash", "the RP ID hash is another relying party's", noticedBy: "r9", "a5",
            edit: .authenticatorData { data, _ in data.relyingPartyIDHash = sha256(Array("phish.example".utf8)) }),
        flag("up-clear", "UP is not set", noticedBy: "r10", "a6") { $0.remove(.userPresent) },
        flag("uv-clear", "UV is not set, though the user was verified", noticedBy: "r11", "a7") {
            $0.remove(.userVerified)
        },
        flag("bs-without-be", "BS is set while BE is not", noticedBy: "r12", "a8") {
            $0.remove(.backupEligible)
            $0.insert(.backupState)
        },
        flag("be-flipped", "BE is not what it was at registration", noticedBy: "a8") {
            $0.formSymmetricDifference(.backupEligible)
            $0.remove(.backupState)
        },
        flag("at-clear", "AT is not set, though a credential follows", noticedBy: "r14") {
            $0.remove(.attestedCredentialData)
        },
        flag("at-set", "AT is set in an assertion, where no credential follows", noticedBy: "a5") {
            $0.insert(.attestedCredentialData)
        },
        flag("ed-set", "ED is set, though no extension outputs follow", noticedBy: "r14", "a5") {
            $0.insert(.extensionData)
        },
        AuthenticatorFault(
            "ed-clear", "extension outputs follow, though ED is not set", noticedBy: "r14", "a5",
            edit: .authenticatorData { data, _ in
                data.extensions = ["credBlob": true]
                data.flags.remove(.extensionData)
            }),
        AuthenticatorFault(
            "extension-unsolicited", "an extension answers that nobody asked", noticedBy: "r21",
            edit: .authenticatorData { data, _ in
                var outputs = data.extensions ?? [:]
                outputs["touchstone-unsolicited"] = true
                data.extensions = outputs
                data.flags.insert(.extensionData)
            }),
        AuthenticatorFault(
            "trailing-bytes", "bytes follow authenticator data", noticedBy: "r14", "a5",
            edit: .encodedAuthenticatorData { $0 + [0xDE, 0xAD] }),
        AuthenticatorFault(
            "truncated", "authenticator data ends early", noticedBy: "r14", "a5",
            edit: .encodedAuthenticatorData { Array($0.dropLast(min($0.count, 3))) }),
        AuthenticatorFault(
            "aaguid", "the AAGUID is another model's: where a certificate tells the model, it says otherwise",
            noticedBy: "r16",
            edit: .authenticatorData { data, _ in
                data.attestedCredentialData?.aaguid = AAGUID(bytes: [UInt8](repeating: 0xAA, count: 16)) ?? .zero
            }),
        AuthenticatorFault(
            "credential-id-oversized", "the credential ID has 1024 bytes", noticedBy: "r18",
            edit: .authenticatorData { data, _ in
                data.attestedCredentialData?.credentialID = [UInt8](repeating: 0xC1, count: 1024)
            }),
        AuthenticatorFault(
            "credential-id-empty", "the credential ID is empty", noticedBy: "r18",
            edit: .authenticatorData { data, _ in data.attestedCredentialData?.credentialID = [] }),
        AuthenticatorFault(
            "credential-id-repeated", "the credential ID is that of the credential before", noticedBy: "r19",
            edit: .authenticatorData { data, memory in
                guard let former = memory.formerCredentialID else { return }
                data.attestedCredentialData?.credentialID = former
            }),
    ]

    private static func flag(
        _ name: String, _ meaning: String, noticedBy steps: String...,
        edit: @escaping @Sendable (inout AuthenticatorDataFlags) -> Void
    ) -> AuthenticatorFault {
        AuthenticatorFault(name, meaning, steps, edit: .authenticatorData { data, _ in edit(&data.flags) })
    }
}
