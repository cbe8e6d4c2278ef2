package import CTAP
package import CTAPHybrid
package import HybridTunnel
internal import Radio

/// A phone's connection with another end: performs the actions of ``HybridAuthenticator`` on a radio, a tunnel service and a device.
package actor PhoneConnection {
    private let device: any CTAPDevice
    private let way: HybridWay
    private let pass: @Sendable (Duration) async throws -> Void
    private let note: @Sendable (HybridAuthenticator.Action) -> Void
    private var machine: HybridAuthenticator
    private let events: AsyncStream<HybridAuthenticator.Event>
    private let feed: AsyncStream<HybridAuthenticator.Event>.Continuation
    private var tunnel: TunnelConnection?
    private var broadcasts: [AdvertBroadcast] = []
    private var radioError: (any Error)?
    /// The stage in which the phone gave up; nil for a phone that has not.
    private var lastStage: HybridStage?

    /// The time in which the other end has to connect.
    private static let patience = Duration.seconds(120)
    private var tasks: [Task<Void, Never>] = []
    private var command: Task<Void, Never>?

    private init(
        _ machine: HybridAuthenticator, _ device: any CTAPDevice, _ way: HybridWay,
        _ pass: @escaping @Sendable (Duration) async throws -> Void,
        _ note: @escaping @Sendable (HybridAuthenticator.Action) -> Void
    ) {
        (self.machine, self.device, self.way, self.pass, self.note) = (machine, device, way, pass, note)
        (events, feed) = AsyncStream.makeStream()
    }

    /// Connects a phone that has scanned a QR code, and answers until the connection ends; a cancelled task ends it.
    ///
    /// - Parameters:
    ///   - device: answers the commands; over hybrid a phone verifies its user itself.
    ///   - randomBytes: returns this many random bytes.
    ///   - pass: lets a time pass, for faults that delay.
    ///   - note: is called with each action before it is performed.
    /// - Throws: the radio's error where the advert cannot be broadcast.
    package static func run(
        scanned code: QRContents, as configuration: PhoneConfiguration, device: any CTAPDevice, way: HybridWay,
        randomBytes: (Int) -> [UInt8], pass: @escaping @Sendable (Duration) async throws -> Void,
        note: @escaping @Sendable (HybridAuthenticator.Action) -> Void = { _ in }
    ) async throws -> HybridEnd {
        guard let machine = HybridAuthenticator(scanned: code, configuration, randomBytes: randomBytes) else {
            return .refused(.noEphemeralKey)
        }
        return try await PhoneConnection(machine, device, way, pass, note).run()
    }

    /// Connects a linked phone that another end reaches for, and answers until the connection ends; a cancelled task ends it.
    ///
    /// - Parameters:
    ///   - identity: the phone's own, whose contact ID was called.
    ///   - device: answers the commands; over hybrid a phone verifies its user itself.
    ///   - randomBytes: returns this many random bytes.
    ///   - pass: lets a time pass, for faults that delay.
    ///   - note: is called with each action before it is performed.
    /// - Throws: the radio's error where the advert cannot be broadcast.
    package static func run(
        contacted contact: TunnelContact, identity: PhoneIdentity, as configuration: PhoneConfiguration,
        device: any CTAPDevice, way: HybridWay, randomBytes: (Int) -> [UInt8],
        pass: @escaping @Sendable (Duration) async throws -> Void,
        note: @escaping @Sendable (HybridAuthenticator.Action) -> Void = { _ in }
    ) async throws -> HybridEnd {
        let machine = HybridAuthenticator(
            contacted: contact.payload, contact.request, identity: identity, configuration, randomBytes: randomBytes)
        guard let machine else { return .refused(.noEphemeralKey) }
        return try await PhoneConnection(machine, device, way, pass, note).run()
    }

    private func run() async throws -> HybridEnd {
        tasks.append(
            Task {
                try? await Task.sleep(for: Self.patience)
                if !Task.isCancelled { giveUp() }
            })
        let end = await withTaskCancellationHandler {
            await serve()
        } onCancel: { [feed] in
            feed.yield(.close)
        }
        if let radioError { throw radioError }
        if let lastStage { return .timedOut(lastStage) }
        return Task.isCancelled && end == .finished ? .cancelled : end
    }

    /// Ends a connection whose other end has not connected.
    private func giveUp() {
        guard machine.stage < .ready else { return }
        lastStage = machine.stage
        feed.yield(.close)
    }

    private func serve() async -> HybridEnd {
        if let end = await perform(machine.start()) { return end }
        for await event in events {
            if let end = await perform(machine.handle(event)) { return end }
        }
        return .finished
    }

    /// Performs actions; returns the end after which none follows.
    private func perform(_ actions: [HybridAuthenticator.Action]) async -> HybridEnd? {
        for action in actions {
            note(action)
            switch action {
            case .openTunnel(let request): open(request)
            case .advertise(let advert): await advertise(advert)
            case .stopAdvertising: await stopAdvertising()
            case .send(let message, let delay):
                if delay > .zero { try? await pass(delay) }
                tunnel?.send(message)
            case .perform(let command): answer(command)
            case .cancel: command?.cancel()
            case .ready, .ignore, .apply: break
            case .close(let end):
                await close()
                return end
            }
        }
        return nil
    }

    private func open(_ request: TunnelRequest) {
        tasks.append(
            Task { [feed] in
                await way.tunnel.use(request, opened: joined) { feed.yield(.init($0)) }
            })
    }

    private func joined(_ connection: TunnelConnection) -> Bool {
        guard machine.stage != .closed else { return false }
        tunnel = connection
        feed.yield(.tunnelOpened(routingID: connection.routingID?.headerValue))
        return true
    }

    private func advertise(_ advert: HybridAdvert) async {
        do {
            for service in advert.services {
                let data = try Advert(service: service, serviceData: advert.serviceData)
                broadcasts.append(try await way.radio.broadcast(data))
            }
        } catch {
            radioError = error
            feed.yield(.close)
        }
    }

    private func stopAdvertising() async {
        for broadcast in broadcasts { await broadcast.end() }
        broadcasts = []
    }

    private func answer(_ message: [UInt8]) {
        command = Task { [device, feed] in
            let answer = try? await device.answerOverHybrid(message)
            feed.yield(.answer(answer ?? [CTAPStatus.other.rawValue]))
        }
    }

    private func close() async {
        await stopAdvertising()
        tunnel?.close()
        feed.finish()
        for task in tasks { task.cancel() }
    }
}

extension CTAPDevice {
    /// Answers a command as a phone does: over hybrid it takes only those of a ceremony (CTAP 2.3 §11.5).
    func answerOverHybrid(_ message: [UInt8]) async throws(CTAPDeviceError) -> [UInt8] {
        let taken: [CTAPCommand] = [.getInfo, .makeCredential, .getAssertion, .getNextAssertion, .selection]
        guard let command = message.first, taken.contains(CTAPCommand(rawValue: command)) else {
            return [CTAPStatus.invalidCommand.rawValue]
        }
        return try await transceive(message)
    }
}
