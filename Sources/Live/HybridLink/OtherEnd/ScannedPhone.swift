package import CTAP
package import CTAPHybrid
internal import HybridTunnel
internal import Radio

/// The phone at the end of one connection, as the other end sees it: performs the actions of ``HybridInitiator`` on a radio and a tunnel
/// service.
///
/// A phone takes one command for each connection, and then closes it. getInfo is answered from its first message.
package actor ScannedPhone: CTAPDevice {
    private let way: HybridWay
    private let note: @Sendable (HybridInitiator.Action) -> Void
    private var machine: HybridInitiator
    private let events: AsyncStream<HybridInitiator.Event>
    private let feed: AsyncStream<HybridInitiator.Event>.Continuation
    private var tunnel: TunnelConnection?
    private var tasks: [Task<Void, Never>] = []
    private var end: HybridEnd?
    private var connecting: CheckedContinuation<Void, Never>?
    private var waiting: CheckedContinuation<[UInt8]?, Never>?
    private var isReady = false
    private var hasLostRadio = false
    /// The answer to getInfo without a status, from the first message.
    package private(set) var info: [UInt8]?

    package nonisolated var takesOneCommand: Bool { true }

    /// Whether the connection has not ended.
    package var isOpen: Bool { end == nil }

    /// The keys of a QR code that a phone scans.
    package struct Code: Sendable {
        package let contents: QRContents
        fileprivate let identity: HybridKey
        fileprivate let ephemeralKey: HybridKey

        /// Makes a code; nil when the random source gives no key.
        ///
        /// - Parameters:
        ///   - now: seconds since the Unix epoch.
        ///   - canLink: whether a phone may give linking information, so that no code is needed another time.
        ///   - randomBytes: returns this many random bytes.
        package init?(
            operation: QROperation, now: UInt64, canLink: Bool = false, randomBytes: (Int) -> [UInt8]
        ) {
            guard let identity = HybridKey(randomBytes: randomBytes), let other = HybridKey(randomBytes: randomBytes),
                let contents = try? QRContents(
                    publicKey: identity.publicKey, secret: randomBytes(QRContents.secretLength), timestamp: now,
                    supportsStateAssisted: canLink, operation: operation)
            else { return nil }
            (self.contents, self.identity, ephemeralKey) = (contents, identity, other)
        }
    }

    private init(
        _ machine: HybridInitiator, _ way: HybridWay, _ note: @escaping @Sendable (HybridInitiator.Action) -> Void
    ) {
        (self.machine, self.way, self.note) = (machine, way, note)
        (events, feed) = AsyncStream.makeStream()
    }

    /// Waits for the phone that scans a code; a cancelled task stops waiting.
    ///
    /// - Parameter note: is called with each action before it is performed.
    /// - Throws: `CTAPDeviceError` when the connection ends before it is ready, and the radio's error.
    package static func connect(
        _ code: Code, way: HybridWay, note: @escaping @Sendable (HybridInitiator.Action) -> Void = { _ in }
    ) async throws -> ScannedPhone {
        let phone = ScannedPhone(HybridInitiator(code), way, note)
        try await phone.begin(try await way.radio.adverts())
        return phone
    }

    /// Reaches for a linked phone through its tunnel service, and waits for its advert; a cancelled task stops waiting.
    ///
    /// - Parameters:
    ///   - randomBytes: returns this many random bytes.
    ///   - note: is called with each action before it is performed.
    /// - Throws: `CTAPDeviceError` when the connection ends before it is ready, and the radio's error.
    package static func connect(
        _ link: LinkedPhone, operation: QROperation, way: HybridWay, randomBytes: (Int) -> [UInt8],
        note: @escaping @Sendable (HybridInitiator.Action) -> Void = { _ in }
    ) async throws -> ScannedPhone {
        guard let key = HybridKey(randomBytes: randomBytes) else {
            throw CTAPDeviceError.disconnected(HybridRefusal.noEphemeralKey.description)
        }
        let machine = HybridInitiator(
            link: link, clientNonce: randomBytes(ClientPayload.nonceLength), operation: operation, ephemeralKey: key)
        let phone = ScannedPhone(machine, way, note)
        try await phone.begin(try await way.radio.adverts())
        return phone
    }

    private func begin(_ adverts: AsyncStream<Advert>) async throws {
        tasks.append(
            Task {
                for await advert in adverts { feed.yield(.advert(advert.serviceData)) }
                loseRadio()
            })
        for action in machine.start() { perform(action) }
        Task { await serve() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if isReady || end != nil { continuation.resume() } else { connecting = continuation }
            }
        } onCancel: { [feed] in
            feed.yield(.close)
        }
        try Task.checkCancellation()
        if let end { throw hasLostRadio ? Self.radioLost : Self.error(end) }
    }

    /// Ends a connection for which no advert can come any more.
    private func loseRadio() {
        guard machine.stage == .discovery else { return }
        hasLostRadio = true
        feed.yield(.close)
    }

    private static let radioLost = CTAPDeviceError.disconnected(
        "the radio has stopped, so that no phone can be found; switch the Bluetooth adapter on, and scan again")

    package func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        if let end { throw Self.error(end) }
        guard !message.isEmpty else { throw .protocolViolation("a message without a command byte") }
        guard waiting == nil else { throw .busy }
        onKeepalive(.processing)
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting = continuation
                feed.yield(.send(message))
            }
        } onCancel: { [feed] in
            feed.yield(.close)
        }
        if let answer { return answer }
        // Hybrid has no cancel: the other end ends the connection, and the phone its prompt.
        if Task.isCancelled { return [CTAPStatus.keepaliveCancel.rawValue] }
        throw Self.error(end ?? .finished)
    }

    /// Ends the connection.
    package func close() { feed.yield(.close) }

    private func serve() async {
        for await event in events {
            for action in machine.handle(event) { perform(action) }
        }
    }

    private func perform(_ action: HybridInitiator.Action) {
        note(action)
        switch action {
        case .openTunnel(let request): open(request)
        case .send(let message): tunnel?.send(message)
        case .ready(let info, _):
            self.info = info
            isReady = true
            connecting?.resume()
            connecting = nil
        case .deliver(let answer):
            waiting?.resume(returning: answer)
            waiting = nil
        case .phoneConnected, .keep, .forget, .ignore: break
        case .close(let end): finish(end)
        }
    }

    private func open(_ request: TunnelRequest) {
        tasks.append(
            Task { [feed] in
                await way.tunnel.use(request, opened: joined) { feed.yield(.init($0)) }
            })
    }

    private func joined(_ connection: TunnelConnection) -> Bool {
        guard end == nil else { return false }
        tunnel = connection
        feed.yield(.tunnelOpened(signalsConnection: false))
        return true
    }

    private func finish(_ end: HybridEnd) {
        self.end = end
        tunnel?.close()
        feed.finish()
        for task in tasks { task.cancel() }
        connecting?.resume()
        connecting = nil
        waiting?.resume(returning: nil)
        waiting = nil
    }

    private static func error(_ end: HybridEnd) -> CTAPDeviceError {
        switch end {
        case .finished: .disconnected("this end has closed the connection; scan a new code")
        case .shutdown, .tunnelClosed(.ready):
            .disconnected("the phone has ended the connection; it takes one command for each scan, so scan a new code")
        case .tunnelClosed: .disconnected("\(end) Scan a new code.")
        case .timedOut, .cancelled: .disconnected(end.description)
        case .refused(.tunnel(let status, let reason)):
            .disconnected(HybridRefusal.tunnel(status: status, reason: reason).description)
        case .refused(let refusal): .protocolViolation(refusal.description)
        }
    }
}

extension HybridInitiator {
    /// The other end of a code.
    init(_ code: ScannedPhone.Code) {
        self.init(identity: code.identity, secret: code.contents.secret, ephemeralKey: code.ephemeralKey)
    }
}
