package import CTAP
package import CTAPHID

/// A device reached by CTAPHID.
package protocol CTAPHIDDevice: CTAPDevice {
    var connection: CTAPHIDConnection { get }
}

extension CTAPHIDDevice {
    /// Sends one CTAP2 message and returns the answer, which may be an error status.
    package func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        try await connection.transceive(message, onKeepalive: onKeepalive)
    }

    /// Makes the device identify itself to the user.
    package func wink() async throws(CTAPDeviceError) {
        _ = try await connection.exchange(.request(.wink, []))
    }

    /// The device's INIT answer.
    package func initialization() async -> CTAPHIDInitialization? {
        await connection.initialization()
    }

    /// Closes the connection; running requests end with ``CTAP/CTAPDeviceError/disconnected(_:)``.
    package func close() async {
        await connection.close()
    }
}
