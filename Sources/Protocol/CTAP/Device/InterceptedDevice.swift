/// A device whose requests pass through a hook, which may record, change, answer or withhold them.
package struct InterceptedDevice<Device: CTAPDevice>: CTAPDevice {
    /// Answers a request, usually with the device's own answer.
    package typealias Hook =
        @Sendable (
            _ device: Device, _ message: [UInt8], _ onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
        ) async throws(CTAPDeviceError) -> [UInt8]

    private let device: Device
    private let answer: Hook
    private let aroundPowerCycle: @Sendable (_ cycle: @Sendable () async -> Void) async -> Void

    /// `aroundPowerCycle` switches the power off and on by calling its argument.
    package init(
        _ device: Device,
        aroundPowerCycle: @escaping @Sendable (_ cycle: @Sendable () async -> Void) async -> Void = { await $0() },
        answer: @escaping Hook
    ) {
        self.device = device
        self.aroundPowerCycle = aroundPowerCycle
        self.answer = answer
    }

    package var answersCTAP2: Bool { device.answersCTAP2 }

    package var takesOneCommand: Bool { device.takesOneCommand }

    package func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        try await answer(device, message, onKeepalive)
    }
}

extension InterceptedDevice: PowerCyclable where Device: PowerCyclable {
    package func powerCycle() async {
        let device = device
        await aroundPowerCycle { await device.powerCycle() }
    }
}

extension CTAPDevice {
    /// This device with a second receiver of its keepalives.
    package func reporting(to second: @escaping @Sendable (KeepaliveStatus) -> Void) -> any CTAPDevice {
        InterceptedDevice(self) { (device, message, onKeepalive) async throws(CTAPDeviceError) in
            try await device.transceive(message) { status in
                second(status)
                onKeepalive(status)
            }
        }
    }

    /// This device with a receiver of the end of each request.
    package func observed(
        by observer: @escaping @Sendable (_ message: [UInt8], Result<[UInt8], CTAPDeviceError>) -> Void
    ) -> any CTAPDevice {
        InterceptedDevice(self) { (device, message, onKeepalive) async throws(CTAPDeviceError) in
            do throws(CTAPDeviceError) {
                let bytes = try await device.transceive(message, onKeepalive: onKeepalive)
                observer(message, .success(bytes))
                return bytes
            } catch {
                observer(message, .failure(error))
                throw error
            }
        }
    }

    /// This device with all its requests answered by a hook.
    package func replaced(
        by answer: @escaping @Sendable (_ message: [UInt8]) async throws(CTAPDeviceError) -> [UInt8]
    ) -> any CTAPDevice {
        InterceptedDevice(self) { (_, message, _) async throws(CTAPDeviceError) in try await answer(message) }
    }
}
