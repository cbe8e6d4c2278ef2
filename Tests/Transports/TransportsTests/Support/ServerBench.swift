import CTAP
import Testing
import Transports

@testable import CTAPHID

/// A message sent by the device, with its receiver.
struct Sent: Equatable {
    var channel: CTAPHIDChannel
    var command: CTAPHIDCommand
    var payload: [UInt8]
    var peer: Int
}

/// A server with a clock that the test advances.
struct ServerBench {
    var server: CTAPHIDServer<Int>
    var now: Duration = .zero

    static let alice = CTAPHIDChannel(rawValue: 0xA11C_E000)
    static let bob = CTAPHIDChannel(rawValue: 0xB0B0_0000)

    /// A device that serves unknown channels, also those of Alice and Bob.
    init(_ change: (inout CTAPHIDServerConfiguration) -> Void = { _ in }) {
        var configuration = CTAPHIDServerConfiguration()
        configuration.servesUnknownChannels = true
        change(&configuration)
        server = CTAPHIDServer(configuration: configuration)
    }

    mutating func receive(_ packet: CTAPHIDPacket, from peer: Int = 1) -> [CTAPHIDServerAction<Int>] {
        server.receive(packet.report, from: peer, now: now)
    }

    /// Feeds in a whole message.
    mutating func receive(
        _ command: CTAPHIDCommand, _ payload: [UInt8] = [], on channel: CTAPHIDChannel = alice, from peer: Int = 1
    ) throws -> [CTAPHIDServerAction<Int>] {
        try CTAPHIDMessage(channel: channel, command: command, payload: payload).packets
            .flatMap { server.receive($0.report, from: peer, now: now) }
    }

    /// Feeds in the first packet of a message that is longer.
    mutating func beginMessage(
        on channel: CTAPHIDChannel = alice, from peer: Int = 1, declaring length: UInt16 = 100
    ) -> [CTAPHIDServerAction<Int>] {
        receive(
            CTAPHIDPacket(
                channel: channel, header: .initialization(.ping, messageLength: length), data: payload(57)),
            from: peer)
    }

    /// Feeds in a CBOR request and returns its token.
    mutating func startCommand(
        on channel: CTAPHIDChannel = alice, from peer: Int = 1
    ) throws -> CTAPHIDRequest.ID {
        let actions = try receive(.cbor, [0x04], on: channel, from: peer)
        guard case .start(let request) = try #require(actions.first) else {
            throw BenchError("nothing was started: \(actions)")
        }
        return request.id
    }

    /// Asks for a channel.
    mutating func allocate() throws -> CTAPHIDChannel {
        let answer = try #require(try sent(receive(.initialize, payload(8), on: .broadcast)).first)
        return try #require(CTAPHIDInitialization(payload: answer.payload)).channel
    }

    /// Advances the clock to the next deadline, which then passes.
    mutating func passDeadline() throws -> [CTAPHIDServerAction<Int>] {
        now = try #require(server.deadline)
        return server.tick(now: now)
    }
}

/// The failure of a test helper.
struct BenchError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }
}

/// The messages among the actions, reassembled from their reports.
func sent(_ actions: [CTAPHIDServerAction<Int>]) throws -> [Sent] {
    try actions.compactMap { action in
        guard case .send(let packets, let peer) = action else { return nil }
        let message = try #require(try FramingVerifier.assemble(packets.map(\.report)))
        return Sent(channel: message.channel, command: message.command, payload: message.payload, peer: peer)
    }
}

/// An ERROR message.
func errorMessage(
    _ code: CTAPHIDErrorCode, on channel: CTAPHIDChannel = ServerBench.alice, to peer: Int = 1
) -> [Sent] {
    [Sent(channel: channel, command: .error, payload: [code.rawValue], peer: peer)]
}

/// A KEEPALIVE message.
func keepaliveMessage(_ status: KeepaliveStatus, on channel: CTAPHIDChannel = ServerBench.alice) -> [Sent] {
    [Sent(channel: channel, command: .keepalive, payload: [status.rawValue], peer: 1)]
}
