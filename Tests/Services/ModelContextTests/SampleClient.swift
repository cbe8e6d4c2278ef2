import Documents
import ModelContext
import Synchronization

/// A client of a small server, which keeps the server's messages.
final class SampleClient: Sendable {
    let session: ContextSession
    private let kept = Mutex<[OutgoingMessage]>([])

    init(_ server: ContextServer = SampleServer.server()) { session = ContextSession(server) }

    var messages: [OutgoingMessage] { kept.withLock { $0 } }

    /// The keeper of the messages.
    var sender: ContextSession.Sender { { [self] message in kept.withLock { $0.append(message) } } }

    /// The answer to a text; nil for none.
    func answer(_ text: String) async -> JSONValue? {
        let before = messages.count
        await session.receive(Array(text.utf8), sender)?.value
        return messages.dropFirst(before).last?.json
    }

    /// The answer to a request.
    ///
    /// - Parameter revision: the revision that the request states; nil for none.
    func ask(
        _ method: String, _ params: [String: JSONValue] = [:], id: JSONValue = 1, revision: String? = nil
    ) async -> JSONValue {
        var params = params
        if let revision {
            params["_meta"] = [
                "io.modelcontextprotocol/protocolVersion": .text(revision),
                "io.modelcontextprotocol/clientCapabilities": [:],
            ]
        }
        let message = ContextMessage.request(id: id, method: method, params: params)
        let before = messages.count
        await session.receive(message, sender)?.value
        return messages.dropFirst(before).last?.json ?? .null
    }

    /// A client after its handshake.
    static func ready(_ server: ContextServer = SampleServer.server()) async -> SampleClient {
        let client = SampleClient(server)
        _ = await client.ask("initialize", ["protocolVersion": "2025-06-18"])
        return client
    }
}

/// A server with one tool of each behaviour.
enum SampleServer {
    struct Trouble: Error, CustomStringConvertible {
        var description: String { "the disk is full" }
    }

    static func server(waiting: ContextTool? = nil) -> ContextServer {
        ContextServer(
            name: "sample", title: "Sample", version: "1", instructions: "Adds numbers.",
            tools: [adding, refusing, failing, telling] + [waiting].compactMap(\.self),
            resources: ContextResources(
                templates: [
                    .init(uri: "sample://{name}", name: "texts", title: "Texts", mediaType: "text/plain")
                ],
                list: { [ContextResource(uri: "sample://a", name: "a", title: "A", mediaType: "text/plain")] },
                read: { $0 == "sample://a" ? ("text/plain", "text of a") : nil }),
            prompts: [
                ContextPrompt(
                    "explain", title: "Explain", "Explains a word.",
                    arguments: [
                        .init("word", "The word.", isRequired: true), .init("tone", "The tone.", isRequired: false),
                    ]
                ) { "Explain \($0["word"] ?? ""), \($0["tone"] ?? "plainly")." }
            ])
    }

    private static let adding = ContextTool(
        "add_numbers", title: "Add numbers", "Adds two numbers.", .reading,
        input: .object(
            .required("first", .integer(0...10)),
            .optional("more", .array(.named("More", .object(.required("second", .integer(0...10)))))))
    ) { arguments, _ in
        let more = arguments["more"]?.array?.compactMap { $0["second"]?.integer } ?? []
        return try ToolAnswer(.integer(more.reduce(arguments["first"]?.integer ?? 0, +)))
    }

    private static let refusing = ContextTool(
        "refuse", title: "Refuse", "Refuses.", .destroying, input: .object()
    ) { _, _ in throw ToolFailure("sample.refused", "The tool refuses; call another one.") }

    private static let failing = ContextTool("fail", title: "Fail", "Fails.", .changing, input: .object()) { _, _ in
        throw Trouble()
    }

    private static let telling = ContextTool("tell", title: "Tell", "Tells.", .changing, input: .object()) { _, call in
        call.tell(1, 2, "half")
        call.tell(2, 2, "whole")
        return ToolAnswer("told")
    }
}
