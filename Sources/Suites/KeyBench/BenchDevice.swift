package import CTAP
internal import CTAPHID
package import DeviceProfiles
package import HybridLink
internal import Machine
package import SecurityKeys
package import SimulatedDevice
package import Trace
internal import Transports
internal import VirtualAuthenticator
package import WebAuthn
internal import WebAuthnClient

/// The client that manages a key.
package enum KeyRoute: String, CaseIterable, Sendable {
    /// libfido2, which most programs use.
    case libfido2
    /// The bench's own client, over raw CTAP.
    case direct
}

/// A device that was found, and the ways to use it.
package struct BenchDevice: Sendable {
    package enum Place: Sendable {
        case virtual(SimulatedDevice)
        case usb(USBKey)
        case nfc(reader: String)
        case udp(host: String, port: Int)
        case hybrid(HybridPhone)
    }

    package let selector: DeviceSelector
    /// Its title: the product name, reader or address.
    package let title: String
    package let place: Place

    /// The transport reported to relying parties: `usb`, `nfc`, `internal`, `hybrid`.
    package var transport: AuthenticatorTransport {
        switch place {
        case .virtual(let device): device.profile.directTransport
        case .usb, .udp: .usb
        case .nfc: .nfc
        case .hybrid: .hybrid
        }
    }

    /// Whether each connection takes one command beside getInfo, so that none is sent for information.
    package var takesOneCommand: Bool { if case .hybrid = place { true } else { false } }

    /// The phone that is reached over hybrid transport; nil for other devices.
    package var phone: HybridPhone? { if case .hybrid(let phone) = place { phone } else { nil } }

    package var isSimulated: Bool { if case .virtual = place { true } else { false } }

    private var isSimulatedU2FAlone: Bool {
        if case .virtual(let device) = place { !device.authenticator.answersCTAP2 } else { false }
    }

    /// `1050:0402`, for a key on USB.
    package var usbID: String? { usbIdentity?.id }

    /// The USB identity; nil for other devices.
    package var usbIdentity: USBIdentity? {
        switch place {
        case .usb(let key): USBIdentity(vendorID: key.vendorID, productID: key.productID, name: key.name)
        case .virtual(let device): device.profile.usb
        case .udp, .nfc, .hybrid: nil
        }
    }

    /// The path of a USB key's node; nil for other devices.
    package var path: String? { if case .usb(let key) = place { key.path } else { nil } }

    /// Opens the device for raw CTAP and closes it afterwards; a key of U2F alone answers through its platform.
    package func withDevice<Result: Sendable>(
        trace: DeviceTrace? = nil, _ use: (any CTAPDevice) async throws -> Result
    ) async throws -> Result {
        switch place {
        case .virtual(let device):
            let route: any CTAPDevice = device.ctap(over: transport)
            let used = device.u2f(over: transport).flatMap { route.answersCTAP2 ? nil : U2FTranslator($0) } ?? route
            return try await use(trace?.traced(used) ?? used)
        case .usb(let key):
            let device = try await HIDRawDevice.open(path: key.path)
            let used: any CTAPDevice = device.answersCTAP2 ? device : U2FTranslator(device)
            return try await closing(device.close) { try await use(trace?.traced(used) ?? used) }
        case .nfc(let reader):
            let device = try await NFCSecurityKey.open(reader: reader)
            return try await closing(device.close) { try await use(trace?.traced(device) ?? device) }
        case .udp(let host, let port):
            let device = try await UDPDevice.connect(to: host, port: port)
            let hasCTAP2 = await device.initialization()?.capabilities.contains(.cbor) != false
            let used: any CTAPDevice = hasCTAP2 ? device : U2FTranslator(device)
            return try await closing(device.close) { try await use(trace?.traced(used) ?? used) }
        case .hybrid(let phone):
            return try await closing(phone.close) { try await use(trace?.traced(phone) ?? phone) }
        }
    }

    /// Opens the key for management and closes it afterwards.
    ///
    /// - Parameter onKeepalive: is called when the key waits for the user.
    package func withKey<Result: Sendable>(
        by route: KeyRoute, trace: DeviceTrace? = nil,
        onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void = { _ in },
        _ use: @escaping @Sendable (any SecurityKey) async throws -> Result
    ) async throws -> Result {
        // libfido2 has no getInfo for a key of U2F alone.
        guard route == .libfido2, !isSimulatedU2FAlone else {
            return try await withDevice(trace: trace) { device in
                try await use(DirectKey(device, onKeepalive: onKeepalive))
            }
        }
        switch place {
        case .virtual(let device):
            let reports = InProcessReportTransport(device.ctap(over: transport), u2f: device.u2f)
            defer { reports.disconnect() }
            return try await withLibFIDO2(.reports(reports), trace, onKeepalive, use)
        case .usb(let key): return try await withLibFIDO2(try key.connection(), trace, onKeepalive, use)
        case .udp, .nfc, .hybrid:
            // libfido2 has no transport of its own here and exchanges whole messages.
            return try await withDevice(trace: trace) { device in
                // The library opens a device within ten seconds; a phone may take its time to scan the code.
                if takesOneCommand { _ = try await device.transceive([CTAPCommand.getInfo.rawValue]) }
                return try await withLibFIDO2(
                    .messages(device.reporting(to: onKeepalive), u2f: nil), nil, onKeepalive, use)
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
