/// How the device side of CTAPHID behaves.
package struct CTAPHIDServerConfiguration: Hashable, Sendable {
    /// What the device says it can do, and therefore does: WINK, CBOR and MSG are answered or refused accordingly.
    package var capabilities: CTAPHIDCapabilities = [.wink, .cbor, .noMessage]
    /// The version in the INIT answer.
    package var deviceVersion = CTAPHIDDeviceVersion(major: 1, minor: 0, build: 0)
    /// Whether the optional command LOCK is answered.
    package var supportsLock = true
    /// Whether channels that were never given out are served as if they had been.
    ///
    /// Some hosts of UDP simulators make up their channel identifiers; a USB device refuses those.
    package var servesUnknownChannels = false
    /// Whether the report ``PowerCycleReport/bytes`` takes the power away and gives it back.
    package var recognizesPowerCycleReport = false
    /// The most channels that are remembered, at least 2.
    ///
    /// The one unused for longest makes room for the next.
    package var channelLimit = 256
    /// How long an unfinished message may rest before ERR_MSG_TIMEOUT; existing hosts expect 0.4 s to 1.0 s.
    package var messageTimeout: Duration = .milliseconds(500)
    /// The time between two KEEPALIVE messages while a command runs: at least one every 100 ms (CTAP 2.3 §11.2.9.2.1),
    /// and a timer is late rather than early.
    package var keepaliveInterval: Duration = .milliseconds(80)

    /// Creates the behaviour of a USB security key without U2F.
    package init() {}
}
