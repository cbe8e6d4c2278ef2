import CBOR
import COSE
import CTAP
import Crypto
import TestSupport
import WebAuthn

/// A device with little state: a PIN, a sensor with a script, credentials, and a log of its requests,
/// decoded with the CTAP types.
actor FakeAuthenticator: CTAPDevice {
    /// A request as decoded by the device.
    enum Received: Hashable, Sendable {
        case getInfo
        case makeCredential(MakeCredentialRequest)
        case getAssertion(GetAssertionRequest)
        case getNextAssertion
        case selection
        case pinRetries
        case uvRetries
        case keyAgreement
        case token(PINToken)

        enum PINToken: Hashable, Sendable {
            case legacyPIN
            case pin(permissions: Int, relyingPartyID: String?)
            case sensor(permissions: Int, relyingPartyID: String?)
        }
    }

    struct Credential: Sendable {
        var id: [UInt8]
        var user: PublicKeyCredentialUserEntity
    }

    var info: AuthenticatorInfo
    var pin: [UInt8]?
    var pinRetries = 8
    var consecutiveMismatches = 0
    var uvRetries = 3
    /// The sensor's next results; it matches after the last one.
    var sensor: [Bool] = []
    var credentials: [Credential] = []
    var attestation: (format: String, statement: CBOR.Value) = ("packed", ["alg": -7, "sig": .bytes([1, 2, 3])])
    var aaguid: [UInt8] = Array(repeating: 0xA1, count: 16)
    var userSelected = false
    /// The statuses that a command returns before it succeeds.
    var refusals: [CTAPCommand: [CTAPStatus]] = [:]
    /// Answers that replace a command's own.
    var answers: [CTAPCommand: [UInt8]] = [:]
    /// Whether makeCredential and getAssertion wait for a touch that never comes.
    var touchNeverComes = false
    var failure: CTAPDeviceError?
    private(set) var log: [Received] = []
    private(set) var wasCancelled = false
    private var key = KeyAgreementKey(randomBytes: { [UInt8](repeating: 7, count: $0) })
    private let token = [UInt8](repeating: 0x5A, count: 32)
    private var tokenProtocol: PINUVAuthProtocol?
    private var pendingAssertions: [Credential] = []
    private var pendingHash: [UInt8] = []

    init(
        _ options: [String: Bool], pin: String? = nil, configure: (inout AuthenticatorInfo) -> Void = { _ in }
    ) {
        info = AuthenticatorInfo(versions: ["FIDO_2_0", "FIDO_2_1"], aaguid: .zero)
        info.options = options
        info.pinUvAuthProtocols = [2, 1]
        info.transports = [.usb, .nfc]
        configure(&info)
        self.pin = pin.map { Array(SHA256.hash(data: Array($0.utf8)).prefix(16)) }
    }

    func configure(_ body: @Sendable (isolated FakeAuthenticator) -> Void) { body(self) }

    var makeCredentials: [MakeCredentialRequest] {
        log.compactMap { if case .makeCredential(let request) = $0 { request } else { nil } }
    }

    var assertions: [GetAssertionRequest] {
        log.compactMap { if case .getAssertion(let request) = $0 { request } else { nil } }
    }

    /// The log without getInfo, retries and key agreement.
    var decisions: [Received] {
        log.filter { ![.getInfo, .pinRetries, .uvRetries, .keyAgreement].contains($0) }
    }

    func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        if let failure { throw failure }
        let command = CTAPCommand(rawValue: message.first ?? 0)
        do {
            let parameters = message.count > 1 ? try CBOR.decode(Array(message.dropFirst()), options: .ctap2) : [:]
            let answer = try await answer(command, parameters, onKeepalive)
            return [0] + (answer.map { CBOR.encode($0) } ?? [])
        } catch let refusal as Refusal {
            return [refusal.status.rawValue]
        } catch {
            return [CTAPStatus.invalidCBOR.rawValue]
        }
    }

    private func answer(
        _ command: CTAPCommand, _ parameters: CBOR.Value, _ onKeepalive: @Sendable (KeepaliveStatus) -> Void
    ) async throws -> CBOR.Value? {
        switch command {
        case .getInfo:
            log.append(.getInfo)
            try refuseByScript(command)
            return info.cbor
        case .makeCredential:
            let request = try MakeCredentialRequest(cbor: parameters)
            log.append(.makeCredential(request))
            try refuseByScript(command)
            try await waitForTouch(onKeepalive)
            if let answer = answers[command] { return try CBOR.decode(answer) }
            return try makeCredential(request).cbor
        case .getAssertion:
            let request = try GetAssertionRequest(cbor: parameters)
            log.append(.getAssertion(request))
            try refuseByScript(command)
            if request.options["up"] != false { try await waitForTouch(onKeepalive) }
            return try getAssertion(request).cbor
        case .getNextAssertion:
            log.append(.getNextAssertion)
            try refuseByScript(command)
            guard !pendingAssertions.isEmpty else { throw refused(.notAllowed) }
            return assertion(pendingAssertions.removeFirst(), pendingHash).cbor
        case .selection:
            log.append(.selection)
            try refuseByScript(command)
            return nil
        case .clientPIN:
            return try clientPIN(try ClientPINRequest(cbor: parameters)).cbor
        default:
            throw refused(.invalidCommand)
        }
    }

    private func refuseByScript(_ command: CTAPCommand) throws {
        guard let status = refusals[command]?.first else { return }
        refusals[command]?.removeFirst()
        throw refused(status)
    }

    private func refused(_ status: CTAPStatus) -> Refusal { Refusal(status, RefusalReason("fake", "status", "none")) }

    private func waitForTouch(_ onKeepalive: @Sendable (KeepaliveStatus) -> Void) async throws {
        guard touchNeverComes else { return }
        let (touches, finger) = AsyncStream<Void>.makeStream()
        onKeepalive(.userPresenceNeeded)
        for await _ in touches {}
        finger.finish()
        wasCancelled = true
        throw refused(.keepaliveCancel)
    }

    // MARK: Credentials

    private func verified(_ hash: [UInt8], _ param: [UInt8]?, _ options: [String: Bool]) throws -> Bool {
        if let param {
            guard tokenProtocol?.verify(param, over: hash, key: token) == true else { throw refused(.pinAuthInvalid) }
            return true
        }
        guard options["uv"] == true else { return false }
        guard info.option("uv") == true else { throw refused(.invalidOption) }
        guard sense() else { throw refused(pin != nil ? .puatRequired : .operationDenied) }
        return true
    }

    private func makeCredential(_ request: MakeCredentialRequest) throws -> MakeCredentialResponse {
        let verified = try verified(request.clientDataHash, request.pinUvAuthParam, request.options)
        if info.option("alwaysUv") == true, !verified { throw refused(.puatRequired) }
        try checkLength(request.excludeList)
        for excluded in request.excludeList ?? [] where credentials.contains(where: { $0.id == excluded.id }) {
            throw refused(.credentialExcluded)
        }
        let key: CBOR.Value = [1: 2, 3: -7, -1: 1, -2: .bytes(.init(repeating: 1, count: 32)), -3: .bytes([])]
        guard let model = AAGUID(bytes: aaguid) else { throw refused(.other) }
        let data = AuthenticatorData(
            relyingPartyIDHash: Array(SHA256.hash(data: Array(request.rp.id.utf8))),
            flags: verified ? [.userPresent, .userVerified] : [.userPresent], signCount: 1,
            attestedCredentialData: .init(aaguid: model, credentialID: [0xC0, 0xDE], credentialPublicKey: key))
        return MakeCredentialResponse(
            format: attestation.format, authenticatorData: data.encoded, attestationStatement: attestation.statement)
    }

    private func getAssertion(_ request: GetAssertionRequest) throws -> GetAssertionResponse {
        let verified = try verified(request.clientDataHash, request.pinUvAuthParam, request.options)
        if info.option("alwaysUv") == true, !verified, request.options["up"] != false { throw refused(.puatRequired) }
        try checkLength(request.allowList)
        let found = credentials.filter { credential in
            request.allowList.map { $0.contains { $0.id == credential.id } } ?? true
        }
        guard let first = found.first else { throw refused(.noCredentials) }
        var response = assertion(first, request.clientDataHash)
        if request.allowList == nil, found.count > 1 {
            if userSelected {
                response.userSelected = true
            } else {
                pendingAssertions = Array(found.dropFirst())
            }
            response.numberOfCredentials = found.count
            pendingHash = request.clientDataHash
        } else if request.allowList?.count == 1 {
            response.credential = nil
        }
        return response
    }

    private func assertion(_ credential: Credential, _ hash: [UInt8]) -> GetAssertionResponse {
        GetAssertionResponse(
            credential: .init(id: credential.id), authenticatorData: [0xAD], signature: hash, user: credential.user)
    }

    private func checkLength(_ list: [PublicKeyCredentialDescriptor]?) throws {
        guard let list else { return }
        if list.count > info.maxCredentialCountInList ?? .max { throw refused(.limitExceeded) }
        if list.contains(where: { $0.id.count > info.maxCredentialIdLength ?? .max }) { throw refused(.invalidLength) }
    }

    // MARK: PIN and sensor

    private func sense() -> Bool {
        let matches = sensor.isEmpty ? true : sensor.removeFirst()
        uvRetries = matches ? 3 : uvRetries - 1
        return matches
    }

    private func clientPIN(_ request: ClientPINRequest) throws -> ClientPINResponse {
        switch ClientPINSubcommand(rawValue: request.subCommand) {
        case .getPINRetries:
            log.append(.pinRetries)
            return ClientPINResponse(pinRetries: pinRetries, powerCycleState: consecutiveMismatches >= 3)
        case .getUVRetries:
            log.append(.uvRetries)
            return ClientPINResponse(uvRetries: uvRetries)
        case .getKeyAgreement:
            log.append(.keyAgreement)
            return ClientPINResponse(keyAgreement: key?.publicKey)
        case .getPinToken:
            log.append(.token(.legacyPIN))
            return try token(request, pin: true)
        case .getPinUvAuthTokenUsingPinWithPermissions:
            log.append(.token(.pin(permissions: request.permissions ?? 0, relyingPartyID: request.relyingPartyID)))
            return try token(request, pin: true)
        case .getPinUvAuthTokenUsingUvWithPermissions:
            log.append(.token(.sensor(permissions: request.permissions ?? 0, relyingPartyID: request.relyingPartyID)))
            return try token(request, pin: false)
        default:
            throw refused(.invalidSubcommand)
        }
    }

    private func token(_ request: ClientPINRequest, pin usingPIN: Bool) throws -> ClientPINResponse {
        try refuseByScript(.clientPIN)
        guard let pinProtocol = request.pinUvAuthProtocol.flatMap(PINUVAuthProtocol.init(rawValue:)),
            info.pinUvAuthProtocols?.contains(pinProtocol.rawValue) ?? true, let peer = request.keyAgreement,
            let secret = key?.sharedSecret(with: peer, protocol: pinProtocol)
        else { throw refused(.invalidParameter) }
        if usingPIN {
            guard pinRetries > 0 else { throw refused(.pinBlocked) }
            guard consecutiveMismatches < 3 else { throw refused(.pinAuthBlocked) }
            pinRetries -= 1
            guard let encrypted = request.pinHashEnc, pinProtocol.decrypt(encrypted, with: secret) == pin else {
                consecutiveMismatches += 1
                throw refused(
                    pinRetries == 0 ? .pinBlocked : consecutiveMismatches >= 3 ? .pinAuthBlocked : .pinInvalid)
            }
            pinRetries = 8
            consecutiveMismatches = 0
            uvRetries = 3
        } else {
            guard uvRetries > 0 else { throw refused(.uvBlocked) }
            guard sense() else { throw refused(uvRetries == 0 ? .uvBlocked : .uvInvalid) }
        }
        tokenProtocol = pinProtocol
        return ClientPINResponse(
            pinUvAuthToken: pinProtocol.encrypt(
                token, with: secret, initializationVector: [UInt8](repeating: 9, count: 16)))
    }
}
