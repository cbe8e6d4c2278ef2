/// The reason why bytes are not a CTAPHID packet, or packets not a message.
package enum CTAPHIDFramingError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The report has this many bytes instead of ``CTAPHIDPacket/length``.
    case reportLength(Int)
    /// The message declares or holds this many bytes, more than ``CTAPHIDMessage/maximumPayloadLength``.
    case messageTooLong(Int)
    /// The message begins with a continuation packet.
    case notAnInitializationPacket
    /// The packet is not the continuation packet expected next.
    case unexpectedPacket(expectedSequence: UInt8)

    package var description: String {
        switch self {
        case .reportLength(let count):
            "a report of length \(count); CTAPHID reports have \(CTAPHIDPacket.length) bytes"
        case .messageTooLong(let count):
            "a message of \(count) bytes; CTAPHID carries at most \(CTAPHIDMessage.maximumPayloadLength)"
        case .notAnInitializationPacket:
            "a message that begins with a continuation packet"
        case .unexpectedPacket(let sequence):
            "a packet out of order; continuation \(sequence) was expected"
        }
    }
}
