import CTAPHybrid
import TestSupport
import Testing

/// A phone and another end with a tunnel service between them; nothing takes time.
struct HybridBench {
    static let routingID = "026555"
    static let info: [UInt8] = [0xA1, 0x01, 0x81, 0x68] + Array("FIDO_2_0".utf8)
    static func otherKey() throws -> HybridKey { try Sample.key(30) }

    var phone: HybridAuthenticator
    var other: HybridInitiator
    /// The answers of the device, by command.
    var answer: ([UInt8]) -> [UInt8] = { [0] + $0 }
    private(set) var phoneActions: [HybridAuthenticator.Action] = []
    private(set) var otherActions: [HybridInitiator.Action] = []
    private var phonesTunnel: TunnelRequest?

    static func code(_ change: (inout QRContents) -> Void = { _ in }) throws -> QRContents {
        var code = try QRContents(
            publicKey: try otherKey().publicKey, secret: Sample.bytes(16, seed: 31), timestamp: 1_700_000_000,
            supportsStateAssisted: true)
        change(&code)
        return code
    }

    static func configuration(
        _ faults: [HybridFault] = [], _ change: (inout PhoneConfiguration) -> Void = { _ in }
    ) throws -> PhoneConfiguration {
        var configuration = PhoneConfiguration(info: info)
        configuration.identity = try Sample.identity()
        configuration.faults = HybridFaults(faults)
        change(&configuration)
        return configuration
    }

    init(
        _ faults: [HybridFault] = [], code: QRContents? = nil,
        _ change: (inout PhoneConfiguration) -> Void = { _ in }
    ) throws {
        let code = try code ?? Self.code()
        var generator = SeededGenerator(seed: 33)
        let configuration = try Self.configuration(faults, change)
        phone = try #require(HybridAuthenticator(scanned: code, configuration) { generator.bytes($0) })
        other = HybridInitiator(
            identity: try Self.otherKey(), secret: code.secret, ephemeralKey: try Sample.key(34))
    }

    /// A phone that a link contacts.
    init(link: LinkedPhone, _ faults: [HybridFault] = []) throws {
        let nonce = Sample.bytes(16, seed: 35)
        other = HybridInitiator(
            link: link, clientNonce: nonce, operation: .getAssertion, ephemeralKey: try Sample.key(36))
        let configuration = try Self.configuration(faults)
        let payload = ClientPayload(linkID: link.linkID, clientNonce: nonce, operation: .getAssertion)
        let tunnelID = Sample.bytes(16, seed: 37)
        let routingID = try #require(RoutingID(headerValue: Self.routingID))
        let request = TunnelRequest(domain: link.domain, endpoint: .connect(routingID, tunnelID: tunnelID))
        let identity = try Sample.identity()
        var generator = SeededGenerator(seed: 38)
        phone = try #require(
            HybridAuthenticator(
                contacted: payload, request, identity: identity, configuration
            ) { generator.bytes($0) })
    }

    // MARK: Events

    /// Starts both ends.
    mutating func start() {
        perform(other.start())
        perform(phone.start())
    }

    mutating func tell(_ event: HybridInitiator.Event) { perform(other.handle(event)) }

    mutating func tell(phone event: HybridAuthenticator.Event) { perform(phone.handle(event)) }

    private mutating func perform(_ actions: [HybridInitiator.Action]) {
        otherActions += actions
        for action in actions {
            switch action {
            case .openTunnel: tell(.tunnelOpened(signalsConnection: false))
            case .send(let frame): tell(phone: .frame(frame))
            case .close: tell(phone: .tunnelClosed)
            default: break
            }
        }
    }

    private mutating func perform(_ actions: [HybridAuthenticator.Action]) {
        phoneActions += actions
        for action in actions {
            switch action {
            case .openTunnel(let request):
                phonesTunnel = request
                tell(phone: .tunnelOpened(routingID: Self.routingID))
            case .advertise(let advert): tell(.advert(advert.serviceData))
            case .send(let frame, _): tell(.frame(frame))
            case .perform(let command): tell(phone: .answer(answer(command)))
            case .close: tell(.tunnelClosed)
            default: break
            }
        }
    }

    // MARK: Results

    /// How the other end ended; nil while it is connected.
    var otherEnd: HybridEnd? {
        for case .close(let end) in otherActions { return end }
        return nil
    }

    /// How the phone ended; nil while it is connected.
    var phoneEnd: HybridEnd? {
        for case .close(let end) in phoneActions { return end }
        return nil
    }

    var delivered: [[UInt8]] {
        otherActions.compactMap { if case .deliver(let answer) = $0 { answer } else { nil } }
    }

    var links: [LinkedPhone] {
        otherActions.compactMap { if case .keep(let link) = $0 { link } else { nil } }
    }

    var ignored: [HybridRefusal] {
        otherActions.compactMap { if case .ignore(let refusal) = $0 { refusal } else { nil } }
    }

    var revision: HybridRevision? {
        for case .ready(_, let revision) in otherActions { return revision }
        return nil
    }

    var tunnels: [String] {
        let requests =
            [phonesTunnel] + otherActions.map { if case .openTunnel(let request) = $0 { request } else { nil } }
        return requests.compactMap { $0?.url }
    }
}
