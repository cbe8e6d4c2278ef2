package import CTAP
package import CTAPHybrid
package import Causes
internal import Faults
package import SimulatedDevice

/// A phone that scans a QR code, as the computer that shows the code sees it, without a radio and sockets between them: both state
/// machines in one place, on the device's own clock.
///
/// The phone scans the code with the first message. Where neither end has anything to do, the computer waits for ``patience``, and
/// gives up.
package actor DirectConnection: CTAPDevice {
    /// The time that the computer waits, as long as a page does by default.
    package static let patience = Duration.seconds(300)

    /// The parts of the environment.
    package struct Surroundings: Sendable {
        /// The time since the Unix epoch.
        package var now: @Sendable () -> Duration
        package var randomBytes: @Sendable (Int) -> [UInt8]
        /// Lets a time pass.
        package var pass: @Sendable (Duration) async -> Void

        package init(
            now: @escaping @Sendable () -> Duration, randomBytes: @escaping @Sendable (Int) -> [UInt8],
            pass: @escaping @Sendable (Duration) async -> Void
        ) {
            (self.now, self.randomBytes, self.pass) = (now, randomBytes, pass)
        }
    }

    /// The reason why there is no answer.
    package struct Failure: Error, Hashable, Sendable {
        package let cause: Cause
        package let explanation: String
    }

    private let device: SimulatedDevice
    private let route: any CTAPDevice
    private let operation: QROperation
    private let surroundings: Surroundings
    /// The faults of the connection, which counts with its first message.
    private lazy var faults = device.connectionFaults.begin()
    private var computer: HybridInitiator?
    private var phone: HybridAuthenticator?
    private var delivered: [[UInt8]] = []
    private var messageCount = 0

    /// The reason why the last message has no answer.
    package private(set) var failure: Failure?

    /// - Parameters:
    ///   - route: answers the commands over hybrid.
    ///   - operation: the hint in the code.
    package init(
        _ device: SimulatedDevice, route: any CTAPDevice, operation: QROperation, surroundings: Surroundings
    ) {
        (self.device, self.route, self.operation, self.surroundings) = (device, route, operation, surroundings)
    }

    package nonisolated var takesOneCommand: Bool { true }

    package func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        onKeepalive(.processing)
        do throws(Failure) {
            if computer == nil { try await connect() }
            var answer = try await exchange(message)
            if message != [CTAPCommand.getInfo.rawValue], faults.all.contains(.commandAgain) {
                faults.apply(.commandAgain)
                answer = try await exchange(message)
            }
            return answer
        } catch {
            failure = error
            throw error.cause == .phoneSilent || error.cause == .phoneNotNear
                ? .timedOut(error.explanation) : .disconnected(error.explanation)
        }
    }

    // MARK: The connection

    private func connect() async throws(Failure) {
        let now = surroundings.now()
        guard
            let code = ScannedPhone.Code(
                operation: operation, now: UInt64(clamping: now.components.seconds), canLink: asksForLink,
                randomBytes: surroundings.randomBytes)
        else { throw Self.failed(.refused(.noEphemeralKey)) }
        try await useAdapter()
        do {
            try device.requireScanning()
        } catch {
            throw Failure(cause: error.cause, explanation: error.description)
        }
        let contents: QRContents
        do {
            contents = try device.readCode(code.contents.text, now: surroundings.now(), faults: faults)
        } catch {
            throw Failure(cause: error.cause, explanation: error.description)
        }
        let configuration: PhoneConfiguration
        do {
            configuration = try await device.phoneConfiguration(over: route, identity: identity, faults: faults)
        } catch {
            throw Failure(cause: .phoneSilent, explanation: error.description)
        }
        guard
            var phone = HybridAuthenticator(
                scanned: contents, configuration, randomBytes: surroundings.randomBytes)
        else { throw Self.failed(.refused(.noEphemeralKey)) }
        var computer = HybridInitiator(code)
        let actions = computer.start()
        (self.computer, self.phone) = (computer, phone)
        let begun = phone.start()
        self.phone = phone
        try await perform(actions)
        try await perform(begun)
    }

    /// Whether the computer asks for a link: where a fault of links is armed.
    private var asksForLink: Bool { faults.all.ofPhone.contains(where: \.isOfLink) }

    private var identity: PhoneIdentity? {
        asksForLink ? PhoneIdentity(name: "phone", randomBytes: surroundings.randomBytes) : nil
    }

    /// Waits for the computer's adapter.
    private func useAdapter() async throws(Failure) {
        for case .adapter(let fault) in faults.all {
            faults.apply(.adapter(fault))
            switch fault {
            case .absent:
                throw Failure(
                    cause: .bluetoothUnavailable, explanation: "the computer has no Bluetooth adapter; clear the fault")
            case .off:
                throw Failure(
                    cause: .bluetoothUnavailable,
                    explanation: "the computer's Bluetooth adapter is off; clear the fault")
            case .late(let delay): await surroundings.pass(delay)
            }
        }
    }

    /// Sends a message, and waits for its answer.
    private func exchange(_ message: [UInt8]) async throws(Failure) -> [UInt8] {
        delivered = []
        if phone?.stage == .closed { throw Self.failed(.tunnelClosed(computer?.stage ?? .closed)) }
        try await tell(.send(message))
        if let answer = delivered.first { return answer }
        await surroundings.pass(Self.patience)
        let explanation =
            "after \(Self.patience.components.seconds) s the computer is in the stage"
            + " \"\((computer?.stage ?? .closed).rawValue)\""
        throw Failure(
            cause: computer?.stage == .discovery ? .phoneNotNear : .phoneSilent, explanation: explanation)
    }

    private func tell(_ event: HybridInitiator.Event) async throws(Failure) {
        guard let actions = computer?.handle(event) else { return }
        try await perform(actions)
    }

    private func tell(phone event: HybridAuthenticator.Event) async throws(Failure) {
        guard let actions = phone?.handle(event) else { return }
        try await perform(actions)
    }

    private func perform(_ actions: [HybridInitiator.Action]) async throws(Failure) {
        for action in actions {
            switch action {
            case .openTunnel(let request): try await openTunnel(request)
            case .send(let frame): if try passesOn() { try await tell(phone: .frame(frame)) }
            case .deliver(let answer): delivered.append(answer)
            case .close(let end):
                // The computer has its answer, and needs nothing more.
                guard delivered.isEmpty else { continue }
                _ = phone?.handle(.tunnelClosed)
                throw Self.failed(end)
            case .phoneConnected, .ready, .keep, .forget, .ignore: break
            }
        }
    }

    private func perform(_ actions: [HybridAuthenticator.Action]) async throws(Failure) {
        for action in actions {
            switch action {
            case .openTunnel: try await openPhonesTunnel()
            case .advertise(let advert): try await tell(.advert(advert.serviceData))
            case .send(let frame, let delay):
                if delay > .zero { await surroundings.pass(delay) }
                if try passesOn() { try await tell(.frame(frame)) }
            case .perform(let command):
                let answer = try? await route.answerOverHybrid(command)
                try await tell(phone: .answer(answer ?? [CTAPStatus.other.rawValue]))
            case .apply(let fault): faults.apply(.phone(fault))
            case .close(let end):
                if delivered.isEmpty { throw await phoneClosed(end) }
            case .stopAdvertising, .ready, .cancel, .ignore: break
            }
        }
    }

    /// The reason at the computer when the phone ends the connection; a computer without an advert waits on.
    private func phoneClosed(_ end: HybridEnd) async -> Failure {
        let isWaiting = computer?.stage == .discovery
        if isWaiting { await surroundings.pass(Self.patience) }
        if case .refused = end { return Self.failed(end) }
        return isWaiting ? Failure(cause: .phoneNotNear, explanation: end.description) : Self.failed(end)
    }

    private static func failed(_ end: HybridEnd) -> Failure {
        Failure(cause: end.cause, explanation: end.description)
    }

    // MARK: The tunnel

    /// The routing ID of the one tunnel.
    private static let routingID = "000001"

    private func openPhonesTunnel() async throws(Failure) {
        for case .tunnel(.refusesPhone(let status)) in faults.all {
            faults.apply(.tunnel(.refusesPhone(status: status)))
            return try await tell(phone: .tunnelFailed(status: status))
        }
        try await tell(phone: .tunnelOpened(routingID: Self.routingID))
    }

    private func openTunnel(_ request: TunnelRequest) async throws(Failure) {
        guard let host = request.domain.host, TunnelDomain.assignedHosts.contains(host) else {
            throw Failure(
                cause: .tunnelUnavailable,
                explanation:
                    "the computer does not reach the tunnel service of domain \(request.domain.rawValue); clear the fault"
            )
        }
        for case .tunnel(.refuses(let status, let location)) in faults.all {
            faults.apply(.tunnel(.refuses(status: status, location: location)))
            return try await tell(.tunnelFailed(status: status))
        }
        try await tell(.tunnelOpened(signalsConnection: false))
    }

    /// Whether the tunnel hands the next message on.
    private func passesOn() throws(Failure) -> Bool {
        messageCount += 1
        for case .tunnel(let fault) in faults.all {
            switch fault {
            case .isSilent:
                faults.apply(.tunnel(fault))
                return false
            case .drops(let count) where messageCount > count:
                faults.apply(.tunnel(fault))
                throw Self.failed(.tunnelClosed(computer?.stage ?? .closed))
            case .drops, .refuses, .refusesPhone: break
            }
        }
        return true
    }
}
