package import CTAP

/// Records the messages of the device it wraps.
package struct TracedDevice<Device: CTAPDevice>: CTAPDevice {
    private let device: Device
    private let trace: DeviceTrace

    /// Wraps a device.
    package init(_ device: Device, trace: DeviceTrace) {
        self.device = device
        self.trace = trace
    }

    package func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        let call = trace.began(message)
        return try await trace.during(call) { () async throws(CTAPDeviceError) in
            try await device.transceive(message) { status in
                trace.keepalive(status, during: call)
                onKeepalive(status)
            }
        }
    }
}

extension TracedDevice: PowerCyclable where Device: PowerCyclable {
    package func powerCycle() async {
        let call = TracedCall(exchange: nil, request: [], beganAt: .zero)
        await TracedCall.$current.withValue(call) { await device.powerCycle() }
        // A simulated device records it in its own events.
        if !call.hasPowerCycled { trace.emit { .powerCycle } }
    }
}
