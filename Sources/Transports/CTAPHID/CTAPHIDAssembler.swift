/// Assembles the packets of one message, on either side (CTAP 2.3 §11.2.4).
///
/// It never holds more than ``CTAPHIDMessage/maximumPayloadLength`` bytes.
package struct CTAPHIDAssembler: Sendable {
    package let channel: CTAPHIDChannel
    package let command: CTAPHIDCommand
    private let messageLength: Int
    /// The bytes so far.
    package private(set) var payload: [UInt8]
    private var nextSequence: UInt8 = 0

    package init(first packet: CTAPHIDPacket) throws(CTAPHIDFramingError) {
        guard case .initialization(let command, let length) = packet.header else { throw .notAnInitializationPacket }
        guard length <= CTAPHIDMessage.maximumPayloadLength else { throw .messageTooLong(Int(length)) }
        channel = packet.channel
        self.command = command
        messageLength = Int(length)
        payload = Array(packet.data.prefix(min(messageLength, CTAPHIDPacket.initializationDataLength)))
    }

    package var message: CTAPHIDMessage? {
        guard payload.count >= messageLength else { return nil }
        return CTAPHIDMessage(channel: channel, command: command, fitting: payload)
    }

    /// Adds the next packet; the padding of the last one is dropped.
    package mutating func append(_ packet: CTAPHIDPacket) throws(CTAPHIDFramingError) {
        guard packet.channel == channel, packet.header == .continuation(sequence: nextSequence),
            payload.count < messageLength
        else { throw .unexpectedPacket(expectedSequence: nextSequence) }
        let wanted = min(messageLength - payload.count, CTAPHIDPacket.continuationDataLength)
        payload.append(contentsOf: packet.data.prefix(wanted))
        nextSequence += 1
    }
}
