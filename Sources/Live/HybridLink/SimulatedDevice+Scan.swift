package import CTAP
package import CTAPHybrid
package import Faults
internal import HybridTunnel
package import SimulatedDevice
internal import VirtualAuthenticator

extension SimulatedDevice {
    /// The age beyond which a phone takes a QR code for an old one.
    package static let longestCodeAge = Duration.seconds(300)

    /// Reads a QR code as the phone sees it, with the armed faults of codes.
    ///
    /// - Parameters:
    ///   - text: the text of the code, which begins with `FIDO:/`.
    ///   - now: the time since the Unix epoch at the phone.
    /// - Throws: ``QRError`` for a code that is none, or too old.
    package func readCode(
        _ text: String, now: Duration, faults: ConnectionFaults.Connection
    ) throws(QRError) -> QRContents {
        var code = try QRContents(text: text)
        for fault in faults.all.ofCode {
            faults.apply(.code(fault))
            code = try QRContents(text: code.text(with: fault))
        }
        try code.checkAge(at: now, limit: Self.longestCodeAge)
        return code
    }

    /// The phone's behaviour on a connection, with the armed faults of phones.
    ///
    /// - Parameter route: answers getInfo over hybrid.
    package func phoneConfiguration(
        over route: any CTAPDevice, faults: ConnectionFaults.Connection
    ) async throws(CTAPDeviceError) -> PhoneConfiguration {
        let answer = try await route.transceive([CTAPCommand.getInfo.rawValue])
        // A phone that refuses getInfo has none for the other end.
        let isInfo = answer.first == CTAPStatus.ok.rawValue
        var configuration = PhoneConfiguration(info: isInfo ? Array(answer.dropFirst()) : nil)
        configuration.faults = HybridFaults(faults.all.ofPhone)
        return configuration
    }

    /// The phone scans a QR code, and answers the other end until the connection ends; a cancelled task ends it.
    ///
    /// - Parameters:
    ///   - text: the text of the code, which begins with `FIDO:/`.
    ///   - way: the radio and the tunnels.
    ///   - route: answers the commands over hybrid.
    ///   - now: the time since the Unix epoch at the phone.
    ///   - pass: lets a time pass, for faults that delay.
    ///   - note: is called with each action of the phone before it is performed.
    /// - Returns: the reason why the connection ended.
    /// - Throws: ``DeviceRefusal`` for a device that does not scan, ``QRError`` for a code that is none or too old, and the radio's
    ///   error.
    package func scan(
        _ text: String, over way: HybridWay, route: any CTAPDevice, now: Duration,
        pass: @escaping @Sendable (Duration) async throws -> Void,
        note: @escaping @Sendable (HybridAuthenticator.Action) -> Void = { _ in }
    ) async throws -> HybridEnd {
        try requireScanning()
        let faults = connectionFaults.begin()
        let code = try readCode(text, now: now, faults: faults)
        let tunnelID = KeyPurpose.tunnelID.derive(from: code.secret)
        await way.tunnel.arm(faults.all.ofTunnel, in: tunnelID) { faults.apply(.tunnel($0)) }
        let end: Result<HybridEnd, any Error>
        do {
            end = .success(
                try await PhoneConnection.run(
                    scanned: code, as: try await phoneConfiguration(over: route, faults: faults), device: route, way: way,
                    randomBytes: SystemRandomSource().bytes, pass: pass,
                    note: { action in
                        if case .apply(let fault) = action { faults.apply(.phone(fault)) }
                        note(action)
                    }))
        } catch {
            end = .failure(error)
        }
        await way.tunnel.endFaults(in: tunnelID)
        return try end.get()
    }
}
