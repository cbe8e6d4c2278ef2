package import Documents
internal import Foundation

/// Reports as the JSON that `touchstone scenario run --json` prints, and their union.
package enum ReportFile {
    /// Reads the reports of one file.
    ///
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
    /// - Parameter parts: the reports by their files.
    /// - Throws: ``SourceError`` for a run that two files have.
    package static func merge(_ parts: [(file: String, reports: [ScenarioReport])]) throws(SourceError)
        -> [ScenarioReport]
    {
        var files: [Int: String] = [:]
        for part in parts {
            for report in part.reports {
                guard let other = files.updateValue(part.file, forKey: report.number) else { continue }
                throw SourceError(
                    file: part.file, line: nil,
                    message: "run \(report.number), \(report.name), is in \(other) as well; give each part once")
            }
        }
        return parts.flatMap(\.reports).sorted { $0.number < $1.number }
    }
}
