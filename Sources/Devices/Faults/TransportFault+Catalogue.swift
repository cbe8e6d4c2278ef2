package import CTAP
package import CTAPHID

extension TransportFault {
    /// Every fault of this seam, with what a client makes of it.
    package static let catalogue: [FaultDescription] = [
        describe("packet-dropped", "a packet of the answer is lost, the second or packet-dropped:NUMBER"),
        describe("packet-duplicated", "a packet of the answer comes twice, the second or packet-duplicated:NUMBER"),
        describe("packets-reordered", "the last two packets of the answer change places"),
        describe("packet-cut", "a report of the answer has 32 bytes, the second or packet-cut:NUMBER"),
        describe("channel-wrong", "the answer goes to another channel; its own waits in vain"),
        describe("sequence-wrong", "the second packet of the answer has another sequence number"),
        describe("command-wrong", "the answer is marked as another command's, PING or command-wrong:MSG"),
        describe("length-too-long", "the answer claims to be 64 bytes longer than it is"),
        describe("length-too-short", "the answer claims to be half as long as it is"),
        describe("stray-packet", "a packet of another channel comes in between; a client must ignore it"),
        describe("garbage", "a report of noise comes before the answer, or garbage:COUNT; a client must ignore it"),
        describe("hid-error", "CTAPHID_ERROR instead: hid-error:CHANNEL_BUSY, hid-error:0x7F"),
        describe("nonce-wrong", "CTAPHID_INIT is answered with another nonce"),
        describe("keepalive-storm", "keepalives come before the answer, 100 or keepalive-storm:COUNT"),
        describe("keepalive-silence", "no keepalives come while the device waits for its person"),
        describe("unplugged", "the device is pulled out after one packet of the answer or unplugged:COUNT"),
        describe("slow", "every packet of the answer takes a fifth of a second or slow:SECONDS"),
    ]

    private static func describe(_ name: String, _ meaning: String) -> FaultDescription {
        FaultDescription(name, seam: .transport, meaning, noticedBy: ["client"])
    }

    /// The fault of a name, with what stands behind its colon; nil when there is no such fault.
    ///
    /// - Throws: ``FaultSyntaxError`` when what stands behind the colon makes no sense.
    static func named(_ name: String, argument: String?) throws(FaultSyntaxError) -> TransportFault? {
        let kind: Kind
        switch name {
        case "packet-dropped": kind = .dropped(packet: try number(name, argument, 2, in: 1...129))
        case "packet-duplicated": kind = .duplicated(packet: try number(name, argument, 2, in: 1...129))
        case "packet-cut": kind = .cut(packet: try number(name, argument, 2, in: 1...129))
        case "command-wrong": kind = .wrongCommand(try command(argument))
        case "hid-error": kind = .error(try errorCode(argument))
        case "garbage": kind = .garbage(reports: try number(name, argument, 1, in: 1...10_000))
        case "keepalive-storm": kind = .keepaliveStorm(count: try number(name, argument, 100, in: 1...10_000))
        case "unplugged": kind = .unplugged(after: try number(name, argument, 1, in: 0...129))
        case "slow": kind = .slow(try CTAPFault.seconds(argument, of: name) ?? .milliseconds(200))
        default:
            guard let plain = plainKinds[name] else { return nil }
            guard argument == nil else { throw FaultSyntaxError("\(name) takes nothing behind a colon") }
            kind = plain
        }
        return TransportFault(kind)
    }

    /// The name it is armed by.
    package var name: String {
        switch kind {
        case .dropped: "packet-dropped"
        case .duplicated: "packet-duplicated"
        case .cut: "packet-cut"
        case .error: "hid-error"
        case .wrongCommand: "command-wrong"
        case .garbage: "garbage"
        case .keepaliveStorm: "keepalive-storm"
        case .unplugged: "unplugged"
        case .slow: "slow"
        default: Self.plainKinds.first { $0.value == kind }?.key ?? "\(kind)"
        }
    }

    private static let plainKinds: [String: Kind] = [
        "packets-reordered": .reordered, "channel-wrong": .wrongChannel, "sequence-wrong": .wrongSequence,
        "length-too-long": .tooLong, "length-too-short": .tooShort,
        "stray-packet": .stray, "nonce-wrong": .wrongNonce, "keepalive-silence": .keepaliveSilence,
    ]

    private static let commands: [String: CTAPHIDCommand] = [
        "PING": .ping, "MSG": .message, "LOCK": .lock, "INIT": .initialize, "WINK": .wink, "CBOR": .cbor,
    ]

    private static func command(_ argument: String?) throws(FaultSyntaxError) -> CTAPHIDCommand {
        guard let argument else { return .ping }
        guard let command = commands[argument] else {
            let names = commands.keys.sorted().joined(separator: ", ")
            throw FaultSyntaxError("command-wrong needs one of \(names) behind the colon, as in command-wrong:MSG")
        }
        return command
    }

    private static let errorCodes: [String: CTAPHIDErrorCode] = [
        "INVALID_CMD": .invalidCommand, "INVALID_PAR": .invalidParameter, "INVALID_LEN": .invalidLength,
        "INVALID_SEQ": .invalidSequence, "MSG_TIMEOUT": .messageTimeout, "CHANNEL_BUSY": .channelBusy,
        "LOCK_REQUIRED": .lockRequired, "INVALID_CHANNEL": .invalidChannel, "OTHER": .other,
    ]

    private static func errorCode(_ argument: String?) throws(FaultSyntaxError) -> CTAPHIDErrorCode {
        guard let argument else { return .other }
        let number = argument.hasPrefix("0x") ? UInt8(argument.dropFirst(2), radix: 16) : nil
        guard let code = number.map(CTAPHIDErrorCode.init(rawValue:)) ?? errorCodes[argument] else {
            let names = errorCodes.keys.sorted().joined(separator: ", ")
            throw FaultSyntaxError("hid-error needs one of \(names) or a number behind the colon, as in hid-error:0x06")
        }
        return code
    }

    private static func number(
        _ name: String, _ argument: String?, _ standard: Int, in range: ClosedRange<Int>
    ) throws(FaultSyntaxError) -> Int {
        guard let argument else { return standard }
        guard let number = Int(argument), range.contains(number) else {
            throw FaultSyntaxError(
                "\(name) needs a number behind the colon, \(range.lowerBound) to \(range.upperBound), as in \(name):3")
        }
        return number
    }
}
