package import CTAP

/// An optional feature of keys, from their getInfo.
package enum KeyFeature: Sendable {
    case credentialManagement
    case fingerprints
    case largeBlobs
    case configuration

    /// Checks that a key has the feature, before the user is asked for anything.
    package func require(of info: AuthenticatorInfo) throws(SecurityKeyError) {
        switch self {
        case .credentialManagement:
            guard info.option(.credMgmt) == true || info.option(.credentialMgmtPreview) == true else {
                throw .unsupported("this key has no credential management; its credentials cannot be listed")
            }
        case .fingerprints:
            guard info.option(.bioEnroll) != nil || info.option(.userVerificationMgmtPreview) != nil else {
                throw .unsupported("this key has no fingerprint sensor that can be managed")
            }
        case .largeBlobs:
            guard info.option(.largeBlobs) == true else { throw .unsupported("this key has no large blobs") }
        case .configuration:
            guard info.option(.authnrCfg) == true else {
                throw .unsupported("this key cannot be configured (no authnrCfg)")
            }
        }
    }
}
