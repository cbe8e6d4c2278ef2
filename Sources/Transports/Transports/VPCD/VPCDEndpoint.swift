package import CTAP
package import CTAPNFC
import Foundation
import NIOCore
import NIOPosix

/// Lays a ``CTAPDevice`` on a reader of pcscd, by way of vsmartcard's virtual reader (vpcd).
///
/// vpcd is a driver of pcscd that waits on a TCP port for a card to connect. PC/SC programs on the machine then find a
/// contactless card on the reader "Virtual PCD".
///
/// ```swift
/// let endpoint = try await VPCDEndpoint.connect(device: device)
/// try await endpoint.run()
/// ```
///
/// A reader switches its field off and on as it likes: each time the device starts anew (``NFCCard``). pcscd takes one
/// to three seconds to notice a card that comes or goes.
package actor VPCDEndpoint {
    /// Where the reader is and how the card behaves.
    package struct Configuration: Sendable {
        /// Where pcscd runs.
        package var host = "127.0.0.1"
        /// vpcd's port: 35963 for its first reader, and one more for each further one.
        package var port = 35963
        /// What the card can do.
        package var card = NFCCard.Configuration()
        /// How long the card stays away at least: pcscd looks at its readers every 0.4 s, and a card that comes back
        /// sooner has never been gone.
        package var shortestAbsence = Duration.seconds(1)
        /// How long a reader may take to notice the card.
        package var insertionTimeout = Duration.seconds(15)

        /// The configuration that Debian's vpcd expects: 127.0.0.1, port 35963.
        package init() {}
    }

    private let configuration: Configuration
    private let card: NFCCard
    private var session: (id: Int, session: VPCDSession, task: Task<Void, Never>)?
    private var sessionCount = 0
    private var isInserting = false
    private var leftAt: ContinuousClock.Instant?
    private var isClosed = false
    private let ends = AsyncStream.makeStream(of: CTAPDeviceError.self)

    private init(_ configuration: Configuration, _ card: NFCCard) {
        self.configuration = configuration
        self.card = card
    }

    /// Lays the device on the reader; when this returns, the reader has noticed it.
    ///
    /// - Parameters:
    ///   - device: the device that answers; a ``PowerCyclable`` one loses its power with the field.
    ///   - u2f: what answers U2F, if anything does.
    ///   - configuration: where the reader is.
    /// - Throws: ``CTAPDeviceError/disconnected(_:)`` when there is no reader, ``CTAPDeviceError/timedOut(_:)`` when
    ///   it does not notice the card.
    package static func connect(
        device: any CTAPDevice, u2f: U2FHandler? = nil, configuration: Configuration = Configuration()
    ) async throws(CTAPDeviceError) -> VPCDEndpoint {
        let endpoint = VPCDEndpoint(
            configuration, NFCCard(device: device, u2f: u2f, configuration: configuration.card))
        try await endpoint.insert()
        return endpoint
    }

    /// Whether the device lies on the reader.
    package var isInserted: Bool { session != nil }

    /// Lays the device on the reader, which is a tap; when this returns, the reader has noticed it.
    ///
    /// A device that lies there already stays.
    package func insert() async throws(CTAPDeviceError) {
        guard !isClosed else { throw .disconnected("the endpoint is closed") }
        guard session == nil else { return }
        guard !isInserting else { throw .disconnected("the device is on its way to the reader already") }
        isInserting = true
        defer { isInserting = false }
        if let leftAt { try? await Task.sleep(until: leftAt + configuration.shortestAbsence, clock: .continuous) }
        sessionCount += 1
        let id = sessionCount
        let new: VPCDSession
        do {
            new = try await VPCDSession.begin(
                host: configuration.host, port: configuration.port, card: card,
                answerToReset: AnswerToReset(of: configuration.card))
        } catch {
            throw .disconnected(unreachable(error))
        }
        guard !isClosed else {
            new.leave()
            _ = await new.serve()
            throw .disconnected("the endpoint is closed")
        }
        let task = Task {
            let isReaderGone = await new.serve()
            ended(id, isReaderGone: isReaderGone)
        }
        session = (id, new, task)
        guard await isNoticed(new) else {
            await remove()
            throw .timedOut(
                "the reader at \(address) has not noticed the card: does another lie on it, or is pcscd busy?")
        }
    }

    /// Takes the device off the reader, whatever is under way.
    package func remove() async {
        guard let (_, session, task) = session else { return }
        session.leave()
        await task.value
    }

    /// Takes the device off the reader in the middle of a command, 1 being the next to come: it gets no answer.
    package func remove(duringCommand number: Int) {
        session?.session.leave(duringCommand: number)
    }

    /// Waits until the task is cancelled or ``close()`` is called, and leaves the endpoint closed.
    ///
    /// - Throws: ``CTAPDeviceError/disconnected(_:)`` when the reader went away.
    package func run() async throws(CTAPDeviceError) {
        var end: CTAPDeviceError?
        for await error in ends.stream {
            end = error
            break
        }
        await close()
        if let end { throw end }
    }

    /// Takes the device off the reader for good.
    package func close() async {
        isClosed = true
        ends.continuation.finish()
        await remove()
    }

    private func ended(_ id: Int, isReaderGone: Bool) {
        guard session?.id == id else { return }
        session = nil
        leftAt = .now
        if isReaderGone { ends.continuation.yield(.disconnected("the reader at \(address) has gone: pcscd has ended")) }
    }

    private func isNoticed(_ session: VPCDSession) async -> Bool {
        let timer = Task { [configuration] in
            guard (try? await Task.sleep(for: configuration.insertionTimeout)) != nil else { return }
            session.noticed.continuation.yield(false)
        }
        defer { timer.cancel() }
        for await isNoticed in session.noticed.stream { return isNoticed }
        return false
    }

    private var address: String { "\(configuration.host):\(configuration.port)" }

    private func unreachable(_ error: any Error) -> String {
        """
        no virtual reader at \(address) (\(Self.words(error))): install vsmartcard-vpcd and start pcscd
        """
    }

    private static func words(_ error: any Error) -> String {
        guard let failure = error as? NIOConnectionError else {
            return (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
        }
        return failure.connectionErrors.first.map { words($0.error) } ?? "\(failure)"
    }
}
