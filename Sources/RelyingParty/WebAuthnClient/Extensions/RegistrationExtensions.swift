internal import CBOR
internal import CTAP
internal import WebAuthn

/// The extensions of one create(): the inputs for the device and the results for the page (WebAuthn L3 §9.5).
struct RegistrationExtensions: Sendable {
    let inputs: ClientExtensionInputs
    let info: AuthenticatorInfo
    let capability: UserVerificationCapability
    let residentKey: Bool

    /// The extension inputs of one request.
    struct Request: Sendable {
        var inputs: [String: CBOR.Value] = [:]
        var prf: HMACSecretExchange?
    }

    /// Refuses inputs that create() does not support, before any command.
    static func check(_ inputs: ClientExtensionInputs) throws(WebAuthnClientError) {
        if let prf = inputs.prf { try PRFExtension.checkRegistration(prf) }
        if let largeBlob = inputs.largeBlob { try LargeBlobExtension.checkRegistration(largeBlob) }
    }

    /// Rejects a device without a required extension.
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

    func request(_ verification: UserVerification, session: Session) async throws(WebAuthnClientError) -> Request {
        var request = Request()
        func ask(_ identifier: ExtensionIdentifier, _ value: CBOR.Value?) {
            guard let value, info.supports(identifier) else { return }
            request.inputs[identifier.rawValue] = value
        }
        ask(.credProtect, inputs.credentialProtectionPolicy.map(CredProtectExtension.level))
        ask(.credBlob, inputs.credBlob.map { .bytes($0.bytes) })
        if let largeBlob = inputs.largeBlob, residentKey {
            if LargeBlobExtension.isInArray(info) {
                ask(.largeBlobKey, true)
            } else {
                ask(.largeBlob, LargeBlobExtension.registrationInput(largeBlob))
            }
        }
        ask(.minPinLength, inputs.minPinLength == true ? true : nil)
        ask(.pinComplexityPolicy, inputs.pinComplexityPolicy == true ? true : nil)
        ask(.uvm, inputs.uvm == true ? true : nil)
        ask(.thirdPartyPayment, inputs.payment?.isPayment == true ? true : nil)
        ask(.hmacSecret, inputs.prf == nil ? nil : true)
        if let values = evaluatedPRF, verification.isSome {
            let exchange = try await PRFExtension.exchange(
                values, pinProtocol: capability.pinProtocol ?? .one, session: session)
            ask(.hmacSecretAtCreation, exchange.input)
            request.prf = exchange
        }
        return request
    }

    private static func promisesLargeBlob(_ response: MakeCredentialResponse) -> Bool {
        guard case .map(let output)? = response.unsignedExtensionOutputs?[ExtensionIdentifier.largeBlob.rawValue]
        else { return false }
        return output["supported"] == true
    }

    func results(_ response: MakeCredentialResponse, _ request: Request) -> ClientExtensionResults {
        let outputs = AuthenticatorOutputs(response.authenticatorData)
        var results = ClientExtensionResults()
        if inputs.credProps == true { results.credProps = .init(rk: residentKey) }
        if inputs.prf != nil {
            results.prf = PRFOutputs(
                enabled: outputs.flag(.hmacSecret) ?? false,
                results: PRFExtension.results(outputs.bytes(.hmacSecretAtCreation), request.prf))
        }
        if inputs.largeBlob != nil {
            results.largeBlob = LargeBlobOutputs(
                supported: response.largeBlobKey != nil || Self.promisesLargeBlob(response))
        }
        if inputs.appidExclude != nil { results.appidExclude = true }
        if inputs.credBlob != nil { results.credBlob = outputs.flag(.credBlob) }
        if inputs.uvm == true { results.uvm = outputs.userVerificationMethods }
        return results
    }
}
