internal import CTAPHID

extension TransportFault {
    static let table: [FaultRow<Kind>] = [
        FaultRow("packet-dropped", "the second packet of the response is lost; packet-dropped:NUMBER chooses another") {
            argument throws(FaultSyntaxError) in .dropped(packet: try argument.number(in: 1...129, default: 2))
        },
        FaultRow(
            "packet-duplicated",
            "the second packet of the response is sent twice; packet-duplicated:NUMBER chooses another"
        ) {
            argument throws(FaultSyntaxError) in .duplicated(packet: try argument.number(in: 1...129, default: 2))
        },
        FaultRow("packets-reordered", "the last two packets of the response are swapped", .reordered),
        FaultRow("packet-cut", "the second report of the response has 32 bytes; packet-cut:NUMBER chooses another") {
            argument throws(FaultSyntaxError) in .cut(packet: try argument.number(in: 1...129, default: 2))
        },
        FaultRow("channel-wrong", "the response goes to another channel", .wrongChannel),
        FaultRow("sequence-wrong", "the second packet of the response has another sequence number", .wrongSequence),
        FaultRow("command-wrong", "the response is marked as another command's, PING or command-wrong:MSG") {
            argument throws(FaultSyntaxError) in .wrongCommand(try argument.command(default: .ping))
        },
        FaultRow("length-too-long", "the response claims to be 64 bytes longer than it is", .tooLong),
        FaultRow("length-too-short", "the response claims to be half as long as it is", .tooShort),
        FaultRow(
            "stray-packet", "a packet of another channel comes inside the response; a client must ignore it", .stray),
        FaultRow("garbage", "a report of noise precedes the response, or garbage:COUNT; a client must ignore it") {
            argument throws(FaultSyntaxError) in .garbage(reports: try argument.number(in: 1...10_000, default: 1))
        },
        FaultRow("hid-error", "CTAPHID_ERROR replaces the response: hid-error:CHANNEL_BUSY, hid-error:0x7F") {
            argument throws(FaultSyntaxError) in .error(try argument.errorCode(default: .other))
        },
        FaultRow("nonce-wrong", "the response to CTAPHID_INIT has another nonce", .wrongNonce),
        FaultRow("keepalive-storm", "keepalives precede the response, 100 or keepalive-storm:COUNT") {
            argument throws(FaultSyntaxError) in
            .keepaliveStorm(count: try argument.number(in: 1...10_000, default: 100))
        },
        FaultRow("keepalive-silence", "no keepalives come while the device waits for the user", .keepaliveSilence),
        FaultRow(
            "init-while-busy",
            "CTAPHID_INIT on another channel is answered during a transaction; ERR_CHANNEL_BUSY is due (CTAP 2.3 §11.2.5.1)",
            .initWhileBusy),
        FaultRow(
            "unplugged", "the device is unplugged after one packet of the response; unplugged:COUNT changes the number"
        ) {
            argument throws(FaultSyntaxError) in .unplugged(after: try argument.number(in: 0...129, default: 1))
        },
        FaultRow("slow", "every packet of the response takes 0.2 seconds; slow:SECONDS changes the time") {
            argument throws(FaultSyntaxError) in .slow(try argument.seconds(default: .milliseconds(200)))
        },
    ]
}
