internal import CTAP
internal import Foundation
internal import PlatformErrors
internal import Tables
internal import Wording

/// Renders a trace as a conversation between clients and devices, with the events in between.
package struct Conversation: Sendable {
    package struct Line: Hashable, Sendable {
        /// The role of a line, by which it is coloured.
        package enum Tone: Hashable, Sendable {
            case heading, request, answer, refusal, event, reason, field, blank
        }

        package let text: String
        package let tone: Tone
    }

    private let showsSecrets: Bool

    package init(showsSecrets: Bool = false) { self.showsSecrets = showsSecrets }

    package func lines(_ records: [TraceRecord]) -> [Line] {
        var renderer = Renderer(nameWidth: records.map { TerminalText.escaped($0.device).count }.max() ?? 0)
        for record in records { renderer.render(showsSecrets ? record : record.masked) }
        return renderer.lines
    }

    package func text(_ records: [TraceRecord]) -> String { lines(records).map { $0.text + "\n" }.joined() }
}

/// Renders one record after the other.
private struct Renderer {
    let nameWidth: Int
    var lines: [Conversation.Line] = []
    private var date: String?
    private var exchange: Int?

    init(nameWidth: Int) { self.nameWidth = nameWidth }

    /// The column of the text, after the number, the time, and sender and receiver.
    private var textColumn: Int { 6 + 14 + nameWidth + 12 }

    mutating func render(_ record: TraceRecord) {
        let (date, time) = (Moment.day(record.at), Wording.timeOfDay(record.at))
        if date != self.date {
            self.date = date
            add("\(date), times in UTC", .heading)
        }
        switch record.content {
        case .device(let device):
            let title = device.title.map { ": \($0)" } ?? ""
            // Devices that start together are listed without a blank line between them.
            if let last = lines.last, last.tone != .heading { add("", .blank) }
            let secrets = device.keepsSecrets ? "this trace keeps secrets" : "secrets are masked"
            add("\(record.device)\(title) (\(secrets))", .heading)
            exchange = nil
        case .request(let request):
            add("", .blank)
            exchange = nil
            appendLine(record, time, .client, request.sentence, .request)
            render(request.message)
        case .keepalive(let status):
            let text = status == .userPresenceNeeded ? "waiting for the user" : "working"
            appendLine(record, time, .device, text, .event)
        case .event(let event):
            appendLine(record, time, .inside, event.text, .event)
            render(event.platformErrors?.filter { $0.kind == .platform || $0.kind == .hint })
        case .cancel: appendLine(record, time, .client, "cancel", .request)
        case .response(let response):
            appendLine(record, time, .device, response.sentence, response.isRefusal ? .refusal : .answer)
            if let reason = response.reason {
                continued(
                    "because \(reason)" + (response.clause.map { ", \($0)" } ?? "")
                        + (response.detail.map { ": \($0)" } ?? ""), .reason)
            }
            render(response.message)
        case .failure(let failure):
            appendLine(
                record, time, .inside, "no answer after \(Moment.span(failure.duration)): \(failure.text)", .refusal)
        case .powerCycle: appendLine(record, time, .inside, "power cycle", .event)
        }
    }

    private enum Side { case client, device, inside }

    private mutating func appendLine(
        _ record: TraceRecord, _ time: String, _ side: Side, _ text: String, _ tone: Conversation.Line.Tone
    ) {
        let isChange = record.exchange != exchange
        exchange = record.exchange
        let number = record.exchange.map { isChange ? "#\($0)" : "" } ?? ""
        let name = TerminalText.escaped(record.device)
        let sides =
            switch side {
            case .client: "client → \(name)"
            case .device: "\(name) → client"
            case .inside: name
            }
        add(
            number.padded(to: 6) + time.padded(to: 14) + sides.padded(to: nameWidth + 12) + TerminalText.escaped(text),
            tone)
    }

    /// The errors that an app on the device gets; those of pages and CTAP are in the answers.
    private mutating func render(_ errors: [PlatformError]?) {
        guard let errors, !errors.isEmpty else { return }
        continued("an app gets " + errors.map(\.text).joined(separator: "; "), .reason)
    }

    private mutating func render(_ message: TraceMessage) {
        if let problem = message.problem { continued("not canonical CBOR: \(problem)", .reason) }
        for line in message.fields.flatMap({ FieldText().lines($0) }) { continued(line, .field) }
    }

    private mutating func continued(_ text: String, _ tone: Conversation.Line.Tone) {
        add(String(repeating: " ", count: textColumn + 2) + text, tone)
    }

    private mutating func add(_ text: String, _ tone: Conversation.Line.Tone) {
        lines.append(Conversation.Line(text: TerminalText.escaped(text), tone: tone))
    }
}

extension TraceRequest {
    /// The command, the subcommand and the relying party.
    package var sentence: String {
        let party = message.fields.first { $0.name == "rpId" } ?? message.fields.first { $0.name == "rp" }?.first("id")
        return command + (subcommand.map { " \($0)" } ?? "") + (party?.value.map { " for \($0)" } ?? "")
    }
}

extension TraceResponse {
    var sentence: String {
        let span = Moment.span(duration)
        if let statusWord { return "\(U2FDecoder.description(of: statusWord)) after \(span)" }
        guard let status else { return "an empty answer after \(span)" }
        return (status == .ok ? "OK" : status.description) + " after \(span)"
    }
}

/// Formats days and spans.
enum Moment {
    /// The day in UTC.
    static func day(_ time: Duration) -> String {
        Date(timeIntervalSince1970: Double(time.components.seconds)).formatted(.iso8601.year().month().day())
    }

    /// A span: `12 ms`, `1.2 s`.
    static func span(_ span: Duration) -> String {
        let milliseconds = Int64(span / .milliseconds(1))
        guard milliseconds >= 1000 else { return "\(milliseconds) ms" }
        let tenths = milliseconds / 100
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
}

extension String {
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}
