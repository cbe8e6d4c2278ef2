import Documents
import Testing

@testable import ModelContext

/// Tools, resources and prompts, and the errors of requests for them.
@Suite struct OfferTests {
    @Test func aToolIsListedWithItsSchemaAndItsEffects() async throws {
        let tools = try #require(await SampleClient.ready().ask("tools/list")["result"]?["tools"]?.array)
        #expect(
            tools[0] == [
                "name": "add_numbers", "title": "Add numbers", "description": "Adds two numbers.",
                "inputSchema": [
                    "type": "object", "additionalProperties": false, "required": ["first"],
                    "properties": [
                        "first": ["type": "integer", "minimum": 0, "maximum": 10],
                        "more": ["type": "array", "items": ["$ref": "#/$defs/More"]],
                    ],
                    "$defs": [
                        "More": [
                            "type": "object", "additionalProperties": false, "required": ["second"],
                            "properties": ["second": ["type": "integer", "minimum": 0, "maximum": 10]],
                        ]
                    ],
                ],
                "annotations": [
                    "title": "Add numbers", "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true,
                    "openWorldHint": false,
                ],
            ])
        #expect(tools[1]["annotations"]?["destructiveHint"] == true)
        #expect(tools[1]["annotations"]?["idempotentHint"] == false)
        #expect(tools[2]["annotations"]?["readOnlyHint"] == false)
    }

    @Test(
        "A call gives a text, or the tool's failure with its code, sentence and place",
        arguments: [
            ("add_numbers", ["first": 3], "3", nil),
            ("add_numbers", ["first": 3, "more": [["second": 4], ["second": 1]]], "8", nil),
            ("add_numbers", [:], "json.invalidMember: The member “first” is missing.", "json.invalidMember"),
            (
                "add_numbers", ["first": 3, "more": [["second": 4], ["second": "x"]]],
                "json.invalidMember: The member “more.1.second” must be a whole number from 0 to 10, not text.",
                "json.invalidMember"
            ),
            (
                "add_numbers", ["first": 3, "secnd": 1],
                "json.invalidMember: The member “secnd” is not known; expected first, more.", "json.invalidMember"
            ),
            ("refuse", [:], "sample.refused: The tool refuses; call another one.", "sample.refused"),
            ("fail", [:], "failed: the disk is full.", "failed"),
        ] as [(String, JSONValue, String, String?)])
    func call(tool: String, arguments: JSONValue, text: String, code: String?) async {
        let client = await SampleClient.ready()
        let answer = await client.ask("tools/call", ["name": .text(tool), "arguments": arguments])
        let result = answer["result"]
        #expect(result?["content"] == [["type": "text", "text": .text(text)]])
        #expect(result?["isError"] == .bool(code != nil))
        #expect(result?["structuredContent"]?["error"]?["code"]?.text == code)
    }

    @Test(
        "A request for something that does not exist is an error of the protocol",
        arguments: [
            ("no/such/method", [:], -32601, "no/such/method"),
            ("subscriptions/listen", [:], -32601, "subscriptions/listen"),
            ("tools/call", [:], -32602, "“name” is missing"),
            ("tools/call", ["name": 3], -32602, "“name” must be text, not a whole number"),
            ("tools/call", ["name": "add_number"], -32602, "did you mean add_numbers?"),
            ("tools/call", ["name": "fail", "arguments": [1]], -32602, "“arguments” must be an object, not an array"),
            ("tools/list", ["cursor": "x"], -32602, "“cursor” is not one of this server's"),
            ("prompts/list", ["cursor": "x"], -32602, "“cursor”"),
            ("prompts/get", ["name": "explan"], -32602, "did you mean explain?"),
            ("prompts/get", ["name": "explain"], -32602, "“arguments.word” is missing"),
            ("prompts/get", ["name": "explain", "arguments": ["word": 1]], -32602, "“arguments.word” must be text"),
            (
                "prompts/get", ["name": "explain", "arguments": ["word": "a", "wrd": "b"]], -32602,
                "“arguments.wrd” is not an argument of explain"
            ),
            ("resources/read", [:], -32602, "“uri” is missing"),
            ("resources/read", ["uri": "sample://b"], -32002, "“sample://b”"),
        ] as [(String, [String: JSONValue], Int, String)])
    func missing(method: String, params: [String: JSONValue], code: Int, words: String) async throws {
        let error = await SampleClient.ready().ask(method, params)["error"]
        #expect(error?["code"]?.integer == code)
        let message = try #require(error?["message"]?.text)
        #expect(message.contains(words), "\(message)")
    }

    @Test func aResourceThatDoesNotExistHasTheCodeOfItsRevision() async {
        let error = await SampleClient().ask("resources/read", ["uri": "sample://b"], revision: "2026-07-28")["error"]
        #expect(error?["code"]?.integer == -32602)
    }

    @Test func resourcesAreListedAndRead() async {
        let client = await SampleClient.ready()
        #expect(
            await client.ask("resources/list")["result"]?["resources"]
                == [["uri": "sample://a", "name": "a", "title": "A", "mimeType": "text/plain"]])
        #expect(
            await client.ask("resources/templates/list")["result"]?["resourceTemplates"]
                == [["uriTemplate": "sample://{name}", "name": "texts", "title": "Texts", "mimeType": "text/plain"]])
        #expect(
            await client.ask("resources/read", ["uri": "sample://a"])["result"]?["contents"]
                == [["uri": "sample://a", "mimeType": "text/plain", "text": "text of a"]])
    }

    @Test func aPromptIsFilledWithItsArguments() async {
        let client = await SampleClient.ready()
        let listed = await client.ask("prompts/list")["result"]?["prompts"]?.array?.first
        #expect(listed?["arguments"]?.array?.map { $0["required"] } == [true, false])
        let result = await client.ask("prompts/get", ["name": "explain", "arguments": ["word": "passkey"]])["result"]
        #expect(
            result?["messages"]
                == [["role": "user", "content": ["type": "text", "text": "Explain passkey, plainly."]]])
    }
}
