import CTAP
import TestSupport
import Testing
import Transports

@testable import CTAPHID

@Suite("The CTAPHID client")
struct ClientTests {
    static let channel = CTAPHIDChannel(rawValue: 0xA11C_E000)
    static let nonce = payload(8)

    var client = CTAPHIDClient()

    static func packets(
        _ command: CTAPHIDCommand, _ payload: [UInt8], on channel: CTAPHIDChannel = channel
    ) throws -> [CTAPHIDPacket] {
        try CTAPHIDMessage(channel: channel, command: command, payload: payload).packets
    }

    static func initAnswer(nonce: [UInt8] = nonce) throws -> [CTAPHIDPacket] {
        let answer = CTAPHIDInitialization(
            nonce: nonce, channel: channel, deviceVersion: CTAPHIDDeviceVersion(major: 1, minor: 2, build: 3),
            capabilities: [.cbor])
        return try packets(.initialize, answer.payload, on: .broadcast)
    }

    mutating func receive(_ packets: [CTAPHIDPacket], now: Duration = .zero) -> [CTAPHIDClientAction] {
        packets.flatMap { client.receive($0.report, now: now) }
    }

    /// A client that has its channel and waits for the answer to a CBOR request.
    mutating func awaitAnswer() throws {
        _ = client.open(nonce: Self.nonce, now: .zero)
        _ = receive(try Self.initAnswer())
        #expect(client.request(.cbor, [4], nonce: [], now: .zero) == [.send(try Self.packets(.cbor, [4]))])
    }

    @Test mutating func aRequestWithoutAChannelAsksForOneFirst() throws {
        let first = client.request(.cbor, payload(100), nonce: Self.nonce, now: .zero)
        #expect(first == [.send(try Self.packets(.initialize, Self.nonce, on: .broadcast))])
        #expect(receive(try Self.initAnswer()) == [.send(try Self.packets(.cbor, payload(100)))])
        #expect(receive(try Self.packets(.cbor, payload(300))) == [.finish(.success(payload(300)))])
        #expect(client.deadline == nil)
    }

    @Test mutating func theInitAnswerOfAnotherClientIsIgnored() throws {
        _ = client.open(nonce: Self.nonce, now: .zero)
        #expect(receive(try Self.initAnswer(nonce: payload(9).dropLast().reversed())).isEmpty)
        #expect(client.initialization == nil)
        #expect(receive(try Self.initAnswer()).count == 1)
        #expect(client.initialization?.channel == Self.channel)
    }

    @Test mutating func anAnswerOnAnotherChannelIsIgnored() throws {
        try awaitAnswer()
        #expect(receive(try Self.packets(.cbor, [0], on: CTAPHIDChannel(rawValue: 5))).isEmpty)
        #expect(receive(try Self.packets(.cbor, [0])) == [.finish(.success([0]))])
    }

    @Test mutating func onlyAChangedKeepaliveStatusIsReported() throws {
        try awaitAnswer()
        var news: [CTAPHIDClientAction] = []
        for status in [1, 1, 2, 2, 1, 0x55] as [UInt8] { news += receive(try Self.packets(.keepalive, [status])) }
        #expect(news == [.keepalive(.processing), .keepalive(.userPresenceNeeded), .keepalive(.processing)])
    }

    @Test mutating func theTimeOutStartsAtTheLastReport() throws {
        try awaitAnswer()
        #expect(client.deadline == .seconds(5))
        _ = receive(try Self.packets(.keepalive, [2]), now: .seconds(4))
        #expect(client.tick(now: .seconds(5)).isEmpty)
        #expect(client.deadline == .seconds(9))
        guard case .finish(.failure(.timedOut)) = client.tick(now: .seconds(9)).first else {
            throw BenchError("silence was borne")
        }
    }

    @Test mutating func aDeviceThatSendsKeepalivesForeverIsCancelledAndGivenUp() throws {
        try awaitAnswer()
        let limit = CTAPHIDClient.exchangeLimit
        for second in stride(from: 4, to: 180, by: 4) {
            #expect(client.tick(now: .seconds(second)).isEmpty)
            _ = receive(try Self.packets(.keepalive, [2]), now: .seconds(second))
        }
        #expect(client.deadline == limit)
        #expect(
            client.tick(now: limit) == [
                .send(try Self.packets(.cancel, [])), .finish(.failure(.timedOut("it sent only keepalives"))),
            ])
    }

    @Test mutating func aCancelledRequestIsGivenUpWhereTheDeviceGoesOnWithKeepalives() throws {
        try awaitAnswer()
        _ = client.cancel(now: .seconds(1))
        for second in 2...5 { _ = receive(try Self.packets(.keepalive, [2]), now: .seconds(second)) }
        #expect(client.deadline == .seconds(6))
        #expect(
            client.tick(now: .seconds(6)) == [.finish(.failure(.timedOut("it sent only keepalives")))])
    }

    @Test(arguments: [CTAPHIDErrorCode.channelBusy, .messageTimeout, .invalidChannel, .other, .invalidCommand])
    mutating func anErrorOfTheDeviceEndsTheExchange(code: CTAPHIDErrorCode) throws {
        try awaitAnswer()
        guard case .finish(.failure(let error)) = receive(try Self.packets(.error, [code.rawValue])).first else {
            throw BenchError("the exchange goes on")
        }
        switch (code, error) {
        case (.channelBusy, .busy), (.messageTimeout, .messageTimeout), (.invalidChannel, .disconnected): break
        case (.other, .protocolViolation(let detail)), (.invalidCommand, .protocolViolation(let detail)):
            #expect(detail.contains("\(code)"))
        default: Issue.record("\(code) became \(error)")
        }
    }

    @Test mutating func aBusyErrorKeepsTheChannelAndAnotherErrorLosesIt() throws {
        try awaitAnswer()
        _ = receive(try Self.packets(.error, [CTAPHIDErrorCode.channelBusy.rawValue]))
        #expect(client.initialization != nil)
        _ = client.request(.cbor, [4], nonce: Self.nonce, now: .zero)
        _ = client.tick(now: .seconds(5))
        #expect(client.initialization == nil)
        // A late answer is ignored.
        #expect(receive(try Self.packets(.cbor, [0])).isEmpty)
    }

    @Test mutating func aPacketOutOfOrderIsAViolation() throws {
        try awaitAnswer()
        let answer = try Self.packets(.cbor, payload(300))
        guard case .finish(.failure(.protocolViolation)) = receive([answer[0], answer[2]]).first else {
            throw BenchError("the packet was accepted")
        }
    }

    @Test mutating func anAnswerToAnotherCommandIsAViolation() throws {
        try awaitAnswer()
        guard case .finish(.failure(.protocolViolation)) = receive(try Self.packets(.ping, [0])).first else {
            throw BenchError("the answer was accepted")
        }
    }

    @Test mutating func cancellingSendsCancelOnceAndStillAwaitsTheAnswer() throws {
        try awaitAnswer()
        #expect(client.cancel(now: .zero) == [.send(try Self.packets(.cancel, []))])
        #expect(client.cancel(now: .zero).isEmpty)
        #expect(receive(try Self.packets(.cbor, [0x2D])) == [.finish(.success([0x2D]))])
        #expect(client.cancel(now: .zero).isEmpty)
    }

    @Test mutating func cancellingBeforeTheChannelExistsCancelsTheRequestOnceSent() throws {
        _ = client.request(.cbor, [4], nonce: Self.nonce, now: .zero)
        #expect(client.cancel(now: .zero).isEmpty)
        let expected: [CTAPHIDClientAction] = [
            .send(try Self.packets(.cbor, [4])), .send(try Self.packets(.cancel, [])),
        ]
        #expect(receive(try Self.initAnswer()) == expected)
    }

    @Test mutating func aRequestThatDoesNotFitIsRefusedAndKeepsTheChannel() throws {
        _ = client.open(nonce: Self.nonce, now: .zero)
        _ = receive(try Self.initAnswer())
        guard
            case .finish(.failure(.protocolViolation(let detail))) =
                client.request(.cbor, payload(7610), nonce: [], now: .zero).first
        else { throw BenchError("the request was sent") }
        #expect(detail == "a message of 7610 bytes; CTAPHID carries at most 7609")
        #expect(client.initialization != nil)
    }

    @Test mutating func fiftyThousandRandomReportsDoNotTrap() {
        var random = SplitMix64(state: 0xC11E_4713)
        var finished = 0
        for step in 0..<Ring.rounds(50_000) {
            let now = Duration.milliseconds(step)
            if client.deadline == nil { _ = client.request(.cbor, [4], nonce: Self.nonce, now: now) }
            if client.initialization == nil { _ = (try? Self.initAnswer()).map { receive($0, now: now) } }
            var report = (0..<64).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            if Bool.random(using: &random) { report.replaceSubrange(0..<4, with: [0xA1, 0x1C, 0xE0, 0x00]) }
            if Bool.random(using: &random) { report.replaceSubrange(4..<6, with: [0x90, 0x00]) }
            for case .finish in client.receive(report, now: now) { finished += 1 }
        }
        #expect(finished > 100)
    }
}
