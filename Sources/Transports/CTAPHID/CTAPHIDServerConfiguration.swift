/// The behaviour of the device's side of CTAPHID.
package struct CTAPHIDServerConfiguration: Hashable, Sendable {
    /// The advertised capabilities; WINK, CBOR and MSG are answered or refused accordingly.
    package var capabilities: CTAPHIDCapabilities = [.wink, .cbor, .noMessage]
    package var deviceVersion = CTAPHIDDeviceVersion(major: 1, minor: 0, build: 0)
    package var supportsLock = true
    /// Whether channels that were never allocated are served.
    ///
    /// Some clients of UDP simulators invent their channel identifiers; a USB device refuses those.
    package var servesUnknownChannels = false
    /// Whether the report ``PowerCycleReport/bytes`` switches the power off and on.
    package var recognizesPowerCycleReport = false
    /// The most channels remembered, at least 2; the least recently used one is dropped first.
    package var channelLimit = 256
    /// The longest pause inside a message before ERR_MSG_TIMEOUT; existing clients expect 0.4 s to 1.0 s.
    package var messageTimeout: Duration = .milliseconds(500)
    /// The time between two KEEPALIVE messages of a running command.
    ///
    /// At least one is due every 100 ms (CTAP 2.3 §11.2.9.1.7), and timers fire late rather than early.
    package var keepaliveInterval: Duration = .milliseconds(80)

    /// Creates the behaviour of a USB security key without U2F.
    package init() {}
}
