import Biometrics
import CBOR
import COSE
import CTAP
import SampleGates
import Synchronization
import Testing
import VirtualAuthenticator
import WebAuthn

/// A device on a simulated clock, with a scripted user and a log of its events.
struct Bench: Sendable {
    /// Records the authenticator's events and the keepalives.
    final class Log: Sendable {
        private let events = Mutex<[AuthenticatorEvent]>([])
        private let statuses = Mutex<[KeepaliveStatus]>([])

        func append(_ event: AuthenticatorEvent) { events.withLock { $0.append(event) } }
        func hear(_ status: KeepaliveStatus) { statuses.withLock { $0.append(status) } }

        var all: [AuthenticatorEvent] { events.withLock { $0 } }
        var keepalives: [KeepaliveStatus] { statuses.withLock { $0 } }

        /// The counter values in the log.
        var counters: [UInt32] {
            all.compactMap { if case .counter(let value) = $0.kind { value } else { nil } }
        }

        func lastReason(from start: Int) -> String? {
            let answers = all.dropFirst(start).compactMap { event -> Refusal?? in
                if case .answer(_, _, let refusal) = event.kind { refusal } else { nil }
            }
            return answers.last.flatMap { $0 }?.reason.label
        }
    }

    static let rpID = "example.com"
    static let hash = [UInt8](repeating: 0xC0, count: 32)
    static let pin = "271828"

    let clock: SimulatedClock
    let person: ScriptedUser
    let log: Log
    let device: VirtualAuthenticator

    /// A security key that supports a client PIN, with the changes of `change`.
    init(
        gate: UserVerificationGate? = nil, person other: (any User)? = nil, seed: UInt64 = 1,
        storage: (any AuthenticatorStorage)? = nil,
        _ change: (inout AuthenticatorConfiguration) -> Void = { _ in }
    ) {
        var configuration = AuthenticatorConfiguration()
        configuration.supportsClientPIN = true
        configuration.algorithms = [.es256, .edDSA]
        configuration.transports = [.usb]
        change(&configuration)
        clock = SimulatedClock()
        log = Log()
        person = ScriptedUser(clock: clock)
        device = VirtualAuthenticator(
            configuration: configuration,
            environment: Environment(
                time: clock, random: SeededRandomSource(seed: seed), user: other ?? person, storage: storage,
                record: log.append),
            gate: gate)
    }

    // MARK: Requests

    func send(_ message: [UInt8]) async -> Answer {
        let start = log.all.count
        let bytes = await device.transceive(message, onKeepalive: log.hear)
        return Answer(bytes: bytes, reason: log.lastReason(from: start))
    }

    func send(_ command: CTAPCommand, _ parameters: CBOR.Value? = nil) async -> Answer {
        await send([command.rawValue] + (parameters.map { CBOR.encode($0) } ?? []))
    }

    static func makeRequest(_ change: (inout MakeCredentialRequest) throws -> Void) rethrows
        -> MakeCredentialRequest
    {
        var request = MakeCredentialRequest(
            clientDataHash: hash, rp: PublicKeyCredentialRPEntity(id: rpID),
            user: PublicKeyCredentialUserEntity(id: [1], name: "ada", displayName: "Ada"),
            pubKeyCredParams: [PublicKeyCredentialParameters(algorithm: .es256)])
        try change(&request)
        return request
    }

    static func getRequest(_ change: (inout GetAssertionRequest) throws -> Void) rethrows
        -> GetAssertionRequest
    {
        var request = GetAssertionRequest(relyingPartyID: rpID, clientDataHash: hash)
        try change(&request)
        return request
    }

    @discardableResult
    func make(_ change: (inout MakeCredentialRequest) throws -> Void) async rethrows -> Answer {
        await send(.makeCredential, try Self.makeRequest(change).cbor)
    }

    func get(_ change: (inout GetAssertionRequest) throws -> Void) async rethrows -> Answer {
        await send(.getAssertion, try Self.getRequest(change).cbor)
    }

    @discardableResult
    func make() async -> Answer { await make { _ in } }

    func get() async -> Answer { await get { _ in } }

    func next() async -> Answer { await send(.getNextAssertion) }

    func info() async -> AuthenticatorInfo { await device.info() }

    func option(_ identifier: String) async -> Bool? { await device.info().option(identifier) }

    // MARK: PIN

    /// The device's preferred protocol.
    var favouriteProtocol: PINUVAuthProtocol { device.configuration.pinUvAuthProtocols.first ?? .two }

    func pins(_ pinProtocol: PINUVAuthProtocol? = nil) -> PINClient {
        PINClient(
            AuthenticatorClient(device), protocol: pinProtocol ?? favouriteProtocol,
            randomBytes: SeededRandomSource(seed: 7).bytes)
    }

    func setPIN() async throws { try await pins().setPIN(Self.pin) }

    /// The result of several requests of a client.
    func told(_ body: () async throws -> Void) async throws -> Told {
        let start = log.all.count
        do {
            try await body()
            return .ok
        } catch let error as AuthenticatorClient.Failure {
            return Told(try #require(error.status), log.lastReason(from: start))
        }
    }

    /// A clientPIN request with a fresh key agreement, before `change`.
    func clientPIN(
        _ subcommand: ClientPINSubcommand, _ pinProtocol: PINUVAuthProtocol = .two,
        _ change: (inout ClientPINRequest, PINUVAuthProtocol.SharedSecret) throws -> Void = { _, _ in }
    ) async throws -> Answer {
        let agreement = ClientPINRequest(subCommand: .getKeyAgreement, pinUvAuthProtocol: pinProtocol.rawValue)
        let response = try await ClientPINResponse(cbor: send(.clientPIN, agreement.cbor).value())
        let key = try #require(KeyAgreementKey { [UInt8](repeating: 0x21, count: $0) })
        let peer = try #require(response.keyAgreement)
        let secret = try #require(key.sharedSecret(with: peer, protocol: pinProtocol))
        var request = ClientPINRequest(subCommand: subcommand, pinUvAuthProtocol: pinProtocol.rawValue)
        request.keyAgreement = key.publicKey
        try change(&request, secret)
        return await send(.clientPIN, request.cbor)
    }

    func wrongPIN(_ pinProtocol: PINUVAuthProtocol = .two) async throws -> Told {
        try await told { _ = try await pins(pinProtocol).token(pin: "000000", permissions: nil) }
    }

    func token(
        _ pinProtocol: PINUVAuthProtocol? = nil,
        permissions: PINUVAuthTokenPermissions? = [.makeCredential, .getAssertion], rpID: String? = Bench.rpID
    ) async throws -> PINClient.Token {
        // Devices before CTAP 2.1 have no permissions; a token covers everything.
        let permissions = device.configuration.supportsPinUvAuthToken ? permissions : nil
        return try await pins(pinProtocol).token(
            pin: Self.pin, permissions: permissions, relyingPartyID: permissions == nil ? nil : rpID)
    }
}

extension MakeCredentialRequest {
    mutating func authenticate(_ token: PINClient.Token) {
        pinUvAuthParam = token.authenticate(clientDataHash)
        pinUvAuthProtocol = token.pinProtocol.rawValue
    }
}

extension GetAssertionRequest {
    mutating func authenticate(_ token: PINClient.Token) {
        pinUvAuthParam = token.authenticate(clientDataHash)
        pinUvAuthProtocol = token.pinProtocol.rawValue
    }
}

/// The gates of the tests.
enum Gates {
    private static func finger(enrolled: Bool) -> BiometricSensor {
        BiometricSensor(
            modality: .fingerprint, templates: enrolled ? [BiometricTemplate(id: [1], name: "thumb")] : [])
    }

    /// A security key's sensor with three retries and one attempt for each command.
    static func key(enrolled: Bool = true, tries: Int = 3, each: Int = 1) throws -> UserVerificationGate {
        UserVerificationGate(
            policy: try .securityKeyFingerprint(maxUVRetries: tries, internalRetries: each),
            sensor: finger(enrolled: enrolled), deviceCredential: nil)
    }

    /// A phone's face sensor with a passcode.
    static var phone: UserVerificationGate {
        UserVerificationGate(
            policy: .iOSFaceID,
            sensor: BiometricSensor(modality: .face, templates: [BiometricTemplate(id: [1], name: "owner")]),
            deviceCredential: DeviceCredential(kind: .passcode))
    }
}

extension VirtualAuthenticator {
    /// The answer to a request over a named transport, or over an unnamed one.
    func transceive(
        _ message: [UInt8], over transport: AuthenticatorTransport?,
        onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async -> [UInt8] {
        guard let transport else { return await transceive(message, onKeepalive: onKeepalive) }
        return (try? await reached(over: transport).transceive(message, onKeepalive: onKeepalive)) ?? []
    }

    /// The answer to a U2F message over a named transport.
    func answerU2F(_ apdu: [UInt8], over transport: AuthenticatorTransport) async -> [UInt8] {
        (try? await reached(over: transport).answerU2F(apdu)) ?? []
    }
}
