/// Bytes that are not a CTAPHID packet, or packets that are not a message.
package enum CTAPHIDFramingError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A report has this many bytes instead of ``CTAPHIDPacket/length``.
    case reportLength(Int)
    /// A message declares or holds this many bytes, more than ``CTAPHIDMessage/maximumPayloadLength``.
    case messageTooLong(Int)
    /// A message began with a continuation packet.
    case notAnInitializationPacket
    /// A packet of another kind, channel or number came where a certain continuation packet was due.
    case unexpectedPacket(expectedSequence: UInt8)

    package var description: String {
        switch self {
        case .reportLength(let count):
            "a report of \(count) bytes; CTAPHID reports have \(CTAPHIDPacket.length)"
        case .messageTooLong(let count):
            "a message of \(count) bytes; CTAPHID carries at most \(CTAPHIDMessage.maximumPayloadLength)"
        case .notAnInitializationPacket:
            "a message that begins with a continuation packet"
        case .unexpectedPacket(let sequence):
            "a packet out of turn; continuation \(sequence) was due"
        }
    }
}
