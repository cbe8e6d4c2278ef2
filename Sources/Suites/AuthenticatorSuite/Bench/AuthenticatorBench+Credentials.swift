package import CBOR
package import COSE
internal import CTAP
internal import Conformance
internal import SimulatedDevice
internal import Synchronization
internal import VirtualAuthenticator
package import WebAuthn

/// A credential that the bench made.
package struct BenchCredential: Sendable {
    package let id: [UInt8]
    package let relyingPartyID: String
    package let userID: [UInt8]
    package let isDiscoverable: Bool
    package let publicKey: COSE.PublicKey
    package let authenticatorData: AuthenticatorData
    /// The hash that the attestation signs.
    package let clientDataHash: [UInt8]
    package let response: CBOR.Map

    package var descriptor: CBOR.Value { PublicKeyCredentialDescriptor(id: id).cbor }
}

/// The properties of a new credential.
package struct CredentialRequest: Sendable {
    package var relyingPartyID: String?
    package var userID: [UInt8]?
    package var userName = "conformance"
    package var isDiscoverable = false
    package var algorithms: [COSE.Algorithm]?
    package var extensions: CBOR.Map?
    package var isVerified = false

    package init(
        discoverable: Bool = false, relyingPartyID: String? = nil, userID: [UInt8]? = nil,
        algorithms: [COSE.Algorithm]? = nil, extensions: CBOR.Map? = nil, verified: Bool = false
    ) {
        isDiscoverable = discoverable
        self.relyingPartyID = relyingPartyID
        self.userID = userID
        self.algorithms = algorithms
        self.extensions = extensions
        isVerified = verified
    }
}

extension AuthenticatorBench {
    /// The relying party of the running case.
    ///
    /// Other cases, and other runs on the same key, have others.
    package var relyingPartyID: String { relyingPartyID(of: "case\(state.withLock { $0.caseNumber })") }

    /// A relying party of the run.
    ///
    /// Its ID has at most 32 bytes, except in a comparison: an authenticator may cut off a longer one (CTAP 2.3 §6.8.7).
    func relyingPartyID(of name: String) -> String {
        name + (runTag.map { "-" + $0 } ?? "") + ".conformance.example"
    }

    /// The parameters of a valid MakeCredential without authorisation, for a new account of the case's relying party.
    package func makeCredentialParameters(_ requested: CredentialRequest = CredentialRequest()) -> CBOR.Map {
        let id = requested.relyingPartyID ?? relyingPartyID
        let algorithms = requested.algorithms ?? [self.algorithms.contains(.es256) ? .es256 : self.algorithms[0]]
        var parameters: CBOR.Map = [
            1: .bytes(randomBytes(32)), 2: ["id": .text(id), "name": .text(id)],
            3: [
                "id": .bytes(requested.userID ?? randomBytes(16)), "name": .text(requested.userName),
                "displayName": .text(requested.userName),
            ], 4: .array(algorithms.map { ["alg": .integer($0.rawValue), "type": "public-key"] }),
        ]
        if let extensions = requested.extensions { parameters[6] = .map(extensions) }
        if requested.isDiscoverable { parameters[7] = ["rk": true] }
        return parameters
    }

    /// The parameters of a valid GetAssertion without authorisation.
    package func getAssertionParameters(
        _ relyingPartyID: String? = nil, allowing credentials: [BenchCredential] = []
    ) -> CBOR.Map {
        var parameters: CBOR.Map = [
            1: .text(relyingPartyID ?? credentials.first?.relyingPartyID ?? self.relyingPartyID),
            2: .bytes(randomBytes(32)),
        ]
        if !credentials.isEmpty { parameters[3] = .array(credentials.map(\.descriptor)) }
        return parameters
    }

    /// Adds the authorisation of a MakeCredential: a code of a token, or the option `uv`; nothing for a device without
    /// user verification.
    ///
    /// - Parameter verified: whether a device without user verification gets a PIN first.
    package func authorized(makeCredential parameters: CBOR.Map, verified: Bool = false) async throws -> CBOR.Map {
        guard case .bytes(let hash)? = parameters[1] else { return parameters }
        var id: String?
        if case .map(let party)? = parameters[2], case .text(let text)? = party["id"] { id = text }
        guard let authority = try await authority(.makeCredential, id, hash, verified: verified) else {
            return parameters
        }
        return authority.added(to: parameters, optionsAt: 7, parameterAt: 8)
    }

    /// Adds the authorisation of a GetAssertion with user verification.
    package func authorized(getAssertion parameters: CBOR.Map, verified: Bool = true) async throws -> CBOR.Map {
        guard case .text(let id)? = parameters[1], case .bytes(let hash)? = parameters[2],
            let authority = try await authority(.getAssertion, id, hash, verified: verified)
        else { return parameters }
        return authority.added(to: parameters, optionsAt: 5, parameterAt: 6)
    }

    private func authority(
        _ permission: PINUVAuthTokenPermissions, _ id: String?, _ hash: [UInt8], verified: Bool
    ) async throws -> Authority? {
        guard settings.comparison == nil else { return nil }
        let givesTokens = !has(.noMcGaPermissionsWithClientPin)
        if has(.uv), !(has(.clientPin) && givesTokens && pin != nil) { return .option }
        let isNeeded = verified || isProtected || has(.alwaysUv)
        guard isNeeded, info.option(.clientPin) != nil, givesTokens else { return nil }
        let token = try await clientToken(permission, relyingPartyID: id)
        return .code(token.authenticate(hash), token.pinProtocol)
    }

    /// Makes a credential; a discoverable one is deleted after the case.
    ///
    /// - Throws: `CaseStop.notRun` when the authenticator refuses or answers with something else, for which
    ///   makeCredential.plain fails.
    package func newCredential(_ requested: CredentialRequest = CredentialRequest()) async throws -> BenchCredential {
        let parameters = try await authorized(
            makeCredential: makeCredentialParameters(requested), verified: requested.isVerified)
        return try await record.preparing("the credential of the case") {
            let answer = try await send(.makeCredential, parameters)
            try require(answer, .ok, for: "a valid MakeCredential")
            if requested.isDiscoverable { state.withLock { $0.madeDiscoverable = true } }
            return try note(answer, of: parameters)
        }
    }

    /// Reads the answer to a MakeCredential; a discoverable credential is deleted after the case.
    ///
    /// - Throws: `CaseStop` when the answer is not that of a success, or its data cannot be read, for which other cases
    ///   fail.
    @discardableResult
    package func note(_ answer: AuthenticatorAnswer, of parameters: CBOR.Map) throws -> BenchCredential {
        let response = try response(answer, to: "MakeCredential")
        let bytes = try bytes(response, 2, "authData (0x02)")
        guard case .bytes(let hash)? = parameters[1], case .map(let party)? = parameters[2],
            case .text(let id)? = party["id"], case .map(let user)? = parameters[3],
            case .bytes(let userID)? = user["id"]
        else { throw CaseStop.notRun("the request of the case is incomplete") }
        let credential: BenchCredential
        do {
            let data = try AuthenticatorData(parsing: bytes)
            guard let made = data.attestedCredentialData else {
                throw CaseStop.blocked("authData has no credential, see makeCredential.data")
            }
            var isDiscoverable = false
            if case .map(let options)? = parameters[7], options["rk"] == .bool(true) { isDiscoverable = true }
            credential = BenchCredential(
                id: made.credentialID, relyingPartyID: id, userID: userID, isDiscoverable: isDiscoverable,
                publicKey: try COSE.PublicKey(cbor: made.credentialPublicKey), authenticatorData: data,
                clientDataHash: hash, response: response)
        } catch let stop as CaseStop { throw stop } catch {
            throw CaseStop.blocked("authData cannot be read, see makeCredential.data: \(error)")
        }
        if credential.isDiscoverable { state.withLock { $0.leftovers.append(credential) } }
        return credential
    }

    /// A credential that is not discoverable, which cases share: each only signs with it.
    package func sharedCredential() async throws -> BenchCredential {
        if let known = state.withLock({ $0.shared }) { return known }
        let requested = CredentialRequest(relyingPartyID: relyingPartyID(of: "shared"))
        let made = try await newCredential(requested)
        let isSilent = try? await isSilent(made)
        state.withLock { ($0.shared, $0.isSharedSilent) = (made, isSilent ?? false) }
        return made
    }

    /// Whether an assertion without user presence succeeds; a comparison of devices sends none.
    private func isSilent(_ credential: BenchCredential) async throws -> Bool {
        guard settings.comparison == nil else { return false }
        return try await assert(silently: true, allowing: [credential]).status == .ok
    }

    func deleteLeftovers() async throws {
        let leftovers = state.withLock { state in
            defer { state.leftovers = [] }
            return state.leftovers
        }
        guard !leftovers.isEmpty else { return }
        if let simulation = link.simulation {
            for credential in leftovers {
                await simulation.device.authenticator.removeCredential(credential.id)
            }
            return
        }
        guard has(.credMgmt) || has(.credentialMgmtPreview), info.option(.clientPin) != nil else { return }
        let management = CredentialManagementClient(
            client, token: try await clientToken(.credentialManagement), usesPreview: !has(.credMgmt))
        for credential in leftovers {
            do {
                try await management.delete(PublicKeyCredentialDescriptor(id: credential.id))
            } catch {
                // The case may have deleted or replaced it.
                guard error.status == .noCredentials else { throw error }
            }
        }
    }
}

/// The authorisation of a request.
private enum Authority {
    case option
    case code([UInt8], PINUVAuthProtocol)

    func added(to parameters: CBOR.Map, optionsAt options: Int, parameterAt place: Int) -> CBOR.Map {
        var parameters = parameters
        switch self {
        case .option:
            var present = CBOR.Map()
            if case .map(let map)? = parameters[options] { present = map }
            present["uv"] = true
            parameters[options] = .map(present)
        case .code(let code, let pinProtocol):
            parameters[place] = .bytes(code)
            parameters[place + 1] = .integer(pinProtocol.rawValue)
        }
        return parameters
    }
}
