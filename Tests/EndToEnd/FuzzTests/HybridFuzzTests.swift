import CTAPHybrid
import TestSupport
import Testing

/// Damaged QR codes, adverts, handshake messages and frames; each is read or refused, and none traps.
///
/// 200,000 inputs in `make test`, and twice as many as to the commands in `make verify`, `make fuzz` and `make soak`.
@Suite("Malformed input to the hybrid transport", .serialized)
struct HybridFuzzTests {
    private static func rounds(_ share: Int) -> Int { max(share, Fuzzing.rounds(2 * share)) }

    private static func key(_ seed: UInt64) throws -> HybridKey {
        var generator = SeededGenerator(seed: seed)
        return try #require(HybridKey { generator.bytes($0) })
    }

    private static func code() throws -> QRContents {
        try QRContents(
            publicKey: key(1).publicKey, secret: [UInt8](0..<16), timestamp: 1_700_000_000,
            supportsStateAssisted: true, keySix: .channels([.webSocket]))
    }

    private static func phone() throws -> HybridAuthenticator {
        var generator = SeededGenerator(seed: 2)
        var configuration = PhoneConfiguration(info: [0xA0])
        configuration.faults = HybridFaults([.furtherCommands])
        return try #require(HybridAuthenticator(scanned: try code(), configuration) { generator.bytes($0) })
    }

    @Test func textsOfCodesAreReadOrRefused() throws {
        var (generator, readable) = (Fuzzing.generator(200), 0)
        let good = Array(try Self.code().text.utf8)
        for _ in 0..<Self.rounds(40_000) {
            let text = String(decoding: Mutation.mutated(good, &generator), as: UTF8.self)
            guard let contents = try? QRContents(text: text) else { continue }
            readable += 1
            if try QRContents(text: contents.text) != contents { Issue.record("\(text) is another code when written") }
        }
        #expect(readable > 0)
    }

    @Test func contentsOfCodesAreReadOrRefused() throws {
        var (generator, readable) = (Fuzzing.generator(201), 0)
        let good = try Self.code().encoded
        for _ in 0..<Self.rounds(40_000) {
            let bytes = Mutation.mutated(good, &generator)
            guard let contents = try? QRContents(encoded: bytes) else { continue }
            readable += 1
            if try QRContents(encoded: contents.encoded) != contents {
                Issue.record("\(bytes.hex) is another code when written")
            }
        }
        #expect(readable > 0)
    }

    @Test func advertsAreReadOrRefused() throws {
        var (generator, readable) = (Fuzzing.generator(202), 0)
        let key = EIDKey(secret: [UInt8](0..<16))
        let plaintext = try #require(AdvertPlaintext(uncheckedBytes: [0] + [UInt8](1..<16)))
        let good = key.seal(plaintext) + AdvertSuffix(bluetoothPSM: 0x1234).encoded
        for _ in 0..<Self.rounds(40_000) {
            let data = Mutation.mutated(good, &generator)
            _ = try? AdvertSuffix(parsing: Array(data.dropFirst(20)))
            guard let opened = try? key.open(data) else { continue }
            readable += 1
            if opened.plaintext != plaintext, data.prefix(20) == good.prefix(20) {
                Issue.record("\(data.hex) has another plaintext")
            }
        }
        #expect(readable > 0)
    }

    @Test func pathsAndHeadersAreReadOrRefused() throws {
        var (generator, readable) = (Fuzzing.generator(203), 0)
        let path = Array(TunnelRequest.Endpoint.new(tunnelID: [UInt8](0..<16)).path.utf8)
        let header = Array(
            ClientPayload(linkID: [UInt8](0..<8), clientNonce: [UInt8](0..<16), operation: .getAssertion)
                .headerValue.utf8)
        for _ in 0..<Self.rounds(10_000) {
            let text = String(decoding: Mutation.mutated(path, &generator), as: UTF8.self)
            if let endpoint = TunnelRequest.Endpoint(path: text) {
                readable += 1
                if TunnelRequest.Endpoint(path: endpoint.path) != endpoint { Issue.record("\(text) is read otherwise") }
            }
            _ = try? ClientPayload(
                headerValue: String(decoding: Mutation.mutated(header, &generator), as: UTF8.self))
        }
        #expect(readable > 0)
    }

    @Test func handshakeMessagesAreAnsweredOrRefused() throws {
        var (generator, answered) = (Fuzzing.generator(204), 0)
        let (identity, secret) = (try Self.key(3), [UInt8](repeating: 7, count: 32))
        let initiator = try HandshakeInitiator(
            identity: .own(identity), preSharedKey: secret, ephemeralKey: Self.key(4))
        let responder = try Self.key(5)
        func answer(_ message: [UInt8]) -> [UInt8]? {
            try? HandshakeResponder.answer(
                message, identity: .peer(identity.publicKey), preSharedKey: secret, ephemeralKey: responder
            ).answer
        }
        let good = try #require(answer(initiator.message))
        for round in 0..<Self.rounds(10_000) {
            let isForPhone = round.isMultiple(of: 2)
            let message = Mutation.mutated(isForPhone ? initiator.message : good, &generator)
            let isRead = isForPhone ? answer(message) != nil : (try? initiator.finish(message)) != nil
            guard isRead else { continue }
            answered += 1
            if message != (isForPhone ? initiator.message : good) { Issue.record("\(message.hex) was accepted") }
        }
        #expect(answered < Self.rounds(10_000) / 10)
        #expect((try? initiator.finish(good)) != nil)
    }

    @Test func framesAreReadOrRefused() throws {
        var (generator, readable) = (Fuzzing.generator(205), 0)
        var sender = HybridCrypter(
            sendKey: [UInt8](repeating: 1, count: 32), receiveKey: [UInt8](repeating: 2, count: 32),
            construction: .littleEndian)
        let good = try sender.seal([1, 2, 3])
        for _ in 0..<Self.rounds(20_000) {
            var receiver = HybridCrypter(
                sendKey: [UInt8](repeating: 2, count: 32), receiveKey: [UInt8](repeating: 1, count: 32),
                construction: nil)
            let frame = Mutation.mutated(good, &generator)
            guard (try? receiver.open(frame)) != nil else { continue }
            readable += 1
            if frame != good { Issue.record("\(frame.hex) decrypts") }
        }
        #expect(readable < Self.rounds(20_000) / 10)
    }

    @Test func textsOfFramesAreReadOrRefused() throws {
        var (generator, readable) = (Fuzzing.generator(206), 0)
        let key = try Self.key(6)
        let linking = LinkingInformation(
            contactID: [1, 2, 3], linkID: [UInt8](0..<8), linkSecret: [UInt8](0..<32), publicKey: key.publicKey,
            name: "Pixel", signature: [UInt8](0..<32))
        let message = FirstMessage(info: [0xA0], features: ["ctap"], linking: linking)
        let texts = [
            message.encoded(.version21), message.encoded(.version20), [2] + UpdateMessage.encode(linking), [1, 4], [0],
        ]
        for _ in 0..<Self.rounds(30_000) {
            let text = Mutation.mutated(texts.randomElement(using: &generator) ?? [], &generator)
            if (try? FirstMessage.read(text)) != nil { readable += 1 }
            if case .update(let payload)? = try? HybridFrame(text, .version21),
                (try? UpdateMessage.read(payload)) != nil
            {
                readable += 1
            }
        }
        #expect(readable > 0)
    }

    /// Any events in any order: both ends act, and end at most once.
    @Test func anyEventsAreTaken() throws {
        var generator = Fuzzing.generator(207)
        let code = try Self.code()
        let fresh = Ends(
            phone: try Self.phone(),
            other: HybridInitiator(identity: try Self.key(1), secret: code.secret, ephemeralKey: try Self.key(7)))
        var ends = fresh
        var (ready, delivered) = (0, 0)
        for round in 0..<Self.rounds(10_000) {
            if round.isMultiple(of: 40) {
                (ready, delivered) = (ready + (ends.isReady ? 1 : 0), delivered + ends.delivered)
                ends = fresh
                ends.tellPhone(nil)
            }
            ends.tellPhone(ends.phoneEvent(&generator))
            ends.tellOther(ends.otherEvent(&generator))
        }
        #expect(ready > 0)
        #expect(delivered > 0)
    }
}

/// Both ends, and the messages on their way.
private struct Ends {
    var phone: HybridAuthenticator
    var other: HybridInitiator
    private var toPhone: [[UInt8]] = []
    private var toOther: [[UInt8]] = []
    private var advert: [UInt8] = []
    private(set) var isReady = false
    private(set) var delivered = 0

    init(phone: HybridAuthenticator, other: HybridInitiator) {
        self.phone = phone
        self.other = other
    }

    mutating func phoneEvent(_ generator: inout SeededGenerator) -> HybridAuthenticator.Event {
        let noise = Mutation.mutated([1, 4, 0, 9], &generator)
        switch Int.random(in: 0..<60, using: &generator) {
        case 0: return .tunnelClosed
        case 1: return .close
        case 2: return .tunnelFailed(status: 400)
        case 3: return .tunnelOpened(routingID: "zz")
        case 4: return .frame(noise)
        case 5: return toPhone.isEmpty ? .answer([]) : .frame(Mutation.mutated(toPhone.removeFirst(), &generator))
        case 6..<20: return .answer(noise)
        case 20..<30: return .tunnelOpened(routingID: "026555")
        default: return toPhone.isEmpty ? .answer(noise) : .frame(toPhone.removeFirst())
        }
    }

    mutating func otherEvent(_ generator: inout SeededGenerator) -> HybridInitiator.Event {
        let noise = Mutation.mutated([1, 4, 0, 9], &generator)
        switch Int.random(in: 0..<60, using: &generator) {
        case 0: return .tunnelClosed
        case 1: return .close
        case 2: return .tunnelFailed(status: nil)
        case 3: return .frame(noise)
        case 4: return .advert(noise)
        case 5: return toOther.isEmpty ? .send([4]) : .frame(Mutation.mutated(toOther.removeFirst(), &generator))
        case 6..<20: return .advert(advert)
        case 20..<30: return .tunnelOpened(signalsConnection: Bool.random(using: &generator) && noise.isEmpty)
        case 30..<40: return .send(noise)
        default: return toOther.isEmpty ? .send(noise) : .frame(toOther.removeFirst())
        }
    }

    /// Tells the phone an event, or to start.
    mutating func tellPhone(_ event: HybridAuthenticator.Event?) {
        let actions = event.map { phone.handle($0) } ?? phone.start()
        for (index, action) in actions.enumerated() {
            switch action {
            case .send(let frame, _): toOther.append(frame)
            case .advertise(let advert): self.advert = advert.serviceData
            case .close: if index != actions.count - 1 { Issue.record("actions follow the phone's end") }
            default: break
            }
        }
    }

    mutating func tellOther(_ event: HybridInitiator.Event) {
        let actions = other.handle(event)
        for (index, action) in actions.enumerated() {
            switch action {
            case .send(let frame): toPhone.append(frame)
            case .ready: isReady = true
            case .deliver: delivered += 1
            case .close: if index != actions.count - 1 { Issue.record("actions follow the other end's end") }
            default: break
            }
        }
    }
}
