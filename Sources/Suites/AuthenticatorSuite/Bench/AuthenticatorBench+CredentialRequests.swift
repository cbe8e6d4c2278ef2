internal import CBOR
internal import COSE
internal import CTAP
internal import Conformance
internal import WebAuthn

/// An assertion that the authenticator gave.
struct GivenAssertion: Sendable {
    let response: CBOR.Map
    let data: AuthenticatorData

    var outputs: CBOR.Map { data.extensions ?? [:] }
}

extension BenchCredential {
    var data: AuthenticatorData { authenticatorData }
    var outputs: CBOR.Map { authenticatorData.extensions ?? [:] }
}

extension AuthenticatorBench {
    /// A token that authorises one ceremony of the case's relying party.
    func credentialToken(
        _ permission: PINUVAuthTokenPermissions, protocol pinProtocol: PINUVAuthProtocol? = nil
    ) async throws -> HeldToken {
        has(.pinUvAuthToken)
            ? try await pinToken(permission, rpID: relyingPartyID, protocol: pinProtocol)
            : try await pinToken(nil, protocol: pinProtocol)
    }

    // MARK: Registrations

    /// A MakeCredential with this authorisation and no other.
    func makeRequest(
        _ requested: CredentialRequest = CredentialRequest(), token: HeldToken? = nil, options: CBOR.Map = [:]
    ) -> CBOR.Map {
        var request = makeCredentialParameters(requested)
        var all = options
        if requested.isDiscoverable { all["rk"] = true }
        request[0x07] = all.isEmpty ? nil : .map(all)
        return authorized(request, token, hashAt: 0x01, paramAt: 0x08)
    }

    /// Sends a MakeCredential with this authorisation and no other; a discoverable credential is deleted after the case.
    func makeAnswer(
        _ requested: CredentialRequest = CredentialRequest(), token: HeldToken? = nil, options: CBOR.Map = [:]
    ) async throws -> AuthenticatorAnswer {
        let request = makeRequest(requested, token: token, options: options)
        let answer = try await send(.makeCredential, request)
        if answer.status == .ok { _ = try? note(answer, of: request) }
        return answer
    }

    /// Makes a credential with this authorisation and no other.
    func make(
        _ requested: CredentialRequest = CredentialRequest(), token: HeldToken? = nil, options: CBOR.Map = [:]
    ) async throws -> BenchCredential {
        let request = makeRequest(requested, token: token, options: options)
        return try note(try await send(.makeCredential, request), of: request)
    }

    /// Makes a credential with the authorisation that the authenticator demands.
    func makeAny(
        extensions: CBOR.Map = [:], discoverable: Bool = false, verified: Bool = false, userID: [UInt8]? = nil,
        rpID: String? = nil
    ) async throws -> BenchCredential {
        let requested = CredentialRequest(
            discoverable: discoverable, relyingPartyID: rpID, userID: userID,
            extensions: extensions.isEmpty ? nil : extensions, verified: verified)
        return try await newCredential(requested)
    }

    /// Sends a MakeCredential with extensions and the authorisation that the authenticator demands.
    func makeAnyAnswer(
        extensions: CBOR.Map, discoverable: Bool = false, verified: Bool = false
    ) async throws -> AuthenticatorAnswer {
        let requested = CredentialRequest(discoverable: discoverable, extensions: extensions)
        let request = try await authorized(makeCredential: makeCredentialParameters(requested), verified: verified)
        let answer = try await send(.makeCredential, request)
        if answer.status == .ok { _ = try? note(answer, of: request) }
        return answer
    }

    // MARK: Assertions

    /// A GetAssertion with this authorisation and no other.
    func assertRequest(
        rpID: String? = nil, allowing credentials: [BenchCredential] = [], extensions: CBOR.Map = [:],
        options: CBOR.Map = [:], token: HeldToken? = nil
    ) -> CBOR.Map {
        var request = getAssertionParameters(rpID, allowing: credentials)
        request[0x04] = extensions.isEmpty ? nil : .map(extensions)
        request[0x05] = options.isEmpty ? nil : .map(options)
        return authorized(request, token, hashAt: 0x02, paramAt: 0x06)
    }

    /// Sends a GetAssertion with this authorisation and no other.
    func assert(
        silently: Bool = false, rpID: String? = nil, allowing credentials: [BenchCredential] = [],
        extensions: CBOR.Map = [:], options: CBOR.Map = [:], token: HeldToken? = nil
    ) async throws -> AuthenticatorAnswer {
        var options = options
        if silently { options["up"] = false }
        return try await send(
            .getAssertion,
            assertRequest(rpID: rpID, allowing: credentials, extensions: extensions, options: options, token: token))
    }

    /// An assertion with this authorisation and no other.
    func assertion(
        with credential: BenchCredential, extensions: CBOR.Map = [:], options: CBOR.Map = [:], token: HeldToken? = nil
    ) async throws -> GivenAssertion {
        try given(
            try await send(
                .getAssertion,
                assertRequest(allowing: [credential], extensions: extensions, options: options, token: token)))
    }

    /// An assertion with user verification, by the authenticator's own means.
    func verifiedAssertion(
        with credential: BenchCredential, extensions: CBOR.Map = [:]
    ) async throws -> GivenAssertion {
        let request = assertRequest(allowing: [credential], extensions: extensions)
        return try given(try await send(.getAssertion, try await authorized(getAssertion: request, verified: true)))
    }

    /// An assertion with the authorisation that the authenticator demands.
    func anyAssertion(with credential: BenchCredential, extensions: CBOR.Map = [:]) async throws -> GivenAssertion {
        has(.alwaysUv)
            ? try await verifiedAssertion(with: credential, extensions: extensions)
            : try await assertion(with: credential, extensions: extensions)
    }

    func given(_ answer: AuthenticatorAnswer) throws -> GivenAssertion {
        let response = try members(of: answer)
        let bytes = try bytes(response, 0x02, "authData (0x02)")
        do {
            return GivenAssertion(response: response, data: try AuthenticatorData(parsing: bytes))
        } catch {
            throw fail("authenticator data", seen: "\(error)")
        }
    }

    private func authorized(
        _ request: CBOR.Map, _ token: HeldToken?, hashAt hashKey: Int, paramAt paramKey: Int
    ) -> CBOR.Map {
        guard let token, case .bytes(let hash)? = request[hashKey] else { return request }
        var request = request
        request[paramKey] = .bytes(token.authenticate(hash))
        request[paramKey + 1] = .integer(token.pinProtocol.rawValue)
        return request
    }
}
