internal import CBOR
internal import CTAP
internal import Causes

/// The effects of a registration's extensions on the new credential, and their outputs.
struct MakeCredentialExtensions {
    var protection = CredentialProtection.userVerificationOptional
    var credBlob: [UInt8]?
    var wantsLargeBlobKey = false
    var allowsThirdPartyPayment = false
    /// The salts of hmac-secret-mc; the outputs need the new credential.
    var hmacSecret: HMACSecretInput?
    /// The salts of phones' prf; the outputs need the new credential.
    var prf: PRFRequest?
    var signingKey: SigningKeyRequest?
    var outputs = CBOR.Map()
    var unsignedOutputs = CBOR.Map()
}

extension VirtualAuthenticator {
    /// Processes the extensions of a registration (CTAP 2.3 §6.1.2 step 15, §12).
    func registrationExtensions(
        _ extensions: [String: CBOR.Value]?, relyingPartyID: String, isDiscoverable: Bool,
        _ authorization: CredentialAuthorization, _ context: CommandContext
    ) throws(Refusal) -> MakeCredentialExtensions {
        var result = MakeCredentialExtensions()
        guard let extensions = listed(extensions, context), !extensions.isEmpty else { return result }
        if let level = try requestedProtection(extensions) {
            result.protection = level
            result.outputs[AuthenticatorExtension.credProtect.rawValue] = .integer(level.rawValue)
        }
        try readCredBlob(extensions, isDiscoverable: isDiscoverable, &result)
        if try wantsLargeBlobKey(extensions) {
            try require(
                isDiscoverable,
                else: Refusal(.invalidOption, RefusalReason("largeBlobKey", .notDiscoverable, "CTAP 2.3 §12.3")))
            result.wantsLargeBlobKey = true
        }
        result.unsignedOutputs[AuthenticatorExtension.largeBlob.rawValue] = try largeBlobSupport(
            extensions, isDiscoverable: isDiscoverable)
        let mayReadPINPolicy = mayReadPINPolicy(relyingPartyID)
        if try isRequested(.minPinLength, extensions), mayReadPINPolicy {
            result.outputs[AuthenticatorExtension.minPinLength.rawValue] = .integer(state.pin.minimumLength)
        }
        if try isRequested(.pinComplexityPolicy, extensions), mayReadPINPolicy {
            result.outputs[AuthenticatorExtension.pinComplexityPolicy.rawValue] = .bool(state.pin.isComplexityEnforced)
        }
        try readHMACSecret(extensions, &result, context)
        result.prf = try prfRequest(extensions, context)
        if try isRequested(.thirdPartyPayment, extensions) {
            result.allowsThirdPartyPayment = true
            result.outputs[AuthenticatorExtension.thirdPartyPayment.rawValue] = true
        }
        result.signingKey = try signingKeyRequest(extensions)
        if try isRequested(.uvm, extensions) {
            result.outputs[AuthenticatorExtension.uvm.rawValue] = userVerificationMethods(authorization)
        }
        return result
    }

    /// credBlob: stores a blob that fits, and outputs whether it does (CTAP 2.3 §12.2).
    private func readCredBlob(
        _ extensions: [String: CBOR.Value], isDiscoverable: Bool, _ result: inout MakeCredentialExtensions
    ) throws(Refusal) {
        let blob = try extensionInput(.credBlob, extensions) { value, path throws(CBOR.AccessError) in
            try value.asBytes(path)
        }
        guard let blob else { return }
        // A credential that is not stored on the device has no place for a blob.
        let fits = isDiscoverable && blob.count <= configuration.maxCredBlobLength
        if fits { result.credBlob = blob }
        result.outputs[AuthenticatorExtension.credBlob.rawValue] = .bool(fits)
    }

    /// hmac-secret and hmac-secret-mc, of which the second needs the first (CTAP 2.3 §12.7, §12.8).
    private func readHMACSecret(
        _ extensions: [String: CBOR.Value], _ result: inout MakeCredentialExtensions, _ context: CommandContext
    ) throws(Refusal) {
        let isEnabled = try isRequested(.hmacSecret, extensions)
        if isEnabled { result.outputs[AuthenticatorExtension.hmacSecret.rawValue] = true }
        guard let input = try hmacSecretInput(.hmacSecretAtCreation, extensions, context) else { return }
        try require(
            isEnabled, else: Refusal(.missingParameter, RefusalReason("hmacSecret", .notEnabled, "CTAP 2.3 §12.8")))
        result.hmacSecret = input
    }

    private func mayReadPINPolicy(_ relyingPartyID: String) -> Bool {
        (state.pin.relyingPartyIDs ?? configuration.minPINLengthRelyingPartyIDs).contains(relyingPartyID)
    }
}
