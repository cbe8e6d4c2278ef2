/// The state a device reports while it works on a request, so that the client keeps waiting.
///
/// The raw value is the CTAPHID KEEPALIVE payload byte (CTAP 2.3 §11.2.9.1.7).
public enum KeepaliveStatus: UInt8, Sendable {
    /// The device is computing.
    case processing = 0x01
    /// The device waits for the user to touch it or to verify.
    case userPresenceNeeded = 0x02
}

/// A device that answers CTAP2: a virtual authenticator, a security key behind a transport, a recording.
///
/// A message is the CTAP2 command byte followed by its CBOR parameters; an answer is the status byte followed by
/// its CBOR (CTAP 2.3 §8). Clients speak to a device only through this protocol.
///
/// Cancelling the calling task is the cancel request of the transport (CTAPHID_CANCEL): the device answers
/// `CTAP2_ERR_KEEPALIVE_CANCEL` (0x2D) when it was waiting for the user, and its ordinary answer otherwise.
public protocol CTAPDevice: Sendable {
    /// Whether the device answers CTAP2; false for a key of CTAP1/U2F alone, which is reached as a ``U2FDevice``.
    var answersCTAP2: Bool { get }

    /// Whether each connection takes one command beside getInfo, as a phone's over hybrid transport (CTAP 2.3 §11.5).
    ///
    /// A client sends such a device the ceremony's request alone, with the whole list of credentials.
    var takesOneCommand: Bool { get }

    /// Sends one request and returns the answer.
    ///
    /// - Parameters:
    ///   - message: the command byte and its CBOR parameters.
    ///   - onKeepalive: called each time the device starts to compute or to wait for the user.
    /// - Returns: the status byte and the response CBOR; never empty.
    /// - Throws: ``CTAPDeviceError`` when there is no answer. A refusal is an answer, not an error.
    func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8]
}

extension CTAPDevice {
    /// Default: yes.
    public var answersCTAP2: Bool { true }

    /// Default: no.
    public var takesOneCommand: Bool { false }

    /// Sends one request and returns the answer, without reporting keepalives.
    public func transceive(_ message: [UInt8]) async throws(CTAPDeviceError) -> [UInt8] {
        try await transceive(message, onKeepalive: { _ in })
    }
}

/// A device whose power can be switched off and on, as by unplugging a key and plugging it in again.
///
/// It clears PIN-auth blocks, tokens, pending assertions and enumerations, and opens the reset window;
/// credentials, PIN, retries and counters stay (CTAP 2.3 §6.5.5, §6.6).
public protocol PowerCyclable: Sendable {
    /// Switches the power off and on.
    func powerCycle() async
}

/// A device did not answer.
public enum CTAPDeviceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The device is not connected, or was disconnected during the request.
    case disconnected(String)
    /// The device stayed silent for longer than the transport allows.
    case timedOut(String)
    /// The device waited too long for the rest of a message (CTAPHID ERR_MSG_TIMEOUT, 0x05).
    case messageTimeout
    /// The device or the transport violated the transport's rules.
    case protocolViolation(String)
    /// The device is occupied by another client (CTAPHID ERR_CHANNEL_BUSY, 0x06).
    case busy

    /// The detail.
    public var detail: String {
        switch self {
        case .disconnected(let detail), .timedOut(let detail), .protocolViolation(let detail): detail
        case .messageTimeout, .busy: description
        }
    }

    /// The error and its detail.
    public var description: String {
        switch self {
        case .disconnected(let detail): "the device is not connected: \(detail)"
        case .timedOut(let detail): "the device did not answer in time: \(detail)"
        case .protocolViolation(let detail): "the device violated the transport's rules: \(detail)"
        case .messageTimeout:
            "the device did not get the whole message in time (ERR_MSG_TIMEOUT); send it again when this machine is less busy"
        case .busy: "the device is busy with another client"
        }
    }
}
