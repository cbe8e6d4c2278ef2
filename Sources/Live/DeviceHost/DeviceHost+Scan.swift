package import CTAPHybrid
package import HybridLink
internal import SimulatedDevice

extension DeviceHost {
    /// The phone scans a QR code, and answers the other end until the connection ends; a cancelled task ends it.
    ///
    /// - Parameters:
    ///   - text: the text of the code, which begins with `FIDO:/`.
    ///   - note: is called with each action of the phone before it is performed.
    /// - Returns: the reason why the connection ended.
    /// - Throws: ``DeviceHostError/refused(_:)`` for a phone that is locked or offline, ``DeviceHostError/impossible(_:)`` for a
    ///   device that is not a phone and for a code that is none or too old, and the radio's error.
    package func scan(
        _ text: String, over way: HybridWay, note: @escaping @Sendable (HybridAuthenticator.Action) -> Void = { _ in }
    ) async throws -> HybridEnd {
        do {
            return try await device.scan(
                text, over: way, route: hybrid, now: clock.now(),
                pass: { [clock] in await clock.pass(until: clock.now() + $0) }, note: note)
        } catch let refusal as DeviceRefusal {
            throw refusal.isAboutDevices
                ? DeviceHostError.impossible("\(name): \(refusal)") : .refused("\(name): \(refusal)")
        } catch let error as QRError {
            throw DeviceHostError.impossible("\(error)")
        }
    }
}
