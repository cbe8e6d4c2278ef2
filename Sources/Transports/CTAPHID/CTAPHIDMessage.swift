/// A complete CTAPHID message in either direction, and its packets (CTAP 2.3 §11.2.4).
package struct CTAPHIDMessage: Hashable, Sendable {
    /// The most bytes a message can carry: one initialization packet and 128 continuation packets.
    package static let maximumPayloadLength =
        CTAPHIDPacket.initializationDataLength + 128 * CTAPHIDPacket.continuationDataLength

    package let channel: CTAPHIDChannel
    package let command: CTAPHIDCommand
    package let payload: [UInt8]

    package init(channel: CTAPHIDChannel, command: CTAPHIDCommand, payload: [UInt8]) throws(CTAPHIDFramingError) {
        guard payload.count <= Self.maximumPayloadLength else { throw .messageTooLong(payload.count) }
        self.init(channel: channel, command: command, fitting: payload)
    }

    /// Creates a message; the caller guarantees that the payload fits.
    init(channel: CTAPHIDChannel, command: CTAPHIDCommand, fitting payload: [UInt8]) {
        self.channel = channel
        self.command = command
        self.payload = payload
    }

    /// The 1 to 129 packets, in the order of sending.
    package var packets: [CTAPHIDPacket] {
        let first = payload.prefix(CTAPHIDPacket.initializationDataLength)
        var packets = [
            CTAPHIDPacket(
                channel: channel,
                header: .initialization(command, messageLength: UInt16(truncatingIfNeeded: payload.count)),
                data: Array(first))
        ]
        var rest = payload[first.endIndex...]
        var sequence: UInt8 = 0
        while !rest.isEmpty {
            let part = rest.prefix(CTAPHIDPacket.continuationDataLength)
            packets.append(
                CTAPHIDPacket(channel: channel, header: .continuation(sequence: sequence), data: Array(part)))
            rest = rest[part.endIndex...]
            sequence &+= 1
        }
        return packets
    }
}
