internal import CTAP
internal import WebAuthn

/// credProtect: the verification a credential requires before it is disclosed (CTAP 2.3 §12.1).
enum CredProtectExtension {
    static func checkDevice(_ inputs: ClientExtensionInputs, info: AuthenticatorInfo) throws(WebAuthnClientError) {
        guard inputs.enforceCredentialProtectionPolicy == true, let policy = inputs.credentialProtectionPolicy,
            policy != .userVerificationOptional, !info.supports(.credProtect)
        else { return }
        throw WebAuthnClientError(.notAllowedError, .credentialProtectionUnsupported, detail: policy.rawValue)
    }
}
