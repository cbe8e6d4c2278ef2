/// A fault in the CTAPHID packets from a device to its client (CTAP 2.3 §11.2.4).
package struct TransportFault: Hashable, Sendable {
    /// The kinds of fault.
    package enum Kind: Hashable, Sendable {
        /// One packet of an answer does not arrive.
        case dropped(packet: Int)
        /// One packet of an answer arrives twice.
        case duplicated(packet: Int)
        /// The last two packets of an answer are swapped.
        case reordered
        /// One packet of an answer arrives as a report of half its length.
        case cut(packet: Int)
        /// The answer goes to another channel.
        case wrongChannel
        /// The first continuation packet has another sequence number.
        case wrongSequence
        /// The answer carries another command.
        case wrongCommand(CTAPHIDCommand)
        /// The answer declares a longer length than it has.
        case tooLong
        /// The answer declares a shorter length than it has.
        case tooShort
        /// A packet of another channel arrives within an answer.
        case stray
        /// This many reports of noise precede the answer.
        case garbage(reports: Int)
        /// CTAPHID_ERROR replaces the answer.
        case error(CTAPHIDErrorCode)
        /// The answer to CTAPHID_INIT carries another nonce.
        case wrongNonce
        /// This many keepalives precede the answer.
        case keepaliveStorm(count: Int)
        /// A busy device sends no keepalives.
        case keepaliveSilence
        /// The device is unplugged after this many packets of an answer, and stays unplugged.
        case unplugged(after: Int)
        /// Every packet of an answer is delayed by this time.
        case slow(Duration)
    }

    /// The kind of fault.
    package let kind: Kind
    /// The name that events and reports use, such as `packet-dropped`.
    package let name: String

    package init(_ kind: Kind, name: String = "") {
        self.kind = kind
        self.name = name
    }
}

/// An outgoing report.
struct OutgoingReport: Hashable, Sendable {
    /// The bytes, normally ``CTAPHIDPacket/length`` of them.
    var bytes: [UInt8]
    /// The delay after the previous report.
    var delay = Duration.zero
}

extension TransportFault {
    /// Whether this fault changes messages with this command.
    ///
    /// Most faults change answers; two change INIT or KEEPALIVE instead.
    func applies(to command: CTAPHIDCommand) -> Bool {
        switch (kind, command) {
        case (.wrongNonce, .initialize), (.keepaliveSilence, .keepalive): true
        case (.wrongNonce, _), (_, .initialize), (_, .keepalive): false
        default: true
        }
    }

    /// The packets with this fault applied.
    func changed(_ packets: [CTAPHIDPacket]) -> [CTAPHIDPacket] {
        guard let first = packets.first, case .initialization(let command, let length) = first.header else {
            return packets
        }
        var packets = packets
        switch kind {
        case .dropped(let number): packets.remove(at: Self.index(number, packets))
        case .duplicated(let number):
            let index = Self.index(number, packets)
            packets.insert(packets[index], at: index)
        case .reordered: if packets.count > 1 { packets.swapAt(packets.count - 1, packets.count - 2) }
        case .wrongChannel:
            for index in packets.indices {
                packets[index].channel = CTAPHIDChannel(rawValue: first.channel.rawValue ^ 0x5A)
            }
        case .wrongSequence:
            guard packets.count > 1, case .continuation(let sequence) = packets[1].header else { break }
            packets[1].header = .continuation(sequence: (sequence + 3) & 0x7F)
        case .wrongCommand(let other):
            packets[0].header = .initialization(other, messageLength: length)
        case .tooLong: packets[0].header = .initialization(command, messageLength: length &+ 64)
        case .tooShort: packets[0].header = .initialization(command, messageLength: length / 2)
        case .stray:
            let channel = CTAPHIDChannel(rawValue: first.channel.rawValue ^ 0x5A)
            let stray = CTAPHIDPacket(channel: channel, header: .continuation(sequence: 0), data: [0xEE])
            packets.insert(stray, at: min(1, packets.count))
        case .error(let code):
            packets = [
                CTAPHIDPacket(
                    channel: first.channel, header: .initialization(.error, messageLength: 1), data: [code.rawValue])
            ]
        case .wrongNonce: if !packets[0].data.isEmpty { packets[0].data[0] ^= 0xFF }
        case .keepaliveStorm(let count):
            let keepalive = CTAPHIDPacket(
                channel: first.channel, header: .initialization(.keepalive, messageLength: 1), data: [0x01])
            packets = [CTAPHIDPacket](repeating: keepalive, count: count) + packets
        case .keepaliveSilence where command == .keepalive: packets = []
        case .unplugged(let count): packets = Array(packets.prefix(count))
        case .cut, .slow, .garbage, .keepaliveSilence: break
        }
        return packets
    }

    /// The reports with this fault applied.
    func changed(_ reports: [OutgoingReport]) -> [OutgoingReport] {
        var reports = reports
        switch kind {
        case .cut(let number) where !reports.isEmpty:
            let index = Self.index(number, reports)
            reports[index].bytes = Array(reports[index].bytes.prefix(CTAPHIDPacket.length / 2))
        case .garbage(let count):
            // As a packet it begins a message longer than the maximum, on a channel that was never allocated.
            let noise = OutgoingReport(bytes: [UInt8](repeating: 0xA5, count: CTAPHIDPacket.length))
            reports.insert(contentsOf: [OutgoingReport](repeating: noise, count: count), at: 0)
        case .slow(let delay):
            for index in reports.indices { reports[index].delay += delay }
        default: break
        }
        return reports
    }

    /// The index of a packet by its number, counted from 1; numbers beyond the end mean the last packet.
    private static func index(_ number: Int, _ packets: [some Any]) -> Int {
        max(0, min(number, packets.count) - 1)
    }
}
