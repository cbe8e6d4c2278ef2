package import Documents
internal import Foundation
internal import Wording

/// Reports as the JSON that `touchstone scenario run --json` prints, and their union.
package enum ReportFile {
    package typealias File = (file: String, reports: [ScenarioReport])

    /// - Throws: ``SourceError`` for a file that is not such a report.
    package static func read(_ path: String) throws(SourceError) -> [ScenarioReport] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw SourceError(file: path, line: nil, message: "the file cannot be read")
        }
        do {
            return try JSONDecoder().decode([ScenarioReport].self, from: data)
        } catch {
            throw SourceError(
                file: path, line: nil,
                message: "the file is not a report of scenarios; write it with `touchstone scenario run --json`")
        }
    }

    /// Joins the reports of several parts, in the order of the whole.
    ///
    /// - Returns: the reports as one machine alone would have made them.
    /// - Throws: ``SourceError`` for files that are not the parts of one run, for a run that two files have, and for a run
    ///   that no file has.
    package static func merge(_ files: [File]) throws(SourceError) -> [ScenarioReport] {
        var found: [Int: Entry] = [:]
        var first: Entry?
        for (file, reports) in files {
            for report in reports {
                if let first { try check(report, of: file, against: first) }
                first = first ?? (file, report)
                if let other = found[report.number] {
                    throw mistake(
                        file,
                        other.report.name == report.name
                            ? "run \(report.number), \(report.name), is also in \(other.file); give each part once"
                            : notOneRun(with: other.file)
                                + ": run \(report.number) is \(report.name) here and \(other.report.name) there")
                }
                found[report.number] = (file, report)
            }
        }
        guard let whole = first?.report.part else { throw mistake(names(files), "there is no run to report") }
        let missing = (1...max(1, whole.runs)).filter { found[$0] == nil }
        guard missing.isEmpty else { throw incomplete(whole, missing, files) }
        return found.sorted { $0.key < $1.key }.map { _, entry in
            var report = entry.report
            report.part = Shard.all.part(of: whole.runs)
            return report
        }
    }

    private typealias Entry = (file: String, report: ScenarioReport)

    private static func check(_ report: ScenarioReport, of file: String, against first: Entry) throws(SourceError) {
        let (own, other) = (report.part, first.report.part)
        guard own.count != other.count || own.runs != other.runs else { return }
        throw mistake(
            file,
            notOneRun(with: first.file)
                + ": \(words(own)) here and \(words(other)) there; run the same files and options with --shard")
    }

    private static func words(_ part: ReportPart) -> String {
        "\(Wording.counted(part.runs, "run")) in \(Wording.counted(part.count, "part"))"
    }

    private static func notOneRun(with other: String) -> String { "this and \(other) are not parts of one run" }

    private static func incomplete(_ whole: ReportPart, _ missing: [Int], _ files: [File]) -> SourceError {
        let parts = Set(missing.map { Shard.number(ofRun: $0, among: whole.count) }).sorted()
        return mistake(
            names(files),
            "\(missing.count) of \(Wording.counted(whole.runs, "run")) \(missing.count == 1 ? "is" : "are") missing; add "
                + parts.map { "part \($0)/\(whole.count)" }.joined(separator: ", "))
    }

    private static func names(_ files: [File]) -> String { files.map(\.file).joined(separator: ", ") }

    private static func mistake(_ file: String, _ message: String) -> SourceError {
        SourceError(file: file, line: nil, message: message)
    }
}
