package import CTAP
package import CTAPNFC
import Foundation
internal import MachineNeeds
import NIOCore
import NIOPosix

/// Places a ``CTAPDevice`` on a reader of pcscd, through vsmartcard's virtual reader (vpcd).
///
/// vpcd is a driver of pcscd that listens on a TCP port for a card to connect. PC/SC programs on the machine then find
/// a contactless card on the reader "Virtual PCD".
///
/// ```swift
/// let endpoint = try await VPCDEndpoint.connect(device: device)
/// try await endpoint.run()
/// ```
///
/// The reader switches its field off and on at any time, and each time the device restarts (``NFCCard``). pcscd
/// takes one to three seconds to detect that a card arrived or left.
package actor VPCDEndpoint {
    package struct Configuration: Sendable {
        package var host = "127.0.0.1"
        /// vpcd's port: 35963 for its first reader, and one more for each further one.
        package var port = 35963
        package var card = NFCCard.Configuration()
        /// The shortest absence of the card; pcscd polls its readers every 0.4 s and misses a shorter one.
        package var shortestAbsence = Duration.seconds(1)
        package var insertionTimeout = Duration.seconds(15)

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

    /// Places the device on the reader; returns when the reader has detected it.
    ///
    /// - Throws: ``CTAPDeviceError/disconnected(_:)`` without a reader, ``CTAPDeviceError/timedOut(_:)`` when the
    ///   reader does not detect the card.
    package static func connect(
        device: any CTAPDevice, u2f: U2FHandler? = nil, configuration: Configuration = Configuration()
    ) async throws(CTAPDeviceError) -> VPCDEndpoint {
        let endpoint = VPCDEndpoint(configuration, NFCCard(device: device, u2f: u2f, configuration: configuration.card))
        try await endpoint.insert()
        return endpoint
    }

    package var isInserted: Bool { session.map { !$0.session.isLeaving } ?? false }

    /// Places the device on the reader, unless it is there: a tap; returns when the reader has detected it.
    package func insert() async throws(CTAPDeviceError) {
        guard !isClosed else { throw .disconnected("the endpoint is closed") }
        guard !isInserted else { return }
        guard !isInserting else { throw .disconnected("the device is already being placed on the reader") }
        isInserting = true
        defer { isInserting = false }
        // The reader can see that the card left before the session has ended here.
        await session?.task.value
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
        guard await isDetected(new) else {
            await remove()
            throw .timedOut("the reader at \(address) did not detect the card; remove any other card, or restart pcscd")
        }
    }

    /// Takes the device off the reader at once.
    package func remove() async {
        guard let (_, session, task) = session else { return }
        session.leave()
        await task.value
    }

    /// Takes the device off the reader during this command, counted from 1 for the next; it gets no answer.
    package func remove(duringCommand number: Int) { session?.session.leave(duringCommand: number) }

    /// Runs until the task is cancelled or ``close()`` is called, then closes the endpoint.
    ///
    /// - Throws: ``CTAPDeviceError/disconnected(_:)`` when the reader disconnects.
    package func run() async throws(CTAPDeviceError) {
        var end: CTAPDeviceError?
        for await error in ends.stream {
            end = error
            break
        }
        await close()
        if let end { throw end }
    }

    /// Takes the device off the reader permanently.
    package func close() async {
        isClosed = true
        ends.continuation.finish()
        await remove()
    }

    private func ended(_ id: Int, isReaderGone: Bool) {
        guard session?.id == id else { return }
        session = nil
        leftAt = .now
        if isReaderGone {
            ends.continuation.yield(.disconnected("the reader at \(address) disconnected: pcscd has ended"))
        }
    }

    private func isDetected(_ session: VPCDSession) async -> Bool {
        let timer = Task { [configuration] in
            guard (try? await Task.sleep(for: configuration.insertionTimeout)) != nil else { return }
            session.detection.continuation.yield(false)
        }
        defer { timer.cancel() }
        for await isDetected in session.detection.stream { return isDetected }
        return false
    }

    private var address: String { "\(configuration.host):\(configuration.port)" }

    private func unreachable(_ error: any Error) -> String {
        MachineUse.virtualNFC.pointed(
            "no virtual reader at \(address) (\(Self.message(of: error))): install vsmartcard-vpcd and start pcscd")
    }

    private static func message(of error: any Error) -> String {
        guard let failure = error as? NIOConnectionError else {
            return (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
        }
        return failure.connectionErrors.first.map { message(of: $0.error) } ?? "\(failure)"
    }
}
