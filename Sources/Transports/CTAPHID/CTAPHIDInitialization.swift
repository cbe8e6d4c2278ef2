/// The answer to INIT: the allocated channel, and the device's version and capabilities (CTAP 2.3 §11.2.9.1.3).
///
/// Seventeen bytes: the client's nonce (8), the channel (4, big-endian), the version of the CTAPHID protocol (1), the
/// version of the device as major, minor and build (1 each), and ``CTAPHIDCapabilities`` (1).
package struct CTAPHIDInitialization: Hashable, Sendable {
    package static let nonceLength = 8
    /// The number of bytes in the answer; later versions may append bytes.
    package static let length = 17

    /// The nonce of the request, by which the client recognises its answer.
    package var nonce: [UInt8]
    package var channel: CTAPHIDChannel
    /// The version of the CTAPHID protocol; 2 in every published version of CTAP2.
    package var protocolVersion: UInt8 = 2
    package var deviceVersion: CTAPHIDDeviceVersion
    package var capabilities: CTAPHIDCapabilities
}

extension CTAPHIDInitialization {
    package init?(payload: [UInt8]) {
        guard payload.count >= Self.length else { return nil }
        nonce = Array(payload[..<8])
        channel = CTAPHIDChannel(rawValue: payload[8..<12].reduce(0) { $0 << 8 | UInt32($1) })
        protocolVersion = payload[12]
        deviceVersion = CTAPHIDDeviceVersion(major: payload[13], minor: payload[14], build: payload[15])
        capabilities = CTAPHIDCapabilities(rawValue: payload[16])
    }

    package var payload: [UInt8] {
        let channelBytes = ([24, 16, 8, 0] as [UInt32]).map { UInt8(truncatingIfNeeded: channel.rawValue >> $0) }
        let version = [deviceVersion.major, deviceVersion.minor, deviceVersion.build]
        return nonce + channelBytes + [protocolVersion] + version + [capabilities.rawValue]
    }
}

/// The device version in an INIT answer.
package struct CTAPHIDDeviceVersion: Hashable, Sendable {
    package var major: UInt8
    package var minor: UInt8
    package var build: UInt8
}
