internal import CTAP
package import CTAPHybrid
internal import DeviceProfiles
package import HybridLink
internal import SimulatedDevice
internal import VirtualAuthenticator
internal import WebAuthn

extension DeviceHost {
    /// The age beyond which the phone takes a QR code for an old one.
    package static let longestCodeAge = Duration.seconds(300)

    /// The phone scans a QR code, and answers the other end until the connection ends; a cancelled task ends it.
    ///
    /// - Parameters:
    ///   - text: the text of the code, which begins with `FIDO:/`.
    ///   - faults: the phone's deliberate errors in this connection.
    ///   - note: is called with each action of the phone before it is performed.
    /// - Returns: the reason why the connection ended.
    /// - Throws: ``DeviceHostError/impossible(_:)`` for a device that is not a phone and for a code that is none or too old,
    ///   and the radio's error.
    package func scan(
        _ text: String, over way: HybridWay, faults: [HybridFault] = [],
        note: @escaping @Sendable (HybridAuthenticator.Action) -> Void = { _ in }
    ) async throws -> HybridEnd {
        guard device.profile.authenticator.transports.contains(.hybrid) else {
            throw DeviceHostError.impossible(
                "\(name) does not scan codes: its profile \(device.profile.name) has no transport hybrid; choose a phone"
            )
        }
        let code: QRContents
        do {
            code = try QRContents(text: text)
            try code.checkAge(at: clock.now(), limit: Self.longestCodeAge)
        } catch {
            throw DeviceHostError.impossible("\(error)")
        }
        let route = device.ctap(over: .hybrid)
        let answer = try await route.transceive([CTAPCommand.getInfo.rawValue])
        // A phone that refuses getInfo has none for the other end.
        let isInfo = answer.first == CTAPStatus.ok.rawValue
        var configuration = PhoneConfiguration(info: isInfo ? Array(answer.dropFirst()) : nil)
        configuration.faults = HybridFaults(faults)
        return try await PhoneConnection.run(
            scanned: code, as: configuration, device: hybrid, way: way, randomBytes: SystemRandomSource().bytes,
            pass: { [clock] in await clock.pass(until: clock.now() + $0) }, note: note)
    }
}
