import CTAPNFC
import NIOCore
import NIOPosix
import Synchronization

/// One session of a card on vpcd's reader: a TCP connection from tap to removal.
final class VPCDSession: Sendable {
    typealias Connection = NIOAsyncChannel<[UInt8], [UInt8]>

    /// Yields true when the reader detects the card, and false when the session ends without that.
    let detection = AsyncStream.makeStream(of: Bool.self)
    private let connection: Connection
    private let card: NFCCard
    private let answerToReset: AnswerToReset
    /// The number of commands until the one that removes the card; nil for none.
    private let commandsLeft: Mutex<Int?>
    private let leaving = Atomic(false)

    private init(_ connection: Connection, _ card: NFCCard, _ answerToReset: AnswerToReset) {
        self.connection = connection
        self.card = card
        self.answerToReset = answerToReset
        commandsLeft = Mutex(nil)
    }

    static func begin(
        host: String, port: Int, card: NFCCard, answerToReset: AnswerToReset
    ) async throws -> VPCDSession {
        let connection = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(
                        PromptAcknowledgement(),
                        ByteToMessageHandler(
                            VPCDMessageDecoder(), maximumBufferSize: 2 * (VPCDMessage.maximumLength + 2)),
                        MessageToByteHandler(VPCDMessageEncoder()))
                    return try Connection(wrappingChannelSynchronously: channel)
                }
            }
        return VPCDSession(connection, card, answerToReset)
    }

    /// Serves the reader until the card is removed or the reader disconnects (true); the card is then out of the field.
    func serve() async -> Bool {
        await withTaskGroup { group in
            group.addTask { [self] in
                try? await connection.executeThenClose { inbound, outbound in
                    for try await message in inbound {
                        guard let answer = try await answer(to: message) else { continue }
                        try await outbound.write(answer)
                    }
                }
            }
            // A running command does not learn that the reader disconnected.
            group.addTask { [self] in
                try? await connection.channel.closeFuture.get()
                await card.powerOff()
            }
        }
        detection.continuation.yield(false)
        return !isLeaving
    }

    /// Whether the card was removed; the session may still have to end.
    var isLeaving: Bool { leaving.load(ordering: .relaxed) }

    /// Removes the card at once; ``serve()`` returns soon.
    func leave() {
        leaving.store(true, ordering: .relaxed)
        connection.channel.close(promise: nil)
    }

    /// Removes the card when this command arrives, counted from 1 for the next; it gets no answer.
    func leave(duringCommand number: Int) { commandsLeft.withLock { $0 = number } }

    private func answer(to message: [UInt8]) async throws -> [UInt8]? {
        guard message.count == 1 else { return try await answer(toCommand: message) }
        switch VPCDMessage.Control(rawValue: message[0]) {
        case .powerOff: await card.powerOff()
        case .powerOn, .reset:
            // A reader resets a contactless card by switching its field off and on.
            await card.powerOn()
            detection.continuation.yield(true)
        case .answerToReset: return answerToReset.bytes
        case nil: break
        }
        return nil
    }

    private func answer(toCommand apdu: [UInt8]) async throws -> [UInt8]? {
        guard !apdu.isEmpty else { return nil }
        let isLast = commandsLeft.withLock { left in
            left = left.map { $0 - 1 }
            return left == 0
        }
        if isLast {
            leave()
            throw CancellationError()
        }
        guard let answer = await card.transmit(apdu) else { return nil }
        guard answer.count <= VPCDMessage.maximumLength else { throw CancellationError() }
        return answer
    }
}
