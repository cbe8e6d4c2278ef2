internal import CTAP

/// The identifier of an authenticator extension (CTAP 2.3 §12).
enum ExtensionIdentifier: String, Sendable {
    case credProtect, credBlob, largeBlobKey, minPinLength, pinComplexityPolicy, thirdPartyPayment, uvm, largeBlob
    /// WebAuthn's prf, which phones answer over hybrid without hmac-secret.
    case prf
    case hmacSecret = "hmac-secret"
    case hmacSecretAtCreation = "hmac-secret-mc"
}

extension AuthenticatorInfo {
    func supports(_ identifier: ExtensionIdentifier) -> Bool { extensions?.contains(identifier.rawValue) ?? false }
}
