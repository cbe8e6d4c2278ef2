internal import CTAP

/// A fault in the CTAPHID packets from a device to its client (CTAP 2.3 §11.2.4).
package struct TransportFault: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case dropped(packet: Int)
        case duplicated(packet: Int)
        /// The last two packets of an answer are swapped.
        case reordered
        /// One packet of an answer arrives as a report of half its length.
        case cut(packet: Int)
        case wrongChannel
        /// The first continuation packet has another sequence number.
        case wrongSequence
        case wrongCommand(CTAPHIDCommand)
        case tooLong
        case tooShort
        /// A packet of another channel arrives within an answer.
        case stray
        /// This many reports of noise precede the answer.
        case garbage(reports: Int)
        /// CTAPHID_ERROR replaces the answer.
        case error(CTAPHIDErrorCode)
        case wrongNonce
        /// This many keepalives precede the answer.
        case keepaliveStorm(count: Int)
        case keepaliveSilence
        /// The device is unplugged after this many packets of an answer, and stays unplugged.
        case unplugged(after: Int)
        /// CTAPHID_INIT on another channel is answered during a transaction; it is not refused as busy.
        case initWhileBusy
        case slow(Duration)
    }

    package let kind: Kind
    /// The name that events and reports use, such as `packet-dropped`.
    package let name: String
    /// The fault as it was written, with its argument.
    package let spelling: String

    package init(_ kind: Kind, name: String = "", spelling: String = "") {
        self.kind = kind
        self.name = name
        self.spelling = spelling
    }
}

/// An outgoing report.
package struct OutgoingReport: Hashable, Sendable {
    package var packet: CTAPHIDPacket
    /// The number of bytes of the packet that are sent.
    package var length = CTAPHIDPacket.length
    /// The delay after the previous report.
    package var delay = Duration.zero

    package var bytes: [UInt8] { Array(packet.report.prefix(length)) }
}

extension TransportFault {
    /// Most faults change answers; two change INIT or KEEPALIVE instead, and one the rules.
    func applies(to command: CTAPHIDCommand) -> Bool {
        switch (kind, command) {
        case (.wrongNonce, .initialize), (.keepaliveSilence, .keepalive): true
        case (.wrongNonce, _), (.keepaliveSilence, _), (.initWhileBusy, _), (_, .initialize), (_, .keepalive): false
        default: true
        }
    }

    func changed(_ reports: [OutgoingReport]) -> [OutgoingReport] {
        guard let first = reports.first?.packet, case .initialization(let command, let length) = first.header else {
            return reports
        }
        var reports = reports
        let otherChannel = CTAPHIDChannel(rawValue: first.channel.rawValue ^ 0x5A)
        switch kind {
        case .dropped(let number): reports.remove(at: Self.index(number, reports))
        case .duplicated(let number):
            let index = Self.index(number, reports)
            reports.insert(reports[index], at: index)
        case .reordered: if reports.count > 1 { reports.swapAt(reports.count - 1, reports.count - 2) }
        case .cut(let number): reports[Self.index(number, reports)].length = CTAPHIDPacket.length / 2
        case .wrongChannel: for index in reports.indices { reports[index].packet.channel = otherChannel }
        case .wrongSequence:
            guard reports.count > 1, case .continuation(let sequence) = reports[1].packet.header else { break }
            reports[1].packet.header = .continuation(sequence: (sequence + 3) & 0x7F)
        case .wrongCommand(let other): reports[0].packet.header = .initialization(other, messageLength: length)
        case .tooLong: reports[0].packet.header = .initialization(command, messageLength: length &+ 64)
        case .tooShort: reports[0].packet.header = .initialization(command, messageLength: length / 2)
        case .stray:
            let stray = CTAPHIDPacket(channel: otherChannel, header: .continuation(sequence: 0), data: [0xEE])
            reports.insert(OutgoingReport(packet: stray), at: 1)
        case .garbage(let count): reports = [OutgoingReport](repeating: Self.noise, count: count) + reports
        case .error(let code): reports = [Self.report(.error, code.rawValue, on: first.channel)]
        case .wrongNonce: if !first.data.isEmpty { reports[0].packet.data[0] ^= 0xFF }
        case .keepaliveStorm(let count):
            let keepalive = Self.report(.keepalive, KeepaliveStatus.processing.rawValue, on: first.channel)
            reports = [OutgoingReport](repeating: keepalive, count: count) + reports
        case .keepaliveSilence: reports = []
        case .unplugged(let count): reports = Array(reports.prefix(count))
        case .initWhileBusy: break
        case .slow(let delay): for index in reports.indices { reports[index].delay += delay }
        }
        return reports
    }

    /// 64 bytes of 0xA5: the beginning of a message longer than the maximum, on a channel that was never allocated.
    private static let noise = OutgoingReport(
        packet: CTAPHIDPacket(
            channel: CTAPHIDChannel(rawValue: 0xA5A5_A5A5),
            header: .initialization(CTAPHIDCommand(rawValue: 0xA5), messageLength: 0xA5A5),
            data: [UInt8](repeating: 0xA5, count: CTAPHIDPacket.initializationDataLength)))

    /// A message of one byte.
    private static func report(_ command: CTAPHIDCommand, _ byte: UInt8, on channel: CTAPHIDChannel) -> OutgoingReport {
        OutgoingReport(
            packet: CTAPHIDPacket(channel: channel, header: .initialization(command, messageLength: 1), data: [byte]))
    }

    /// The index of a packet by its number, counted from 1; numbers beyond the end mean the last packet.
    private static func index(_ number: Int, _ packets: [some Any]) -> Int { max(0, min(number, packets.count) - 1) }
}
