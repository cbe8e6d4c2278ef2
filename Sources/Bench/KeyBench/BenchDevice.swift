package import CTAP
internal import CTAPHID
package import DeviceProfiles
package import SecurityKeys
internal import SimulatedDevice
package import Trace
internal import Transports
internal import VirtualAuthenticator

/// Who manages a key for us.
package enum KeyRoute: String, CaseIterable, Sendable {
    /// libfido2, as most programs do.
    case libfido2
    /// Our own client, over raw CTAP.
    case direct
}

/// One device that was found: what it is, and the ways to work with it.
package struct BenchDevice: Sendable {
    /// How it is reached.
    enum Place: Sendable {
        case virtual(SimulatedDevice)
        case usb(USBKey)
        case nfc(reader: String)
        case udp(host: String, port: Int)
    }

    /// What names it.
    package let selector: DeviceSelector
    /// What it calls itself.
    package let title: String
    let place: Place

    /// The transport relying parties are told: `usb`, `nfc`, `internal`.
    package var transport: String {
        switch place {
        case .virtual(let device):
            // Over NFC every touch would be another tap, and in this process nobody lays the device down.
            device.profile.authenticator.transports.first { $0 != "nfc" } ?? "internal"
        case .usb, .udp: "usb"
        case .nfc: "nfc"
        }
    }

    /// `1050:0402`, for a key on USB.
    package var usbID: String? { usbIdentity?.id }

    /// How a key on USB shows on its bus.
    package var usbIdentity: USBIdentity? {
        switch place {
        case .usb(let key): USBIdentity(vendorID: key.vendorID, productID: key.productID, name: key.name)
        case .virtual(let device): device.profile.usb
        case .udp, .nfc: nil
        }
    }

    /// What is opened: a node, for a key on USB.
    package var path: String? { if case .usb(let key) = place { key.path } else { nil } }

    /// Works with the device byte for byte.
    package func withDevice<Result: Sendable>(
        trace: DeviceTrace? = nil, _ use: (any CTAPDevice) async throws -> Result
    ) async throws -> Result {
        switch place {
        case .virtual(let device):
            let route = device.ctap(over: transport)
            return try await use(trace.map { $0.traced(route) } ?? route)
        case .usb(let key):
            let device = try await HIDRawDevice.open(path: key.path)
            return try await closing(device.close) { try await use(trace?.traced(device) ?? device) }
        case .nfc(let reader):
            let device = try await NFCSecurityKey.open(reader: reader)
            return try await closing(device.close) { try await use(trace?.traced(device) ?? device) }
        case .udp(let host, let port):
            let device = try await UDPDevice.connect(to: host, port: port)
            return try await closing(device.close) { try await use(trace?.traced(device) ?? device) }
        }
    }

    /// Manages the key.
    ///
    /// - Parameter onKeepalive: hears when the key waits for its person.
    package func withKey<Result: Sendable>(
        by route: KeyRoute, trace: DeviceTrace? = nil,
        onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void = { _ in },
        _ use: @escaping @Sendable (any SecurityKey) async throws -> Result
    ) async throws -> Result {
        guard route == .libfido2 else {
            return try await withDevice(trace: trace) { device in
                try await use(DirectKey(device, onKeepalive: onKeepalive))
            }
        }
        switch place {
        case .virtual(let device):
            let reports = InProcessReportTransport(device.ctap(over: transport), u2f: device.u2f)
            defer { reports.disconnect() }
            return try await withLibFIDO2(.reports(reports), trace, onKeepalive, use)
        case .usb(let key):
            return try await withLibFIDO2(try key.connection(), trace, onKeepalive, use)
        case .udp, .nfc:
            // Whole messages: libfido2 has no transport of its own there.
            return try await withDevice(trace: trace) { device in
                let heard = HeardDevice(device: device, onKeepalive: onKeepalive)
                return try await withLibFIDO2(.messages(heard, u2f: nil), nil, onKeepalive, use)
            }
        }
    }

    private func withLibFIDO2<Result: Sendable>(
        _ connection: LibFIDO2Connection, _ trace: DeviceTrace?,
        _ onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void,
        _ use: @escaping @Sendable (any SecurityKey) async throws -> Result
    ) async throws -> Result {
        let follower = trace?.follower()
        return try await LibFIDO2Key.with(connection) { traffic in
            switch traffic {
            case .request(let message, let isU2F): follower?.request(message, isU2F: isU2F)
            case .keepalive(let status):
                follower?.keepalive(status)
                onKeepalive(status)
            case .cancel: follower?.cancel()
            case .answer(let bytes): follower?.ended(.success(bytes))
            case .lost(let error): follower?.ended(.failure(error))
            case .error(let code):
                follower?.ended(.failure(.protocolViolation("CTAPHID error \(CTAPHIDErrorCode(rawValue: code))")))
            }
        } _: { key in
            try await use(key)
        }
    }
}

/// A device whose keepalives are heard, whoever drives it.
private struct HeardDevice: CTAPDevice {
    let device: any CTAPDevice
    let onKeepalive: @Sendable (KeepaliveStatus) -> Void

    func transceive(
        _ message: [UInt8], onKeepalive theirs: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        try await device.transceive(message) { status in
            onKeepalive(status)
            theirs(status)
        }
    }
}
