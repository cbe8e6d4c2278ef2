internal import CBOR
internal import CTAP
internal import Causes

/// The data all assertions of one request share.
struct AssertionTerms: Sendable {
    let clientDataHash: [UInt8]
    let userPresent: Bool
    let userVerified: Bool
    let extensions: AssertionExtensions
}

/// The requests of an assertion's extensions.
struct AssertionExtensions: Sendable {
    var hmacSecret: HMACSecretInput?
    var wantsCredBlob = false
    var wantsLargeBlobKey = false
    var wantsThirdPartyPayment = false
    var largeBlob: LargeBlobAct?
    /// The salts of phones' prf.
    var prf: PRFRequest?
    var signature: SignatureRequest?
    /// The uvm output, the same in every assertion.
    var userVerificationMethods: CBOR.Value?
}

extension VirtualAuthenticator {
    /// Processes the extensions of an assertion (CTAP 2.3 §6.2.2 step 10, §12).
    func assertionExtensions(
        _ extensions: [String: CBOR.Value]?, namedCredentials: Int, userPresent: Bool, signature: SignatureRequest?,
        _ authorization: CredentialAuthorization, _ context: CommandContext
    ) throws(Refusal) -> AssertionExtensions {
        var result = AssertionExtensions(signature: signature)
        guard let extensions = listed(extensions, context), !extensions.isEmpty else { return result }
        result.wantsCredBlob = try isRequested(.credBlob, extensions)
        result.wantsLargeBlobKey = try wantsLargeBlobKey(extensions)
        result.wantsThirdPartyPayment = try isRequested(.thirdPartyPayment, extensions)
        result.largeBlob = try largeBlobAct(extensions, namedCredentials: namedCredentials)
        result.hmacSecret = try hmacSecretInput(.hmacSecret, extensions, context)
        result.prf = try prfRequest(extensions, context)
        if result.hmacSecret != nil, !userPresent {
            throw Refusal(.unsupportedOption, RefusalReason("hmacSecret", .upFalse, "CTAP 2.3 §12.7"))
        }
        if try isRequested(.uvm, extensions) {
            result.userVerificationMethods = userVerificationMethods(authorization)
        }
        return result
    }

    func extensionOutputs(of credential: StoredCredential, _ terms: AssertionTerms) throws(Refusal) -> CBOR.Map? {
        let wanted = terms.extensions
        var outputs = CBOR.Map()
        if wanted.wantsCredBlob {
            outputs[AuthenticatorExtension.credBlob.rawValue] = .bytes(credential.credBlob ?? [])
        }
        if let input = wanted.hmacSecret {
            outputs[AuthenticatorExtension.hmacSecret.rawValue] = try hmacSecretOutput(
                input, of: credential, userVerified: terms.userVerified)
        }
        if wanted.wantsThirdPartyPayment {
            outputs[AuthenticatorExtension.thirdPartyPayment.rawValue] = .bool(credential.allowsThirdPartyPayment)
        }
        if let request = wanted.signature {
            outputs[AuthenticatorExtension.previewSign.rawValue] = try signature(request, beside: credential, terms)
        }
        outputs[AuthenticatorExtension.uvm.rawValue] = wanted.userVerificationMethods
        return outputs.isEmpty ? nil : outputs
    }
}
