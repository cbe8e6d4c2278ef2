package import CTAP
package import CTAPHID

/// A device reached by CTAPHID.
package protocol CTAPHIDDevice: CTAPDevice {
    var connection: CTAPHIDConnection { get }
}

extension CTAPHIDDevice {
    package func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        try await connection.transceive(message, onKeepalive: onKeepalive)
    }

    package func answerU2F(_ apdu: [UInt8]) async throws(CTAPDeviceError) -> [UInt8] {
        try await connection.exchange(.request(.message, apdu))
    }

    /// Requests a new channel, such as after the device has forgotten its channels.
    package func requestChannel() async throws(CTAPDeviceError) { _ = try await connection.exchange(.open) }

    package func wink() async throws(CTAPDeviceError) { _ = try await connection.exchange(.request(.wink, [])) }

    package func initialization() async -> CTAPHIDInitialization? { await connection.initialization() }

    package func close() async { await connection.close() }
}
