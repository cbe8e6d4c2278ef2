/// The reason for refusing a message: the payload byte of CTAPHID ERROR (CTAP 2.3 §11.2.9.1.6).
package struct CTAPHIDErrorCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package var rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// ERR_INVALID_CMD: the device does not know the command.
    package static let invalidCommand = CTAPHIDErrorCode(rawValue: 0x01)
    /// ERR_INVALID_PAR: a parameter is out of range.
    package static let invalidParameter = CTAPHIDErrorCode(rawValue: 0x02)
    /// ERR_INVALID_LEN: the message is longer or shorter than the command allows.
    package static let invalidLength = CTAPHIDErrorCode(rawValue: 0x03)
    /// ERR_INVALID_SEQ: a packet is out of order.
    package static let invalidSequence = CTAPHIDErrorCode(rawValue: 0x04)
    /// ERR_MSG_TIMEOUT: the rest of the message did not arrive in time.
    package static let messageTimeout = CTAPHIDErrorCode(rawValue: 0x05)
    /// ERR_CHANNEL_BUSY: the device is serving another channel.
    package static let channelBusy = CTAPHIDErrorCode(rawValue: 0x06)
    /// ERR_LOCK_REQUIRED: the command needs the channel to hold the lock.
    package static let lockRequired = CTAPHIDErrorCode(rawValue: 0x0A)
    /// ERR_INVALID_CHANNEL: the channel was never allocated, or cannot carry the command.
    package static let invalidChannel = CTAPHIDErrorCode(rawValue: 0x0B)
    /// ERR_OTHER: none of the above.
    package static let other = CTAPHIDErrorCode(rawValue: 0x7F)

    package var description: String {
        switch self {
        case .invalidCommand: "ERR_INVALID_CMD"
        case .invalidParameter: "ERR_INVALID_PAR"
        case .invalidLength: "ERR_INVALID_LEN"
        case .invalidSequence: "ERR_INVALID_SEQ"
        case .messageTimeout: "ERR_MSG_TIMEOUT"
        case .channelBusy: "ERR_CHANNEL_BUSY"
        case .lockRequired: "ERR_LOCK_REQUIRED"
        case .invalidChannel: "ERR_INVALID_CHANNEL"
        case .other: "ERR_OTHER"
        default: "error 0x" + String(rawValue, radix: 16)
        }
    }
}
