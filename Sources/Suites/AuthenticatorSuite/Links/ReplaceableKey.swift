internal import CTAP
internal import CTAPHID
internal import SecurityKeys
internal import Synchronization
internal import Transports

/// A key on USB that may be unplugged and plugged in again.
final class ReplaceableKey: CTAPDevice, U2FDevice, ReportTransport {
    private struct State {
        var key: USBKey
        var device: HIDRawDevice
        var reports: (any ReportTransport)?
    }

    /// How long a person may take, and how often the bench looks.
    private static let (patience, pause) = (Duration.seconds(60), Duration.milliseconds(200))

    private let state: Mutex<State>
    private let answerLimit: Duration

    /// Opens a key.
    init(_ key: USBKey, answerLimit: Duration) async throws(CTAPDeviceError) {
        self.answerLimit = answerLimit
        let device = try await HIDRawDevice.open(path: key.path, exchangeLimit: answerLimit)
        state = Mutex(State(key: key, device: device))
    }

    private func open(_ key: USBKey) async throws(CTAPDeviceError) -> HIDRawDevice {
        try await HIDRawDevice.open(path: key.path, exchangeLimit: answerLimit)
    }

    func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        let device = state.withLock { $0.device }
        return try await device.transceive(message, onKeepalive: onKeepalive)
    }

    func answerU2F(_ apdu: [UInt8]) async throws(CTAPDeviceError) -> [UInt8] {
        let device = state.withLock { $0.device }
        return try await device.answerU2F(apdu)
    }

    /// Waits until the key was unplugged and plugged in again, by a person where `replug` is nil, and opens it.
    func waitForReplug(by replug: (@Sendable () async throws -> Void)? = nil) async throws {
        let key = state.withLock { $0.key }
        try await replug?()
        var isGone = replug != nil
        let end = ContinuousClock.now + Self.patience
        while ContinuousClock.now < end {
            let found = try Self.found(key)
            isGone = isGone || found == nil
            if isGone, let found, let device = try? await open(found) {
                state.withLock { $0 = State(key: found, device: device) }
                return
            }
            try await Task.sleep(for: Self.pause)
        }
        throw CTAPDeviceError.timedOut("the key was not plugged in again within \(Self.patience)")
    }

    /// Asks for a new channel; a key that has started anew is opened again.
    func reopen() async throws {
        let (key, device) = state.withLock { ($0.key, $0.device) }
        try await AuthenticatorLink.patiently {
            if (try? await device.requestChannel()) != nil { return }
            guard let found = try Self.found(key) else {
                throw CTAPDeviceError.disconnected("\(key.path) is no longer there")
            }
            let device = try await open(found)
            state.withLock { $0 = State(key: found, device: device) }
        }
    }

    /// The key at the same place of the bus, or of the same model where the system does not tell places.
    private static func found(_ key: USBKey) throws -> USBKey? {
        try USBKey.all().first { other in
            key.place.map { $0 == other.place }
                ?? (other.vendorID == key.vendorID && other.productID == key.productID)
        }
    }

    func read(within milliseconds: Int) throws(CTAPDeviceError) -> [UInt8]? {
        try transport().read(within: milliseconds)
    }

    func write(_ report: [UInt8]) -> Bool { (try? transport().write(report)) ?? false }

    private func transport() throws(CTAPDeviceError) -> any ReportTransport {
        let (known, key) = state.withLock { ($0.reports, $0.key) }
        if let known { return known }
        guard case .reports(let opened) = try key.connection() else {
            throw .disconnected("this system does not show the reports of \(key.path)")
        }
        state.withLock { $0.reports = opened }
        return opened
    }

    func close() async { await state.withLock { $0.device }.close() }
}
