internal import COSE
internal import CTAP
internal import Crypto
internal import SecurityKeys
internal import WebAuthn
internal import WebAuthnClient

/// create() and get() with libfido2 in place of a browser, as a native program does them.
struct LibraryCeremony: Sendable {
    let key: any SecurityKey
    let origin: String
    /// Asks the user for the PIN and for one of several accounts.
    let environment: ClientEnvironment
    /// Whether the key's connection takes one command, so that none searches a list.
    let takesOneCommand: Bool

    func create(_ options: CreationOptions) async throws -> RegistrationResponse {
        let clientData = CollectedClientData(
            type: CollectedClientData.createType, challenge: options.challenge.bytes, origin: origin)
        let relyingPartyID = options.rp.id ?? "localhost"
        var request = MakeCredentialRequest(
            clientDataHash: Self.hash(clientData),
            rp: PublicKeyCredentialRPEntity(id: relyingPartyID, name: options.rp.name),
            user: PublicKeyCredentialUserEntity(
                id: options.user.id.bytes, name: options.user.name, displayName: options.user.displayName),
            pubKeyCredParams: options.pubKeyCredParams.map {
                PublicKeyCredentialParameters(algorithm: COSE.Algorithm(rawValue: $0.alg))
            })
        let info = try await key.info()
        if let excluded = options.excludeCredentials, !excluded.isEmpty {
            request.excludeList = try await narrowed(excluded, of: relyingPartyID, info)
        }
        let residentKey = options.authenticatorSelection?.effectiveResidentKey ?? .discouraged
        if residentKey == .required || (residentKey == .preferred && info.option(.rk) == true) {
            request.options["rk"] = true
        }
        let isProtected = info.option(.clientPin) == true || info.option(.uv) == true
        let requirement = options.authenticatorSelection?.userVerification ?? .preferred
        let response = try await verified(requirement != .discouraged || isProtected, requirement == .required, info) {
            [request] pin, uv in try await key.makeCredential(request, pin: pin, uv: uv)
        }
        let data = try AuthenticatorData(parsing: response.authenticatorData)
        return RegistrationResponse(
            credentialID: data.attestedCredentialData?.credentialID ?? [], authenticatorAttachment: .crossPlatform,
            response: .init(
                clientDataJSON: clientData.encoded,
                attestationObject: AttestationObject(
                    format: response.format, statement: response.attestationStatement,
                    authenticatorData: response.authenticatorData
                ).encoded,
                authenticatorData: response.authenticatorData, transports: info.transports))
    }

    func get(_ options: RequestOptions) async throws -> AuthenticationResponse {
        let clientData = CollectedClientData(
            type: CollectedClientData.getType, challenge: options.challenge.bytes, origin: origin)
        var request = GetAssertionRequest(
            relyingPartyID: options.rpId ?? "localhost", clientDataHash: Self.hash(clientData), options: [:])
        let info = try await key.info()
        if let allowed = options.allowCredentials, !allowed.isEmpty {
            request.allowList = try await narrowed(allowed, of: request.relyingPartyID, info)
        }
        let requirement = options.userVerification ?? .preferred
        let assertions = try await verified(requirement != .discouraged, requirement == .required, info) {
            [request] pin, uv in try await key.getAssertions(request, pin: pin, uv: uv)
        }
        var index = 0
        if assertions.count > 1 {
            let accounts = assertions.map {
                Account(
                    relyingPartyID: request.relyingPartyID, credentialID: $0.credential?.id ?? [],
                    userHandle: $0.user?.id, name: $0.user?.name, displayName: $0.user?.displayName)
            }
            guard let chosen = await environment.chooseAccount(accounts), assertions.indices.contains(chosen) else {
                throw SecurityKeyError.unsupported("no account was chosen")
            }
            index = chosen
        }
        guard let assertion = assertions.dropFirst(index).first else { throw SecurityKeyError.refused(.noCredentials) }
        return AuthenticationResponse(
            credentialID: assertion.credential?.id ?? [], authenticatorAttachment: .crossPlatform,
            response: .init(
                clientDataJSON: clientData.encoded, authenticatorData: assertion.authenticatorData,
                signature: assertion.signature, userHandle: assertion.user?.id))
    }

    /// A list that one request can have: of a longer one the credential that the key has, found without a touch, as
    /// browsers do (CTAP 2.3 §6.4, maxCredentialCountInList).
    private func narrowed(
        _ list: [CredentialDescriptor], of relyingPartyID: String, _ info: AuthenticatorInfo
    ) async throws -> [PublicKeyCredentialDescriptor] {
        let fitting = CredentialList(list, info: info, relyingPartyID: relyingPartyID)
        if takesOneCommand { return fitting.descriptors }
        let chunks = fitting.chunks
        if chunks.count > 1 {
            for chunk in chunks {
                if let found = try await found(in: chunk, of: relyingPartyID) { return found }
            }
        }
        // Without a list the key would offer every account; one entry that the key cannot have keeps the meaning.
        return chunks.first ?? list.prefix(1).map { PublicKeyCredentialDescriptor(id: $0.id.bytes) }
    }

    /// The credential of a list that the key has; nil for none.
    private func found(
        in list: [PublicKeyCredentialDescriptor], of relyingPartyID: String
    ) async throws -> [PublicKeyCredentialDescriptor]? {
        let request = GetAssertionRequest(
            relyingPartyID: relyingPartyID, clientDataHash: [UInt8](repeating: 0, count: 32), allowList: list,
            options: ["up": false])
        do {
            let assertions = try await key.getAssertions(request, pin: nil, uv: false)
            // The answer to a list of one may omit the credential.
            return assertions.first?.credential.map { [PublicKeyCredentialDescriptor(id: $0.id)] } ?? list
        } catch {
            guard error.status == .noCredentials else { throw error }
            return nil
        }
    }

    private static func hash(_ clientData: CollectedClientData) -> [UInt8] {
        Array(SHA256.hash(data: clientData.encoded))
    }

    /// Verifies the user as browsers do: by the sensor first, by the PIN if there is no sensor or it is blocked.
    private func verified<Response: Sendable>(
        _ isWanted: Bool, _ isRequired: Bool, _ info: AuthenticatorInfo,
        _ request: @Sendable (_ pin: String?, _ uv: Bool) async throws -> Response
    ) async throws -> Response {
        let hasPIN = info.option(.clientPin) == true
        var reason = PINPrompt.Reason.required
        if info.option(.uv) == true, isWanted {
            do {
                return try await request(nil, true)
            } catch let error as SecurityKeyError {
                switch error.status {
                case .uvBlocked? where hasPIN: reason = .builtInBlocked
                case .uvInvalid? where hasPIN, .puatRequired? where hasPIN: reason = .builtInFailed
                default: throw error
                }
            }
        } else if !isWanted || (!hasPIN && !isRequired) {
            return try await request(nil, false)
        } else if !hasPIN {
            throw SecurityKeyError.unsupported(
                "the relying party requires user verification, and this key has neither PIN nor fingerprint: set a PIN")
        }
        while true {
            let prompt = PINPrompt(reason: reason, retriesLeft: try await key.pinRetries(), powerCycleNeeded: false)
            guard case .pin(let pin) = await environment.enterPIN(prompt) else {
                throw reason == .wrongPIN
                    ? SecurityKeyError.refused(.pinInvalid) : SecurityKeyError.unsupported("no PIN was entered")
            }
            do {
                return try await request(pin, false)
            } catch let error as SecurityKeyError where error.status == .pinInvalid {
                reason = .wrongPIN
            }
        }
    }
}
