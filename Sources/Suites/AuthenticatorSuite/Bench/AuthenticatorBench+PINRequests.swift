internal import CBOR
internal import COSE
internal import CTAP
internal import Conformance
internal import Synchronization

extension AuthenticatorBench {
    /// Agrees on a secret with the authenticator, which prepares a case.
    ///
    /// - Throws: `CaseStop.notRun` for a refusal and an unusable key, for which the cases about key agreement fail.
    func agree(_ pinProtocol: PINUVAuthProtocol) async throws -> AgreedSecret {
        try await record.preparing("the key agreement of the case") { try await keyAgreement(pinProtocol) }
    }

    /// Agrees on a secret with the authenticator (CTAP 2.3 §6.5.5.4).
    func keyAgreement(_ pinProtocol: PINUVAuthProtocol) async throws -> AgreedSecret {
        let peer = try await keyAgreementKey(pinProtocol)
        guard let key = KeyAgreementKey(randomBytes: randomBytes),
            let secret = key.sharedSecret(with: peer, protocol: pinProtocol)
        else { throw fail("a key agreement key on P-256", seen: "\(peer)", clause: .ctap("6.5.6")) }
        return AgreedSecret(
            pinProtocol: pinProtocol, platformKey: key.publicKey, secret: secret, randomBytes: randomBytes)
    }

    func keyAgreementKey(_ pinProtocol: PINUVAuthProtocol) async throws -> CBOR.Value {
        let members = try await accept(.clientPIN, request(.getKeyAgreement, pinProtocol), clause: .ctap("6.5.5.4"))
        guard let key = members[0x01] else {
            throw fail("keyAgreement (0x01)", seen: "no such member", clause: .ctap("6.5.5.4"))
        }
        return key
    }

    // MARK: Requests

    func request(_ subcommand: ClientPINSubcommand, _ pinProtocol: PINUVAuthProtocol? = nil) -> CBOR.Map {
        var map: CBOR.Map = [0x02: .integer(subcommand.rawValue)]
        if let pinProtocol { map[PINMember.pinUvAuthProtocol] = .integer(pinProtocol.rawValue) }
        return map
    }

    /// setPIN with the bytes of a PIN.
    func setPINRequest(_ agreed: AgreedSecret, _ pin: [UInt8], paddedTo length: Int = 64) throws(CaseStop) -> CBOR.Map {
        let newPinEnc = try agreed.newPinEnc(pin, paddedTo: length)
        var map = request(.setPIN, agreed.pinProtocol)
        map[PINMember.keyAgreement] = agreed.platformKey
        map[PINMember.newPinEnc] = .bytes(newPinEnc)
        map[PINMember.pinUvAuthParam] = .bytes(agreed.authenticate(newPinEnc))
        return map
    }

    /// changePIN from a PIN to the bytes of another.
    func changePINRequest(
        _ agreed: AgreedSecret, from current: String, to pin: [UInt8], paddedTo length: Int = 64
    ) throws(CaseStop) -> CBOR.Map {
        let newPinEnc = try agreed.newPinEnc(pin, paddedTo: length)
        let pinHashEnc = try agreed.pinHashEnc(current)
        var map = request(.changePIN, agreed.pinProtocol)
        map[PINMember.keyAgreement] = agreed.platformKey
        map[PINMember.newPinEnc] = .bytes(newPinEnc)
        map[PINMember.pinHashEnc] = .bytes(pinHashEnc)
        map[PINMember.pinUvAuthParam] = .bytes(agreed.authenticate(newPinEnc + pinHashEnc))
        return map
    }

    /// getPinToken, or with permissions getPinUvAuthTokenUsingPinWithPermissions.
    func tokenRequest(
        _ agreed: AgreedSecret, pin: String, permissions: PINUVAuthTokenPermissions? = nil, rpID: String? = nil
    ) throws(CaseStop) -> CBOR.Map {
        var map = request(
            permissions == nil ? .getPinToken : .getPinUvAuthTokenUsingPinWithPermissions, agreed.pinProtocol)
        map[PINMember.keyAgreement] = agreed.platformKey
        map[PINMember.pinHashEnc] = .bytes(try agreed.pinHashEnc(pin))
        map[PINMember.permissions] = permissions.map { .integer(Int($0.rawValue)) }
        map[PINMember.rpID] = rpID.map(CBOR.Value.text)
        return map
    }

    /// getPinUvAuthTokenUsingUvWithPermissions.
    func tokenRequest(
        _ agreed: AgreedSecret, byUV permissions: PINUVAuthTokenPermissions, rpID: String? = nil
    ) -> CBOR.Map {
        var map = request(.getPinUvAuthTokenUsingUvWithPermissions, agreed.pinProtocol)
        map[PINMember.keyAgreement] = agreed.platformKey
        map[PINMember.permissions] = .integer(Int(permissions.rawValue))
        map[PINMember.rpID] = rpID.map(CBOR.Value.text)
        return map
    }

    // MARK: Tokens

    func token(in members: CBOR.Map, _ agreed: AgreedSecret) throws(CaseStop) -> HeldToken {
        let encrypted = try bytes(members, 0x02, "pinUvAuthToken")
        guard let token = agreed.pinProtocol.decrypt(encrypted, with: agreed.secret) else {
            throw fail("a pinUvAuthToken that decrypts", seen: "\(encrypted.count) bytes")
        }
        return HeldToken(pinProtocol: agreed.pinProtocol, bytes: token)
    }

    /// A token for the PIN that is set, which prepares a case; without permissions it is getPinToken's.
    ///
    /// - Throws: `CaseStop.notRun` for a refusal, for which the cases about tokens fail.
    func pinToken(
        _ permissions: PINUVAuthTokenPermissions?, rpID: String? = nil, protocol pinProtocol: PINUVAuthProtocol? = nil
    ) async throws -> HeldToken {
        try await record.preparing("the token of the case") {
            try await givenToken(permissions, rpID: rpID, protocol: try pinProtocol ?? preferredProtocol)
        }
    }

    /// A token for the PIN that is set, where a case is about the token itself.
    func givenToken(
        _ permissions: PINUVAuthTokenPermissions?, rpID: String? = nil, protocol pinProtocol: PINUVAuthProtocol
    ) async throws -> HeldToken {
        let agreed = try await agree(pinProtocol)
        let request = try tokenRequest(agreed, pin: try knownPIN, permissions: permissions, rpID: rpID)
        return try token(in: try await accept(.clientPIN, request), agreed)
    }

    func uvToken(
        _ permissions: PINUVAuthTokenPermissions, rpID: String? = nil, protocol pinProtocol: PINUVAuthProtocol? = nil
    ) async throws -> HeldToken {
        let agreed = try await agree(pinProtocol ?? preferredProtocol)
        return try token(in: try await accept(.clientPIN, tokenRequest(agreed, byUV: permissions, rpID: rpID)), agreed)
    }

    /// A token of a management command: by permission where the authenticator has permissions, by getPinToken where it
    /// has none, and nil while no user verification is set up.
    func managementToken(_ permissions: PINUVAuthTokenPermissions, rpID: String? = nil) async throws -> HeldToken? {
        let info = try await readInfo()
        guard info.option(.clientPin) == true else { return nil }
        return try await pinToken(info.option(.pinUvAuthToken) == true ? permissions : nil, rpID: rpID)
    }

    // MARK: Retries

    /// getPINRetries with a PIN/UV auth protocol, as clients send it: CTAP 2.0 requires one, and later versions ignore it.
    var retriesRequest: CBOR.Map { request(.getPINRetries, pinProtocols.first) }

    /// pinRetries and powerCycleState.
    func pinRetries() async throws -> (retries: Int, powerCycleState: Bool) {
        let members = try await accept(.clientPIN, retriesRequest, clause: .ctap("6.5.5.2"))
        return (try number(members, 0x03, "pinRetries"), members[0x04] == true)
    }

    /// Performs a request, and notes a deviation where it cost a retry of the PIN.
    func keepingRetries(_ request: () async throws -> Void) async throws {
        let before = try await pinRetries().retries
        try await request()
        let after = try await pinRetries().retries
        expect(after == before, "\(before) retries", seen: "\(after)")
    }

    func uvRetries() async throws -> Int {
        try number(try await accept(.clientPIN, request(.getUVRetries)), 0x05, "uvRetries")
    }

    /// Presents a PIN; the answer is the token's or the refusal.
    func present(
        _ pin: String, _ pinProtocol: PINUVAuthProtocol? = nil, permissions: PINUVAuthTokenPermissions? = nil,
        rpID: String? = nil
    ) async throws -> AuthenticatorAnswer {
        let agreed = try await agree(pinProtocol ?? preferredProtocol)
        let answer = try await send(
            .clientPIN, try tokenRequest(agreed, pin: pin, permissions: permissions, rpID: rpID))
        if answer.status == .ok { state.withLock { $0.hasHadToken = true } }
        return answer
    }

    /// Sets a first PIN; the answer is empty or the refusal.
    func setPIN(_ pin: [UInt8], _ pinProtocol: PINUVAuthProtocol, paddedTo length: Int = 64) async throws
        -> AuthenticatorAnswer
    {
        let answer = try await send(
            .clientPIN, try setPINRequest(try await agree(pinProtocol), pin, paddedTo: length))
        if answer.status == .ok, pin.allSatisfy({ $0 < 0x80 }) { notePIN(String(decoding: pin, as: UTF8.self)) }
        return answer
    }
}
