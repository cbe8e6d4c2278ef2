import Documents
import ModelContext
import Synchronization
import Testing

/// Damaged messages of a client of the Model Context Protocol: each is answered, or refused with a reason.
@Suite("Malformed messages of assistants")
struct AssistantFuzzTests {
    private static let good = [
        #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}}"#,
        #"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"echo","arguments":{"text":"x","more":[1,2]}}}"#,
        #"{"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"ask","arguments":{"word":"w"}}}"#,
        #"{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"a://b","_meta":{"progressToken":4}}}"#,
        #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
    ].map { Array($0.utf8) }

    private static let server = ContextServer(
        name: "s", title: "S", version: "1", instructions: "",
        tools: [
            ContextTool(
                "echo", title: "Echo", "Echoes.", .reading,
                input: .object(.required("text", .string(0...9)), .optional("more", .array(.integer(0...9))))
            ) { arguments, _ in try ToolAnswer(arguments) }
        ],
        prompts: [
            ContextPrompt("ask", title: "Ask", "Asks.", arguments: [.init("word", "A word.", isRequired: true)]) { _ in
                "?"
            }
        ])

    @Test func messagesAreAnsweredOrRefused() async {
        var generator = Fuzzing.generator(31)
        let counts = Mutex((answered: 0, refused: 0))
        var lines = StreamedLines()
        for round in 0..<Fuzzing.rounds(20_000) {
            let session = ContextSession(Self.server)
            await session.receive(Self.good[0]) { _ in }?.value
            let bytes = Mutation.mutated(Self.good[round % Self.good.count], &generator)
            for line in lines.take(bytes + [0x0A]) {
                guard case .message(let message) = line else { continue }
                await session.receive(message) { answer in
                    if answer.json["result"] != nil { counts.withLock { $0.answered += 1 } }
                    guard let error = answer.json["error"] else { return }
                    counts.withLock { $0.refused += 1 }
                    if error["message"]?.text?.isEmpty ?? true || error["code"]?.integer == nil {
                        Issue.record("\(message) is refused without a code or a reason")
                    }
                }?.value
            }
        }
        let (answered, refused) = counts.withLock { $0 }
        #expect(answered > 0)
        #expect(refused > 0)
    }
}
