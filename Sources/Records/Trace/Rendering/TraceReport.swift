internal import CTAP
internal import Foundation
internal import Tables

/// Renders a trace for others, always with secrets masked.
package enum TraceReport {
    /// One JSON array of the records, indented.
    package static func json(_ records: [TraceRecord]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(records.map(\.masked)), as: UTF8.self) + "\n"
    }

    /// A bug report in Markdown: a table of the exchanges, then the conversation.
    package static func markdown(_ records: [TraceRecord]) -> String {
        let records = records.map(\.masked)
        var text = "## Trace\n\n"
        for record in records {
            guard case .device(let device) = record.content else { continue }
            text += "- **\(cell(record.device))**" + (device.title.map { ": \(cell($0))" } ?? "") + "\n"
        }
        text += "\n| # | device | request | answer | reason |\n|---|---|---|---|---|\n"
        for row in rows(records) { text += "| " + row.map(cell).joined(separator: " | ") + " |\n" }
        let conversation = Conversation().text(records)
        let fence = fence(around: conversation)
        return text + "\n\(fence)text\n\(conversation)\(fence)\n"
    }

    private static func rows(_ records: [TraceRecord]) -> [[String]] {
        var rows: [[String]] = []
        var places: [Int: Int] = [:]
        for record in records {
            guard let exchange = record.exchange else { continue }
            switch record.content {
            case .request(let request):
                places[exchange] = rows.count
                rows.append(["\(exchange)", record.device, request.sentence, "none recorded", ""])
            case .response(let response):
                guard let place = places[exchange] else { continue }
                rows[place][3] = response.sentence
                rows[place][4] = [response.reason, response.clause].compactMap(\.self).joined(separator: ", ")
            case .failure(let failure):
                guard let place = places[exchange] else { continue }
                rows[place][3] = "none: \(failure.error)"
                rows[place][4] = failure.text
            default: continue
            }
        }
        return rows
    }

    /// Text with Markdown's special characters escaped.
    private static func cell(_ text: String) -> String {
        TerminalText.escaped(text).reduce(into: "") { result, character in
            if "\\`*_[]<>|".contains(character) { result.append("\\") }
            result.append(character)
        }
    }

    /// A fence longer than any run of backticks in the text.
    private static func fence(around text: String) -> String {
        var longest = 2
        var run = 0
        for character in text {
            run = character == "`" ? run + 1 : 0
            longest = max(longest, run)
        }
        return String(repeating: "`", count: longest + 1)
    }
}
