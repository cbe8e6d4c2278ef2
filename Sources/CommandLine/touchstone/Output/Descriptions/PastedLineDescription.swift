internal import ErrorSearch
internal import Foundation
internal import Machine
internal import PlatformErrors
internal import Tables
internal import Wording

/// A line of a pasted file with the causes that it reports, in words and in JSON.
struct PastedLineDescription: Encodable {
    let line: Int
    let text: String
    /// The causes, the most certain first.
    let outcomes: [PlatformErrorDescription]
    /// Names, numbers and sentences that resemble the line; empty when a cause was found.
    let near: [String]

    private static let longestFile = 4 << 20

    /// Looks up each line of a file that is not blank; `-` is standard input.
    static func read(_ path: String, _ filter: PlatformErrorFilter) throws -> [PastedLineDescription] {
        guard let bytes = BoundedFile.read(path == "-" ? "/dev/stdin" : path, limit: longestFile) else {
            throw CommandError("\(path): the file does not exist or cannot be read; check its name", .badInput)
        }
        guard bytes.count <= longestFile else {
            throw CommandError("\(path): the file is longer than 4 MiB, the most that is read; split it", .badInput)
        }
        var described: [PastedLineDescription] = []
        for (place, bytes) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw CommandError("\(path):\(place + 1): the line is not UTF-8; save the file as UTF-8", .badInput)
            }
            let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
            guard !trimmed.isEmpty else { continue }
            let answer = PlatformErrorSearch.shared.find(trimmed, where: filter.includes)
            described.append(
                PastedLineDescription(
                    line: place + 1, text: trimmed,
                    outcomes: answer.findings.map { PlatformErrorDescription($0.outcome, filter, cells: $0.cells) },
                    near: answer.near))
        }
        guard !described.isEmpty else { throw CommandError("\(path): the file has no lines to look up", .badInput) }
        return described
    }

    /// A row for each line: its most certain cause, and how many others fit.
    static func lines(_ described: [PastedLineDescription]) -> [String] {
        var table = TextTable("LINE", "CAUSE", "INTERFACE", "CODE", "NAME", "WHAT HAPPENED")
        for each in described { table.add(["\(each.line)"] + each.cells) }
        let hasUnverified = described.contains { $0.outcomes.first?.errors.first?.unverified == true }
        return table.lines + (hasUnverified ? ["", PlatformErrorDescription.remark] : [])
    }

    private var cells: [String] {
        guard let first = outcomes.first else {
            let question = near.isEmpty ? "" : "; did you mean \(near.joined(separator: ", "))?"
            return ["", "", "", "", "no error that is known" + question]
        }
        let others = outcomes.count - 1
        let more = others == 0 ? "" : " (and \(Wording.counted(others, "other cause")))"
        let error = first.errors.first
        return [
            first.outcome, error?.interface ?? "", error?.written ?? "", error?.markedName ?? "", first.meaning + more,
        ]
    }
}
