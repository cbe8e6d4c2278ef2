import Documents
import Testing

@testable import ModelContext

/// Requests that take a while: cancellation, progress, and the limit of their number.
@Suite struct RunningRequestTests {
    /// A tool that ends when it is cancelled, and tells that it has begun.
    private struct Waiting {
        let begins: AsyncStream<Void>
        let tool: ContextTool

        init() {
            let (begins, begin) = AsyncStream.makeStream(of: Void.self)
            self.begins = begins
            tool = ContextTool("wait", title: "Wait", "Waits.", .changing, input: .object()) { _, _ in
                begin.yield()
                let (stream, continuation) = AsyncStream<Never>.makeStream()
                await withTaskCancellationHandler {
                    for await _ in stream {}
                } onCancel: {
                    continuation.finish()
                }
                return ToolAnswer("ended")
            }
        }
    }

    private static func call(_ id: JSONValue, meta: JSONValue? = nil, tool: String = "wait") -> ContextMessage {
        var params: [String: JSONValue] = ["name": .text(tool)]
        params["_meta"] = meta
        return .request(id: id, method: "tools/call", params: params)
    }

    @Test func aCancelledRequestGetsNoAnswer() async {
        let waiting = Waiting()
        let client = await SampleClient.ready(SampleServer.server(waiting: waiting.tool))
        let before = client.messages.count
        let task = client.session.receive(Self.call("slow"), client.sender)
        for await _ in waiting.begins { break }
        // Another client's number does nothing; another request is answered meanwhile.
        client.session.receive(
            .notification(method: "notifications/cancelled", params: ["requestId": "other"]), client.sender)
        #expect(await client.ask("ping", id: 2)["id"] == 2)
        client.session.receive(
            .notification(method: "notifications/cancelled", params: ["requestId": "slow"]), client.sender)
        await task?.value
        #expect(client.messages.count == before + 1)
        #expect(await client.ask("ping", id: "slow")["result"] == [:])
    }

    @Test func twoRequestsWithOneIdentifierAreRefused() async {
        let waiting = Waiting()
        let client = await SampleClient.ready(SampleServer.server(waiting: waiting.tool))
        let task = client.session.receive(Self.call(7), client.sender)
        for await _ in waiting.begins { break }
        let error = await client.ask("ping", id: 7)["error"]
        #expect(error?["code"]?.integer == -32600)
        task?.cancel()
        await task?.value
    }

    @Test func tooManyRequestsAreRefusedUntilOneEnds() async {
        let waiting = Waiting()
        let client = await SampleClient.ready(SampleServer.server(waiting: waiting.tool))
        let tasks = (0..<ContextSession.mostRunning).map {
            client.session.receive(Self.call(.integer($0)), client.sender)
        }
        #expect(await client.ask("ping", id: "more")["error"]?["code"]?.integer == -32000)
        client.session.cancel(3)
        await tasks[3]?.value
        #expect(await client.ask("ping", id: "more")["result"] == [:])
        await client.session.end()
        for task in tasks { await task?.value }
        #expect(await client.ask("ping", id: "later")["error"]?["message"] == "The server is stopping.")
    }

    @Test func progressGoesToAClientThatAsksForIt() async {
        let client = await SampleClient.ready()
        await client.session.receive(Self.call(1, tool: "tell"), client.sender)?.value
        #expect(client.messages.allSatisfy { $0.status != nil })
        let before = client.messages.count
        await client.session.receive(Self.call(2, meta: ["progressToken": "t"], tool: "tell"), client.sender)?.value
        let messages = client.messages.dropFirst(before).map(\.json)
        #expect(messages.count == 3)
        #expect(
            messages.first == [
                "jsonrpc": "2.0", "method": "notifications/progress",
                "params": ["progressToken": "t", "progress": 1, "total": 2, "message": "half"],
            ])
        #expect(messages.last?["id"] == 2)
    }

    @Test func waitingForTheRestEndsRequestsThatTakeTooLong() async {
        let waiting = Waiting()
        let client = await SampleClient.ready(SampleServer.server(waiting: waiting.tool))
        let before = client.messages.count
        let task = client.session.receive(Self.call(1), client.sender)
        for await _ in waiting.begins { break }
        await client.session.waitUntilIdle(for: .zero)
        await task?.value
        #expect(client.messages.count == before)
    }
}
