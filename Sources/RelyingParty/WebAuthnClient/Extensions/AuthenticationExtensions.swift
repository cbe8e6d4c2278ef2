internal import CBOR
internal import CTAP
internal import WebAuthn

/// The extensions of one get(): the inputs for the device and the results for the page (WebAuthn L3 §9.5).
struct AuthenticationExtensions: Sendable {
    let inputs: ClientExtensionInputs
    let info: AuthenticatorInfo
    let capability: UserVerificationCapability

    /// Refuses inputs that get() does not support, before any command.
    static func check(
        _ inputs: ClientExtensionInputs, allowCredentials: [CredentialDescriptor]
    ) throws(WebAuthnClientError) {
        if let prf = inputs.prf { try PRFExtension.checkAuthentication(prf, allowCredentials: allowCredentials) }
        if let largeBlob = inputs.largeBlob {
            try LargeBlobExtension.checkAuthentication(largeBlob, allowCredentials: allowCredentials)
        }
    }

    var permissions: PINUVAuthTokenPermissions {
        writesLargeBlob && LargeBlobExtension.isInArray(info)
            ? [.getAssertion, .largeBlobWrite] : .getAssertion
    }

    /// prf uses the function for verified users, and a device requires verification for writing (CTAP 2.3 §6.10.2).
    var needsUserVerification: Bool { capability.isConfigured && (evaluatesPRF || writesLargeBlob) }

    var dependsOnCredential: Bool { evaluatesPRF && inputs.prf?.evalByCredential?.isEmpty == false }

    private var evaluatesPRF: Bool {
        guard let prf = inputs.prf, info.supports(.hmacSecret) else { return false }
        return prf.eval != nil || prf.evalByCredential?.isEmpty == false
    }

    private var writesLargeBlob: Bool { inputs.largeBlob?.write != nil && LargeBlobExtension.isSupported(by: info) }

    /// `allowList` is the request's; empty for discoverable credentials.
    func request(
        _ verification: UserVerification, allowList: [PublicKeyCredentialDescriptor], session: Session
    ) async throws(WebAuthnClientError) -> ExtensionRequest {
        var request = ExtensionRequest(info)
        request.ask(.credBlob, inputs.getCredBlob == true)
        request.ask(.uvm, inputs.uvm == true)
        request.ask(.thirdPartyPayment, inputs.payment?.isPayment == true)
        if let largeBlob = inputs.largeBlob {
            if LargeBlobExtension.isInArray(info) {
                request.ask(.largeBlobKey, largeBlob.read == true || largeBlob.write != nil)
            } else {
                request.ask(.largeBlob, LargeBlobExtension.assertionInput(largeBlob))
            }
        }
        request.ask(.prf, inputs.prf.map(PRFExtension.authenticationInput))
        if let prf = inputs.prf, evaluatesPRF, verification.isSome, !session.takesOneCommand,
            let values = PRFExtension.values(prf, allowList: allowList)
        {
            request.prf = try await PRFExtension.exchange(
                values, pinProtocol: capability.pinProtocol ?? .one, session: session)
            request.ask(.hmacSecret, request.prf?.input)
        }
        return request
    }

    func results(_ assertion: ChosenAssertion, session: Session) async throws(WebAuthnClientError)
        -> ClientExtensionResults
    {
        let outputs = AuthenticatorOutputs(assertion.response.authenticatorData)
        var results = ClientExtensionResults()
        if inputs.prf != nil {
            results.prf = PRFOutputs(
                results: PRFExtension.output(assertion.response.unsignedExtensionOutputs)?.results
                    ?? PRFExtension.results(outputs.bytes(.hmacSecret), assertion.extensions.prf))
        }
        if let largeBlob = inputs.largeBlob, !LargeBlobExtension.isInArray(info),
            LargeBlobExtension.isWithCredential(info)
        {
            results.largeBlob = LargeBlobExtension.outputs(assertion.response.unsignedExtensionOutputs, largeBlob)
        } else if let largeBlob = inputs.largeBlob {
            results.largeBlob = try await LargeBlobExtension.perform(
                largeBlob, key: assertion.response.largeBlobKey, verification: assertion.verification, info: info,
                session: session)
        }
        if inputs.appid != nil { results.appid = assertion.isForAppID }
        if inputs.getCredBlob == true { results.getCredBlob = Base64URLBytes(outputs.bytes(.credBlob) ?? []) }
        if inputs.uvm == true { results.uvm = outputs.userVerificationMethods }
        return results
    }
}

/// The assertion for the page, with the verification and extension inputs of its request.
struct ChosenAssertion: Sendable {
    let response: GetAssertionResponse
    let extensions: ExtensionRequest
    let verification: UserVerification
    let isForAppID: Bool
}
