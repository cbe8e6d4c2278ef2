import Documents
import Testing

@testable import ModelContext

/// The revision of a client: by a handshake (MCP 2025-11-25, Lifecycle), or in each request (2026-07-28, Versioning).
@Suite struct RevisionTests {
    @Test(
        "A handshake agrees on the client's revision, or on the newest one with a handshake",
        arguments: [
            ("2025-06-18", "2025-06-18"), ("2025-11-25", "2025-11-25"), ("2024-11-05", "2025-11-25"),
            ("2026-07-28", "2025-11-25"), ("1999-01-01", "2025-11-25"), ("x", "2025-11-25"),
        ])
    func handshake(wanted: String, agreed: String) async {
        let client = SampleClient()
        let result = await client.ask("initialize", ["protocolVersion": .text(wanted)])["result"]
        #expect(result?["protocolVersion"]?.text == agreed)
        #expect(result?["serverInfo"] == ["name": "sample", "title": "Sample", "version": "1"])
        #expect(result?["capabilities"] == ["tools": [:], "resources": [:], "prompts": [:]])
        #expect(result?["instructions"] == "Adds numbers.")
        #expect(await client.ask("tools/list")["result"]?["tools"]?.array?.count == 4)
    }

    @Test func aHandshakeWithoutARevisionNamesTheMissingMember() async {
        let client = SampleClient()
        let error = await client.ask("initialize")["error"]
        #expect(error?["code"]?.integer == -32602)
        #expect(error?["message"]?.text == "The member “protocolVersion” is missing.")
    }

    @Test func withoutAHandshakeARequestHasToStateItsRevision() async {
        let client = SampleClient()
        let error = await client.ask("tools/list")["error"]
        #expect(error?["code"]?.integer == -32602)
        #expect(error?["message"]?.text?.contains("the request initialize first") == true)
        #expect(await client.ask("ping")["result"] == [:])
    }

    @Test func aStatedRevisionNeedsNoHandshakeAndMarksTheResult() async {
        let client = SampleClient()
        let result = await client.ask("tools/list", revision: "2026-07-28")["result"]
        #expect(result?["tools"]?.array?.count == 4)
        #expect(result?["resultType"] == "complete")
        #expect(result?["cacheScope"] == "private")
        #expect(result?["_meta"]?["io.modelcontextprotocol/serverInfo"]?["name"] == "sample")
        let old = await SampleClient.ready().ask("tools/list")["result"]
        #expect(old?["resultType"] == nil)
        #expect(old?["_meta"] == nil)
    }

    @Test func discoveryNamesEachRevision() async {
        let client = SampleClient()
        let result = await client.ask("server/discover", revision: "2026-07-28")["result"]
        #expect(result?["supportedVersions"] == ["2026-07-28", "2025-11-25", "2025-06-18"])
        #expect(result?["capabilities"]?["tools"] == [:])
        // A client with a handshake has the same facts from it.
        let old = await SampleClient.ready()
        #expect(await old.ask("server/discover")["error"]?["code"]?.integer == -32601)
    }

    @Test("An unknown revision is refused with the known ones", arguments: ["1900-01-01", "2025-11-25", ""])
    func unknown(revision: String) async {
        let error = await SampleClient().ask("tools/list", revision: revision)["error"]
        #expect(error?["code"]?.integer == -32022)
        #expect(error?["data"]?["requested"]?.text == revision)
        #expect(error?["data"]?["supported"] == ["2026-07-28", "2025-11-25", "2025-06-18"])
    }

    @Test func aStatedRevisionNeedsTheClientsCapabilities() async {
        let meta: JSONValue = ["io.modelcontextprotocol/protocolVersion": "2026-07-28"]
        let error = await SampleClient().ask("tools/list", ["_meta": meta])["error"]
        #expect(error?["code"]?.integer == -32602)
        #expect(error?["message"]?.text?.contains("clientCapabilities") == true)
    }
}
