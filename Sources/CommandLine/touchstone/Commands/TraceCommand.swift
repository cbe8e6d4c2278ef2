import ArgumentParser
import Foundation
import Trace

/// `touchstone trace`: what clients and devices said to each other.
struct TraceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Read what clients and devices said to each other.",
        discussion: "Traces are made with --trace FILE by `device start`, `scenario run` and `demo`.",
        subcommands: [Show.self, Convert.self])

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Tell a trace as a conversation.",
            discussion: """
                Every request with its parameters by their names, what happened in the device meanwhile, and the \
                answer; a simulated device's refusals with their reason and the clause that demands them.
                """)

        @Argument(help: "The trace.")
        var file: String

        @Flag(help: "Print the records as lines of JSON.")
        var json = false

        @Flag(help: "Show secrets, if the trace was made with --trace-secrets.")
        var secrets = false

        @Option(help: "Show this device only.")
        var device: String?

        @Flag(help: "Show only exchanges that were refused or had no answer.")
        var onlyRefused = false

        func run() async throws {
            let filter = TraceFilter(device: device, onlyRefused: onlyRefused)
            let records = try TraceCommand.records(of: file, filter)
            if json {
                for record in records {
                    let line = try TraceLine.encode(secrets ? record : record.masked)
                    Terminal.write(String(decoding: line, as: UTF8.self))
                }
                return
            }
            for line in Conversation(showsSecrets: secrets).lines(records) {
                Terminal.write(line.tone.style.map { Terminal.styled(line.text, $0) } ?? line.text)
            }
        }
    }

    struct Convert: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Turn a trace into something to hand on; secrets are always masked.")

        enum Form: String, ExpressibleByArgument, CaseIterable {
            case json, text, markdown
        }

        @Argument(help: "The trace.")
        var file: String

        @Option(help: "json: one array of the records. text: the conversation. markdown: for a bug report.")
        var to: Form

        func run() async throws {
            let records = try TraceCommand.records(of: file, TraceFilter())
            let text =
                switch to {
                case .json: try TraceReport.json(records)
                case .text: Conversation().text(records)
                case .markdown: TraceReport.markdown(records)
                }
            Terminal.write(String(text.dropLast()))
        }
    }

    private static func records(of path: String, _ filter: TraceFilter) throws -> [TraceRecord] {
        let trace: TraceReader.Trace
        do {
            trace = try TraceReader.read(path)
        } catch {
            switch error {
            case .unreadable: throw CommandError(error.description, .notThere)
            case .malformed: throw CommandError(error.description, .badInput)
            }
        }
        trace.warnings.forEach { Terminal.writeError("touchstone: warning: \($0)") }
        if let device = filter.device, !trace.records.contains(where: { $0.device == device }) {
            let names = Set(trace.records.map(\.device)).sorted().joined(separator: ", ")
            throw CommandError("no device \"\(device)\" in \(path); there are: \(names)", .badInput)
        }
        return filter.apply(to: trace.records)
    }
}

/// The options of commands whose devices can be traced.
struct TraceOptions: ParsableArguments {
    @Option(
        name: .customLong("trace"),
        help: ArgumentHelp("Record every request and answer in this file, as JSON Lines.", valueName: "file"))
    var path: String?

    @Flag(name: .customLong("trace-secrets"), help: "Keep PIN hashes, tokens and secret outputs in the trace.")
    var keepsSecrets = false

    func validate() throws {
        if keepsSecrets, path == nil { throw ValidationError("--trace-secrets needs --trace FILE.") }
    }

    /// What records the trace; nil when none is wanted.
    func recorder() throws -> TraceRecorder? {
        guard let path else { return nil }
        do {
            let file = try TraceFile(creating: path) { failure in
                Terminal.writeError("touchstone: the trace ends here: \(failure)")
            }
            return TraceRecorder(keepsSecrets: keepsSecrets, onRecord: file.write)
        } catch {
            throw CommandError(error.description, .badInput)
        }
    }
}

extension Conversation.Line.Tone {
    fileprivate var style: Terminal.Style? {
        switch self {
        case .heading: .bold
        case .answer: .green
        case .refusal: .red
        case .reason: .yellow
        case .field: .dim
        case .request, .event, .blank: nil
        }
    }
}
