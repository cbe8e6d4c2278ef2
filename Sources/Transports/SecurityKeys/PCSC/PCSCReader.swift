internal import CPCSC
package import CTAP
internal import Dispatch
internal import Synchronization

/// A reader of the machine and its content.
package struct PCSCReader: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case nothing
        /// A card with this ATR.
        case card(answerToReset: [UInt8])
        /// A card that does not answer.
        case muteCard
    }

    package let name: String
    package let content: Content

    package init(name: String, content: Content) {
        self.name = name
        self.content = content
    }

    /// Whether it holds a card that answers.
    package var hasCard: Bool { if case .card = content { true } else { false } }

    package static func all() async throws(CTAPDeviceError) -> [PCSCReader] {
        for try await readers in changes() { return readers }
        return []
    }

    /// The readers of the machine, repeated whenever a reader or a card is added or removed.
    ///
    /// The sequence ends with ``CTAPDeviceError/disconnected(_:)`` when pcscd ends, or the iterating task is cancelled.
    package static func changes() -> PCSCReaderChanges { PCSCReaderChanges() }
}

/// The sequence of ``PCSCReader/changes()``.
package struct PCSCReaderChanges: AsyncSequence, Sendable {
    package typealias Element = [PCSCReader]
    package typealias Failure = CTAPDeviceError

    /// Watches the readers from its creation to its release.
    package struct AsyncIterator: AsyncIteratorProtocol {
        private var states: AsyncStream<Result<[PCSCReader], CTAPDeviceError>>.AsyncIterator

        init() {
            let (stream, continuation) = AsyncStream.makeStream(of: Result<[PCSCReader], CTAPDeviceError>.self)
            let watch = PCSCWatch {
                continuation.yield($0)
            } onEnd: {
                continuation.finish()
            }
            continuation.onTermination = { _ in watch.stop() }
            watch.start()
            states = stream.makeAsyncIterator()
        }

        package mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(CTAPDeviceError) -> [PCSCReader]? {
            try await states.next(isolation: actor)?.get()
        }

        package mutating func next() async throws(CTAPDeviceError) -> [PCSCReader]? { try await states.next()?.get() }
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
}
