import ArgumentParser
import Foundation
import Tables
import Trace

/// `touchstone trace`.
struct TraceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Show and convert recorded requests and answers.",
        discussion: "Most commands with devices record a trace with --trace FILE.",
        subcommands: [Show.self, Convert.self])

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show a trace as a conversation.",
            discussion: """
                Shows every request with its named parameters, the events in the device and the answer. A simulated \
                device's refusals have their reason and the clause that requires them.
                """)

        @Argument(help: "The trace file.", completion: .file())
        var file: String

        @Flag(help: "Print the records as JSON Lines.")
        var json = false

        @Flag(help: "Show secrets; the trace must be recorded with --trace-secrets.")
        var secrets = false

        @Option(help: "Show only this device.")
        var device: String?

        @Flag(help: "Show only requests that were refused or got no answer.")
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
                let text = line.tone.style.map { Terminal.styled(line.text, $0) } ?? line.text
                let indent = line.text.prefix { $0 == " " }.count
                Terminal.writeText(text, hanging: max(20, indent + 2))
            }
        }
    }

    struct Convert: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "convert", abstract: "Convert a trace to share it; secrets are always masked.")

        enum Form: String, ExpressibleByArgument, CaseIterable {
            case json, text, markdown
        }

        @Argument(help: "The trace file.", completion: .file())
        var file: String

        @Option(help: "json: an array of the records; text: the conversation; markdown: a bug report.")
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
        let trace = try TraceReader.read(path)
        trace.warnings.forEach { Terminal.writeError("touchstone: warning: \($0)") }
        if let device = filter.device, !trace.records.contains(where: { $0.device == device }) {
            let names = Set(trace.records.map(\.device)).sorted().joined(separator: ", ")
            throw CommandError("no device \"\(device)\" in \(path); choose one of \(names)", .badInput)
        }
        return filter.apply(to: trace.records)
    }
}

extension Conversation.Line.Tone {
    fileprivate var style: TerminalText.Style? {
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
