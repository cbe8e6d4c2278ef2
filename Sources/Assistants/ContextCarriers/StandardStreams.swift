internal import Documents
internal import Foundation
package import ModelContext
internal import Synchronization

/// The Model Context Protocol on two descriptors, usually standard input and output: a message is a line.
package struct StandardStreams: Sendable {
    /// The time that requests have after the end of the input: a program that writes requests and ends still reads the
    /// answers.
    private static let patience = Duration.seconds(1)
    private static let part = 1 << 16

    private let input: Int32
    private let output: MessageOutput

    /// - Parameters:
    ///   - input: the descriptor of the client's messages.
    ///   - output: the descriptor of the server's messages, which nothing else writes to.
    package init(input: Int32, output: Int32) { (self.input, self.output) = (input, MessageOutput(output)) }

    /// Serves until the input ends, the output has no reader, or the task is cancelled.
    package func serve(_ server: ContextServer) async {
        let session = ContextSession(server)
        let (ends, end) = AsyncStream.makeStream(of: Never.self)
        output.onFailure { end.finish() }
        // A thread of its own, because reading waits for the client.
        let thread = Thread { [input, output] in
            Self.read(input, output, session)
            end.finish()
        }
        thread.start()
        for await _ in ends {}
        if !Task.isCancelled { await session.waitUntilIdle(for: Self.patience) }
        await session.end()
        output.flush()
    }

    private static func read(_ input: Int32, _ output: MessageOutput, _ session: ContextSession) {
        var lines = StreamedLines()
        var bytes = [UInt8](repeating: 0, count: part)
        while true {
            let count = Foundation.read(input, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            for line in lines.take(bytes[..<count]) { answer(line, output, session) }
        }
        if let last = lines.takeRest() { answer(last, output, session) }
    }

    private static func answer(_ line: StreamedLines.Line, _ output: MessageOutput, _ session: ContextSession) {
        switch line {
        case .message(let bytes): session.receive(bytes, output.send)
        case .tooLong: output.send(.error(ContextMessage.tooLong.error, id: nil))
        }
    }
}

/// Writes messages to a descriptor in the order in which they are sent.
private final class MessageOutput: Sendable {
    private let descriptor: Int32
    // Writing waits for the client to read.
    private let queue = DispatchQueue(label: "touchstone.mcp.output")
    private let state = Mutex<(hasFailed: Bool, onFailure: @Sendable () -> Void)>((false, {}))

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Calls a function once when the descriptor has no reader.
    func onFailure(_ act: @escaping @Sendable () -> Void) { state.withLock { $0.onFailure = act } }

    @Sendable func send(_ message: OutgoingMessage) {
        // A message holds no number that JSON cannot express.
        guard let text = try? message.json.bytes() else { return }
        queue.async { self.write(text + [UInt8(ascii: "\n")]) }
    }

    /// Waits until every message is written.
    func flush() { queue.sync {} }

    private func write(_ bytes: [UInt8]) {
        guard !state.withLock({ $0.hasFailed }) else { return }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let act = state.withLock { state in
                    state.hasFailed = true
                    return state.onFailure
                }
                return act()
            }
            rest = rest.dropFirst(count)
        }
    }
}
