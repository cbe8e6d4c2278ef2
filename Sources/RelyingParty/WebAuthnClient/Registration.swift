internal import CBOR
internal import COSE
internal import CTAP
internal import WebAuthn

/// create(): the steps of WebAuthn L3 §5.1.3, in order.
struct Registration: Sendable {
    let options: CreationOptions
    let caller: Caller
    let attachment: AuthenticatorAttachment
    let session: Session
    /// Whether no prompt asks the user (mediation `conditional`).
    var isConditional = false

    func perform() async throws(WebAuthnClientError) -> RegistrationResponse {
        guard (1...64).contains(options.user.id.bytes.count) else {
            throw WebAuthnClientError(
                .typeError, .userIDLength, detail: "user.id has \(options.user.id.bytes.count) bytes, not 1 to 64")
        }
        let relyingPartyID = try caller.origin.relyingPartyID(claiming: options.rp.id)
        let appIDExclude = try inputs.appidExclude.map(caller.origin.appID)
        let algorithms = try acceptableAlgorithms()
        try RegistrationExtensions.check(inputs)
        let clientData = caller.clientData(CollectedClientData.createType, challenge: options.challenge.bytes)

        let info = try await session.send { client async throws(AuthenticatorClient.Failure) in
            try await client.getInfo()
        }
        guard isEligible else { throw WebAuthnClientError(.notAllowedError, .attachmentMismatch) }
        let residentKey = try residentKey(info)
        let extensions = RegistrationExtensions(
            inputs: inputs, info: info, capability: UserVerificationCapability(info), residentKey: residentKey)
        try extensions.checkDevice()
        if let appIDExclude {
            try await AppIDExtension.checkExcluded(
                options.excludeCredentials ?? [], appID: appIDExclude, info: info, session: session)
        }
        let conveyance = try await conveyance(relyingPartyID)

        var request = MakeCredentialRequest(
            clientDataHash: clientData.hash, rp: PublicKeyCredentialRPEntity(id: relyingPartyID, name: options.rp.name),
            user: PublicKeyCredentialUserEntity(
                id: options.user.id.bytes, name: options.user.name, displayName: options.user.displayName),
            pubKeyCredParams: algorithms)
        if conveyance == .enterprise, info.option(.ep) == true { request.enterpriseAttestation = 1 }
        if conveyance != .none, info.attestationFormats != nil, let formats = options.attestationFormats {
            request.attestationFormatsPreference = formats.isEmpty ? nil : formats
        }
        let (response, results) = try await send(request, extensions)
        return try registrationResponse(
            response, results, conveyance: conveyance, clientDataJSON: clientData.json, info: info)
    }

    private var inputs: ClientExtensionInputs { options.extensions ?? ClientExtensionInputs() }

    /// The acceptable key types, most preferred first; an empty list means ES256 and RS256.
    private func acceptableAlgorithms() throws(WebAuthnClientError) -> [PublicKeyCredentialParameters] {
        guard !options.pubKeyCredParams.isEmpty else { return [.init(algorithm: .es256), .init(algorithm: .rs256)] }
        let known = options.pubKeyCredParams.filter { $0.type == "public-key" }
        guard !known.isEmpty else { throw WebAuthnClientError(.notSupportedError, .noKnownCredentialType) }
        return known.map { PublicKeyCredentialParameters(algorithm: COSE.Algorithm(rawValue: $0.alg)) }
    }

    /// Whether the device has the wanted attachment; hints take precedence over the attachment (WebAuthn L3 §5.8.7).
    private var isEligible: Bool {
        guard let wanted = options.authenticatorSelection?.authenticatorAttachment, wanted != attachment else {
            return true
        }
        let ours = attachment == .platform ? ["client-device"] : ["security-key", "hybrid"]
        return options.hints.map { hints in hints.contains(where: ours.contains) } ?? false
    }

    private func residentKey(_ info: AuthenticatorInfo) throws(WebAuthnClientError) -> Bool {
        let isCapable = info.option(.rk) == true
        switch options.authenticatorSelection?.effectiveResidentKey ?? .discouraged {
        case .required:
            guard isCapable else { throw WebAuthnClientError(.constraintError, .residentKeyUnsupported) }
            return true
        case .preferred: return isCapable
        case .discouraged: return false
        }
    }

    private func conveyance(_ relyingPartyID: String) async throws(WebAuthnClientError)
        -> AttestationConveyancePreference
    {
        let conveyance = options.attestation ?? .none
        guard conveyance != .none else { return .none }
        return try await session.ask { await $0.consentToAttestation(relyingPartyID) } ? conveyance : .none
    }

    private func send(
        _ base: MakeCredentialRequest, _ extensions: RegistrationExtensions
    ) async throws(WebAuthnClientError) -> (MakeCredentialResponse, ClientExtensionResults) {
        let info = extensions.info
        let residentKey = extensions.residentKey
        let relyingPartyID = base.rp.id
        let excluded = CredentialList(options.excludeCredentials ?? [], info: info, relyingPartyID: relyingPartyID)
        let capability = extensions.capability
        let verifier = UserVerifier(
            session: session, capability: capability,
            // Excluded credentials are searched for with getAssertion.
            permissions: excluded.descriptors.isEmpty ? .makeCredential : [.makeCredential, .getAssertion],
            relyingPartyID: relyingPartyID, isPlatform: attachment == .platform)
        let preference = options.authenticatorSelection?.userVerification ?? .preferred
        if isConditional, preference == .required {
            throw WebAuthnClientError(.constraintError, .userVerificationUnavailable)
        }
        let wanted =
            capability.isWanted(preference, .create, residentKey: residentKey) || extensions.needsUserVerification
        return try await verifier.perform(wanted: wanted && !isConditional) {
            verification async throws(WebAuthnClientError) -> (MakeCredentialResponse, ClientExtensionResults) in
            var request = base
            let list = try await excluded.narrowed(
                relyingPartyID: relyingPartyID, verification: verification, session: session)
            request.excludeList = list.isEmpty ? nil : list
            request.options = verification.options
            if residentKey { request.options["rk"] = true }
            if isConditional { request.options["up"] = false }
            let parameters = verification.parameters(over: request.clientDataHash)
            request.pinUvAuthParam = parameters?.param
            request.pinUvAuthProtocol = parameters?.pinProtocol
            let extended = try await extensions.request(verification, session: session)
            if !extended.inputs.isEmpty { request.extensions = extended.inputs }
            let message = request
            let response = try await session.send { client async throws(AuthenticatorClient.Failure) in
                try await client.makeCredential(message)
            }
            return (response, extensions.results(response, extended))
        }
    }

    private func credential(in data: [UInt8]) throws(WebAuthnClientError) -> (id: [UInt8], key: CBOR.Value?) {
        let problem: String
        do {
            if let attested = try AuthenticatorData(parsing: data).attestedCredentialData {
                return (attested.credentialID, attested.credentialPublicKey)
            }
            problem = "no attested credential data"
        } catch {
            problem = error.description
        }
        guard session.environment.passesMalformedData else {
            throw WebAuthnClientError(.unknownError, .invalidResponse, detail: problem)
        }
        // The ID follows the 37-byte head, the AAGUID and two bytes of length; the flags are ignored.
        let length = data.count >= 55 ? Int(data[53]) << 8 | Int(data[54]) : 0
        return (Array(data.dropFirst(55).prefix(length)), nil)
    }

    /// The page's response; flags, hashes and signatures are left for the relying party to check.
    private func registrationResponse(
        _ response: MakeCredentialResponse, _ results: ClientExtensionResults,
        conveyance: AttestationConveyancePreference, clientDataJSON: [UInt8], info: AuthenticatorInfo
    ) throws(WebAuthnClientError) -> RegistrationResponse {
        let (credentialID, key) = try credential(in: response.authenticatorData)
        var algorithm: Int?
        if case .map(let parameters)? = key { algorithm = try? parameters[3]?.asInteger("alg") }
        let transports = info.transports ?? (attachment == .platform ? [.internal] : [])
        return RegistrationResponse(
            credentialID: credentialID, authenticatorAttachment: attachment, clientExtensionResults: results,
            response: .init(
                clientDataJSON: clientDataJSON,
                attestationObject: response.attestationObject(for: conveyance).encoded,
                authenticatorData: response.authenticatorData,
                transports: Set(transports).sorted { $0.rawValue < $1.rawValue },
                publicKey: key.flatMap { try? COSE.PublicKey(cbor: $0) }?.subjectPublicKeyInfo,
                publicKeyAlgorithm: algorithm))
    }
}
