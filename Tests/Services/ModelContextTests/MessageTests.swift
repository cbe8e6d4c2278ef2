import Documents
import Testing

@testable import ModelContext

/// The reading of messages (JSON-RPC 2.0 §4, §5.1, as MCP restricts them).
@Suite struct MessageTests {
    @Test(
        "A message of another form is refused with its code, its place and its request's identifier",
        arguments: [
            ("{\"jsonrpc\"", -32700, "line 1, column 11", nil),
            ("", -32700, "not JSON", nil),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"ping\"}", -32700, "id is given twice", nil),
            ("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", -32600, "send each message of a batch alone", nil),
            ("[]", -32600, "send each message of a batch alone", nil),
            ("7", -32600, "a whole number; send an object", nil),
            ("{\"id\":1,\"method\":\"ping\"}", -32600, "“jsonrpc” must be \"2.0\"", 1),
            ("{\"jsonrpc\":\"1.0\",\"id\":\"a\",\"method\":\"ping\"}", -32600, "“jsonrpc” must be \"2.0\"", "a"),
            ("{\"jsonrpc\":\"2.0\",\"id\":1}", -32600, "“method” is missing", 1),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":2}", -32600, "“method” must be text, not a whole number", 1),
            (
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":[1]}", -32600,
                "“params” must be an object", 1
            ),
            (
                "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", -32600, "“id” must be text or a whole number",
                nil
            ),
            (
                "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}", -32600, "“id” must be text or a whole number",
                nil
            ),
        ] as [(String, Int, String, JSONValue?)])
    func refusal(text: String, code: Int, words: String, id: JSONValue?) async throws {
        let client = await SampleClient.ready()
        let answer = try #require(await client.answer(text))
        #expect(answer["error"]?["code"]?.integer == code)
        let message = try #require(answer["error"]?["message"]?.text)
        #expect(message.contains(words), "\(message)")
        #expect(answer["id"] == id ?? .null)
        // The next message is read as usual.
        #expect(await client.ask("ping")["result"] == [:])
    }

    @Test func bytesThatAreNotUTF8AreRefused() async {
        let client = SampleClient()
        client.session.receive(Array("{\"a\":\"".utf8) + [0xFF] + Array("\"}".utf8), client.sender)
        #expect(client.messages.last?.json["error"]?["code"]?.integer == -32700)
        #expect(client.messages.last?.json["error"]?["message"]?.text?.contains("UTF-8") == true)
    }

    @Test func aMessageOverTheLimitIsRefused() throws {
        let long = [UInt8](repeating: UInt8(ascii: " "), count: ContextMessage.largest + 1)
        #expect(throws: ContextMessage.tooLong) { try ContextMessage(parsing: long) }
    }

    @Test func notificationsAndAnswersGetNoAnswer() async {
        let client = await SampleClient.ready()
        let before = client.messages
        for text in [
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/unknown\",\"params\":{\"a\":1}}",
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":99}}",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"x\"}}",
        ] {
            #expect(await client.answer(text) == nil)
        }
        #expect(client.messages == before)
    }

    @Test("A stream is divided at line feeds, wherever its parts end", arguments: [1, 2, 3, 7, 100])
    func lines(size: Int) {
        let bytes = Array("{\"a\":1}\n\n \r\n{\"b\":2}\r\nrest".utf8)
        var lines = StreamedLines()
        var found: [StreamedLines.Line] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            found += lines.take(bytes[start..<min(bytes.count, start + size)])
        }
        #expect(found == [.message(Array("{\"a\":1}".utf8)), .message(Array("{\"b\":2}\r".utf8))])
        #expect(lines.takeRest() == .message(Array("rest".utf8)))
        #expect(lines.takeRest() == nil)
    }

    @Test func theRestOfALongLineIsLeftOut() {
        var lines = StreamedLines()
        let part = [UInt8](repeating: UInt8(ascii: "x"), count: ContextMessage.largest)
        #expect(lines.take(part) == [])
        #expect(lines.take(part) == [])
        #expect(lines.take(Array("x\n{}\n".utf8)) == [.tooLong, .message(Array("{}".utf8))])
        #expect(lines.takeRest() == nil)
    }
}
