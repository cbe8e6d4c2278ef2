internal import CPCSC
package import CTAP
internal import Dispatch
internal import Synchronization

/// A reader of the machine, and what lies on it.
package struct PCSCReader: Hashable, Sendable {
    /// What lies on a reader.
    package enum Content: Hashable, Sendable {
        /// Nothing.
        case nothing
        /// A card with this ATR.
        case card(answerToReset: [UInt8])
        /// A card that does not answer.
        case muteCard
    }

    /// The name PC/SC gives it.
    package let name: String
    /// What lies on it.
    package let content: Content

    package init(name: String, content: Content) {
        self.name = name
        self.content = content
    }

    /// Whether a card lies on it that answers.
    package var hasCard: Bool { if case .card = content { true } else { false } }

    /// The readers of the machine.
    ///
    /// - Throws: ``CTAPDeviceError/disconnected(_:)`` when pcscd does not run.
    package static func all() async throws(CTAPDeviceError) -> [PCSCReader] {
        for try await readers in changes() { return readers }
        return []
    }

    /// The readers of the machine, and again each time that one comes or goes, or a card.
    ///
    /// It ends when pcscd does, with ``CTAPDeviceError/disconnected(_:)``, or when the task that iterates is cancelled.
    package static func changes() -> PCSCReaderChanges { PCSCReaderChanges() }
}

/// What ``PCSCReader/changes()`` returns.
package struct PCSCReaderChanges: AsyncSequence, Sendable {
    package typealias Element = [PCSCReader]
    package typealias Failure = CTAPDeviceError

    /// Watches from the first `next()` until it is forgotten.
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

        package mutating func next() async throws(CTAPDeviceError) -> [PCSCReader]? {
            try await states.next()?.get()
        }
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
}
