import CTAPNFC
import NIOCore
import NIOPosix
import Synchronization

/// One stay of a card on vpcd's reader: a TCP connection from tap to removal.
final class VPCDSession: Sendable {
    typealias Connection = NIOAsyncChannel<[UInt8], [UInt8]>

    /// Says when the reader has noticed the card, with true, or that it never will.
    let noticed = AsyncStream.makeStream(of: Bool.self)
    private let connection: Connection
    private let card: NFCCard
    private let answerToReset: AnswerToReset
    /// The command that comes after so many others takes the card away.
    private let commandsLeft: Mutex<Int?>
    private let isLeaving = Atomic(false)

    private init(_ connection: Connection, _ card: NFCCard, _ answerToReset: AnswerToReset) {
        self.connection = connection
        self.card = card
        self.answerToReset = answerToReset
        commandsLeft = Mutex(nil)
    }

    /// Connects to the reader.
    static func begin(
        host: String, port: Int, card: NFCCard, answerToReset: AnswerToReset
    ) async throws -> VPCDSession {
        let connection = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(
                        ByteToMessageHandler(
                            VPCDMessageDecoder(), maximumBufferSize: 2 * (VPCDMessage.maximumLength + 2)),
                        MessageToByteHandler(VPCDMessageEncoder()))
                    return try Connection(wrappingChannelSynchronously: channel)
                }
            }
        return VPCDSession(connection, card, answerToReset)
    }

    /// Serves the reader until the card is taken away or the reader goes; the card is without a field then.
    ///
    /// - Returns: whether it was the reader that went.
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
            // A command that waits for its answer does not hear that the reader is gone.
            group.addTask { [self] in
                try? await connection.channel.closeFuture.get()
                await card.powerOff()
            }
        }
        noticed.continuation.yield(false)
        return !isLeaving.load(ordering: .relaxed)
    }

    /// Takes the card away, whatever is under way; ``serve()`` returns soon.
    func leave() {
        isLeaving.store(true, ordering: .relaxed)
        connection.channel.close(promise: nil)
    }

    /// Takes the card away as this command comes, 1 being the next; it gets no answer.
    func leave(duringCommand number: Int) {
        commandsLeft.withLock { $0 = number }
    }

    private func answer(to message: [UInt8]) async throws -> [UInt8]? {
        guard message.count == 1 else { return try await answer(toCommand: message) }
        switch VPCDMessage.Control(rawValue: message[0]) {
        case .powerOff:
            await card.powerOff()
        case .powerOn, .reset:
            // A reader resets a contactless card by switching its field off and on.
            await card.powerOn()
            noticed.continuation.yield(true)
        case .answerToReset:
            return answerToReset.bytes
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
