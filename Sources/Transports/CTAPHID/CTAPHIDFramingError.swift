/// The reason why bytes are not a CTAPHID packet, or packets not a message.
package enum CTAPHIDFramingError: Error, Equatable, Sendable, CustomStringConvertible {
    case reportLength(Int)
    case messageTooLong(Int)
    case notAnInitializationPacket
    case unexpectedPacket(expectedSequence: UInt8)

    package var description: String {
        switch self {
        case .reportLength(let count): "a report of length \(count); CTAPHID reports have \(CTAPHIDPacket.length) bytes"
        case .messageTooLong(let count):
            "a message of \(count) bytes; CTAPHID carries at most \(CTAPHIDMessage.maximumPayloadLength)"
        case .notAnInitializationPacket:
            "a message that begins with a continuation packet: the command byte of its first packet has no bit 7"
        case .unexpectedPacket(let sequence): "a packet out of order; continuation \(sequence) was expected"
        }
    }
}
