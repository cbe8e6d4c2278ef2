import Decoding
import Testing

@Suite("A log of python-fido2")
struct PythonLogTests {
    private static func line(_ word: String, _ head: String) -> String {
        "Level 5:fido2.hid:\(word): \(ConversationTests.report(head))"
    }

    private static let request = line("SEND", "0102030490000606a201010201")
    private static let answer = line("RECV", "0102030490000400a10308")
    private static let initialization = [
        line("SEND", "ffffffff8600080102030405060708"),
        line("RECV", "ffffffff8600110102030405060708010203040205040305"),
    ]
    /// A PING of 120 bytes and its answer, in three reports each.
    private static let ping = [
        line("SEND", "01020304810078" + String(repeating: "aa", count: 57)),
        line("SEND", "0102030400" + String(repeating: "aa", count: 59)), line("SEND", "0102030401aaaaaaaa"),
        line("RECV", "01020304810078" + String(repeating: "aa", count: 57)),
        line("RECV", "0102030400" + String(repeating: "aa", count: 59)), line("RECV", "0102030401aaaaaaaa"),
    ]

    @Test(
        "A report that comes twice, and an answer of another command or channel, are problems",
        arguments: [
            (ping, nil), ([request, answer], nil),
            (ping.prefix(5) + [ping[4], ping[5]], "reports are repeated or out of order"),
            (ping.prefix(4) + [ping[3]] + ping.suffix(2), "not complete"),
            ([request, line("RECV", "0102030590000400a10308")], "the request was on channel 01020304"),
            ([request, line("RECV", "0102030481000400a10308")], "the answer is PING, and the request was CBOR"),
            (initialization + [request, answer], nil),
            // Two handlers of a logger write each line.
            ((initialization + [request, answer]).flatMap { [$0, $0] }, nil),
            ([request, answer].map { "> " + $0 }, nil),
            ([request, answer, "INFO:fido2.server:Starting new authentication, challenge: abcdef0123456789"], nil),
            ([request, answer, "DEBUG:fido2.client:Sending 04a163666d74"], nil),
        ] as [([String], String?)])
    func problems(lines: [String], problem: String?) throws {
        let decoded = try KindTests.decode(lines.joined(separator: "\n"))
        let text = KindTests.described(decoded)
        if let problem {
            #expect(text.contains(problem), "\(text)")
            #expect(decoded.parts.contains { !$0.problems.isEmpty })
        } else {
            #expect(decoded.parts.allSatisfy { $0.problems.isEmpty }, "\(text)")
        }
    }
}
