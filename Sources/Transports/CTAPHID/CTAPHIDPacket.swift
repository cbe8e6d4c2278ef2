/// One CTAPHID packet, the content of a 64-byte HID report (CTAP 2.3 §11.2.4).
///
/// | packet | bytes |
/// |---|---|
/// | initialization | channel (4) · command with bit 7 set (1) · length of the message (2, big-endian) · data (57) |
/// | continuation | channel (4) · sequence number 0…127 (1) · data (59) |
package struct CTAPHIDPacket: Hashable, Sendable {
    package static let length = 64
    package static let initializationDataLength = 57
    package static let continuationDataLength = 59

    package enum Header: Hashable, Sendable {
        /// The first packet of a message, with the length of the whole message.
        case initialization(CTAPHIDCommand, messageLength: UInt16)
        /// A later packet; sequence numbers run from 0 to 127.
        case continuation(sequence: UInt8)
    }

    package var channel: CTAPHIDChannel
    package var header: Header
    /// The packet's part of the message; a parsed packet includes the padding, and data beyond its capacity is not sent.
    package var data: [UInt8]
}

extension CTAPHIDPacket {
    package init(report: [UInt8]) throws(CTAPHIDFramingError) {
        guard report.count == Self.length else { throw .reportLength(report.count) }
        channel = CTAPHIDChannel(
            rawValue: UInt32(report[0]) << 24 | UInt32(report[1]) << 16 | UInt32(report[2]) << 8 | UInt32(report[3]))
        if report[4] & 0x80 != 0 {
            header = .initialization(
                CTAPHIDCommand(rawValue: report[4]), messageLength: UInt16(report[5]) << 8 | UInt16(report[6]))
            data = Array(report[7...])
        } else {
            header = .continuation(sequence: report[4])
            data = Array(report[5...])
        }
    }

    /// The 64 bytes of the report, padded with zeros.
    package var report: [UInt8] {
        var report: [UInt8] = []
        report.reserveCapacity(Self.length)
        for shift in [24, 16, 8, 0] as [UInt32] {
            report.append(UInt8(truncatingIfNeeded: channel.rawValue >> shift))
        }
        switch header {
        case .initialization(let command, let messageLength):
            report.append(command.rawValue | 0x80)
            report.append(UInt8(truncatingIfNeeded: messageLength >> 8))
            report.append(UInt8(truncatingIfNeeded: messageLength))
        case .continuation(let sequence): report.append(sequence & 0x7F)
        }
        report.append(contentsOf: data.prefix(Self.length - report.count))
        report.append(contentsOf: repeatElement(0, count: Self.length - report.count))
        return report
    }
}
