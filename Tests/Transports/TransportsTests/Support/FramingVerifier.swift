import CTAPHID
import Testing
import Transports

/// Splits a message into reports and reassembles it, and checks every byte of every report.
enum FramingVerifier {
    static func verify(_ message: CTAPHIDMessage, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let reports = message.packets.map(\.report)
        let packetCount = 1 + (max(0, message.payload.count - 57) + 58) / 59
        #expect(reports.count == packetCount, sourceLocation: sourceLocation)

        var carried: [UInt8] = []
        for (index, report) in reports.enumerated() {
            #expect(report.count == 64, sourceLocation: sourceLocation)
            let channel = report[..<4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            #expect(channel == message.channel.rawValue, sourceLocation: sourceLocation)
            if index == 0 {
                #expect(report[4] == message.command.rawValue | 0x80, sourceLocation: sourceLocation)
                let length = Int(report[5]) << 8 | Int(report[6])
                #expect(length == message.payload.count, sourceLocation: sourceLocation)
                carried += report[7...]
            } else {
                #expect(Int(report[4]) == index - 1, sourceLocation: sourceLocation)
                carried += report[5...]
            }
        }
        #expect(Array(carried.prefix(message.payload.count)) == message.payload, sourceLocation: sourceLocation)
        #expect(carried.dropFirst(message.payload.count).allSatisfy { $0 == 0 }, sourceLocation: sourceLocation)

        #expect(try assemble(reports) == message, sourceLocation: sourceLocation)
    }

    /// Reassembles reports; the message must be complete with the last one and not before.
    static func assemble(_ reports: [[UInt8]]) throws -> CTAPHIDMessage? {
        var assembler: CTAPHIDAssembler?
        for report in reports {
            #expect(assembler?.message == nil)
            let packet = try CTAPHIDPacket(report: report)
            if assembler == nil {
                assembler = try CTAPHIDAssembler(first: packet)
            } else {
                try assembler?.append(packet)
            }
        }
        return assembler?.message
    }
}

/// A payload whose bytes show their position.
func payload(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
}
