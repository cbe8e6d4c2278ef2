internal import CBOR
internal import CTAP
internal import WebAuthn

/// An extension that this authenticator supports (CTAP 2.3 §12).
public enum AuthenticatorExtension: String, Hashable, Sendable, CaseIterable {
    /// The protection level of a credential.
    case credProtect
    /// A few bytes of the relying party's, kept with the credential.
    case credBlob
    /// A key for the credential's entry among the large blobs.
    case largeBlobKey
    /// The minimum PIN length, for relying parties that setMinPINLength named.
    case minPinLength
    /// Whether the PIN must meet a complexity policy, for the same relying parties.
    case pinComplexityPolicy
    /// A secret of the credential, keyed by the platform's salt.
    case hmacSecret = "hmac-secret"
    /// The same, at registration already.
    case hmacSecretAtCreation = "hmac-secret-mc"
    /// Whether a credential may be used for payments on other sites.
    case thirdPartyPayment
    /// The user verification method.
    case uvm
    /// A blob that lies with the credential, as phones keep it; its outputs are not signed.
    case largeBlob
    /// A key beside the credential that signs arbitrary data; a draft.
    case previewSign
}

extension VirtualAuthenticator {
    /// The extensions of a request that getInfo over its transport lists; the others are ignored (CTAP 2.3 §6.1.2 step 15).
    func listed(_ extensions: [String: CBOR.Value]?, _ context: CommandContext) -> [String: CBOR.Value]? {
        guard context.request.transport == .hybrid, configuration.isPlatform else { return extensions }
        return extensions?.filter {
            HybridExtension(rawValue: $0.key).map(configuration.hybrid.extensions.contains) ?? false
        }
    }

    /// The input of an extension this device knows; nil when it is not requested; throws 0x11 for a wrong type.
    func extensionInput<T>(
        _ identifier: AuthenticatorExtension, _ extensions: [String: CBOR.Value]?,
        _ convert: (CBOR.Value, String) throws(CBOR.AccessError) -> T
    ) throws(Refusal) -> T? {
        guard let value = extensions?[identifier.rawValue], configuration.extensions.contains(identifier) else {
            return nil
        }
        do {
            return try convert(value, "extensions.\(identifier.rawValue)")
        } catch {
            throw Refusal(error)
        }
    }

    func isRequested(
        _ identifier: AuthenticatorExtension, _ extensions: [String: CBOR.Value]?
    ) throws(Refusal) -> Bool {
        try extensionInput(identifier, extensions) { value, path throws(CBOR.AccessError) in
            try value.asBool(path)
        } ?? false
    }
}
