internal import CBOR
internal import CTAP
internal import WebAuthn

/// credProtect: how much a credential demands before it shows itself (CTAP 2.3 §12.1).
enum CredProtectExtension {
    /// Passes over a device that would make a credential less protected than the page puts up with.
    static func checkDevice(_ inputs: ClientExtensionInputs, info: AuthenticatorInfo) throws(WebAuthnClientError) {
        guard inputs.enforceCredentialProtectionPolicy == true, let policy = inputs.credentialProtectionPolicy,
            policy != .userVerificationOptional, !info.supports(.credProtect)
        else { return }
        throw WebAuthnClientError(.notAllowedError, .credentialProtectionUnsupported, detail: policy.rawValue)
    }

    static func level(_ policy: CredentialProtectionPolicy) -> CBOR.Value {
        switch policy {
        case .userVerificationOptional: 1
        case .userVerificationOptionalWithCredentialIDList: 2
        case .userVerificationRequired: 3
        }
    }
}
