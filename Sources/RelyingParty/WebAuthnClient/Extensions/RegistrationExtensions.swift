internal import CBOR
internal import CTAP
internal import WebAuthn

/// The extensions of one create(): the inputs for the device and the results for the page (WebAuthn L3 §9.5).
struct RegistrationExtensions: Sendable {
    let inputs: ClientExtensionInputs
    let info: AuthenticatorInfo
    let capability: UserVerificationCapability
    let residentKey: Bool

    /// Refuses inputs that create() does not support, before any command.
    static func check(_ inputs: ClientExtensionInputs) throws(WebAuthnClientError) {
        guard inputs.appid == nil else { throw WebAuthnClientError(.notSupportedError, .appIDInRegistration) }
        if let prf = inputs.prf { try PRFExtension.checkRegistration(prf) }
        if let largeBlob = inputs.largeBlob { try LargeBlobExtension.checkRegistration(largeBlob) }
    }

    func checkDevice() throws(WebAuthnClientError) {
        if let largeBlob = inputs.largeBlob {
            try LargeBlobExtension.checkDevice(largeBlob, info: info, residentKey: residentKey)
        }
        try CredProtectExtension.checkDevice(inputs, info: info)
    }

    /// Whether an extension needs user verification, regardless of the options.
    var needsUserVerification: Bool { evaluatedPRF != nil }

    /// The inputs of prf, if this device can evaluate it during creation.
    private var evaluatedPRF: PRFValues? {
        guard info.supports(.hmacSecret), info.supports(.hmacSecretAtCreation), capability.isConfigured else {
            return nil
        }
        return inputs.prf?.eval
    }

    func request(
        _ verification: UserVerification, session: Session
    ) async throws(WebAuthnClientError) -> ExtensionRequest {
        var request = ExtensionRequest(info)
        request.ask(.credProtect, inputs.credentialProtectionPolicy.map { .integer($0.level) })
        request.ask(.credBlob, inputs.credBlob.map { .bytes($0.bytes) })
        if let largeBlob = inputs.largeBlob, residentKey {
            if LargeBlobExtension.isInArray(info) {
                request.ask(.largeBlobKey, true)
            } else {
                request.ask(.largeBlob, LargeBlobExtension.registrationInput(largeBlob))
            }
        }
        request.ask(.minPinLength, inputs.minPinLength == true)
        request.ask(.pinComplexityPolicy, inputs.pinComplexityPolicy == true)
        request.ask(.uvm, inputs.uvm == true)
        request.ask(.thirdPartyPayment, inputs.payment?.isPayment == true)
        request.ask(.hmacSecret, inputs.prf != nil)
        request.ask(.prf, inputs.prf.map(PRFExtension.registrationInput))
        if let values = evaluatedPRF, verification.isSome, !session.takesOneCommand {
            request.prf = try await PRFExtension.exchange(
                values, pinProtocol: capability.pinProtocol ?? .one, session: session)
            request.ask(.hmacSecretAtCreation, request.prf?.input)
        }
        return request
    }

    /// Whether the credential is discoverable; nil for a device of CTAP 2.0, which may keep one that was not asked for.
    private var isDiscoverable: Bool? {
        residentKey || info.option(.rk) != true || info.isCTAP21 ? residentKey : nil
    }

    private static func promisesLargeBlob(_ response: MakeCredentialResponse) -> Bool {
        guard case .map(let output)? = response.unsignedExtensionOutputs?[ExtensionIdentifier.largeBlob.rawValue]
        else { return false }
        return output["supported"] == true
    }

    func results(_ response: MakeCredentialResponse, _ request: ExtensionRequest) -> ClientExtensionResults {
        let outputs = AuthenticatorOutputs(response.authenticatorData)
        var results = ClientExtensionResults()
        if inputs.credProps == true { results.credProps = .init(rk: isDiscoverable) }
        if inputs.prf != nil {
            let phone = PRFExtension.output(response.unsignedExtensionOutputs)
            results.prf = PRFOutputs(
                enabled: phone?.isEnabled ?? outputs.flag(.hmacSecret) ?? false,
                results: phone?.results
                    ?? PRFExtension.results(outputs.bytes(.hmacSecretAtCreation), request.prf))
        }
        if inputs.largeBlob != nil {
            results.largeBlob = LargeBlobOutputs(
                supported: response.largeBlobKey != nil || Self.promisesLargeBlob(response))
        }
        if inputs.appidExclude != nil { results.appidExclude = true }
        if inputs.credBlob != nil { results.credBlob = outputs.flag(.credBlob) ?? false }
        if inputs.uvm == true { results.uvm = outputs.userVerificationMethods }
        return results
    }
}
