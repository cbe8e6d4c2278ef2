package import Documents
internal import Foundation
package import Machine

/// The known failures of a subject; only other failures make a run fail.
package struct Baseline: Sendable {
    package struct Entry: Hashable, Sendable {
        package let id: String
        /// Why it fails or stays, for readers.
        package let reason: String
    }

    package static let kind = OutputFile.Kind("a baseline of conformance", isReport: true) { head in
        let text = String(decoding: head, as: UTF8.self)
        return text.hasPrefix(firstLine) || text.hasPrefix("failed:")
    }

    private static let firstLine = "# Known failures of a conformance run."

    package internal(set) var entries: [Entry] = []

    private init() {}

    /// The failures of a run.
    ///
    /// A failure that an older baseline has keeps its reason; the reason of another one is the observed behaviour.
    ///
    /// - Parameter threshold: the verdicts that count as failures.
    package init(
        _ report: ConformanceReport, keeping older: Baseline? = nil, from threshold: FailureThreshold = .failed
    ) {
        let reasons = Dictionary((older?.entries ?? []).map { ($0.id, $0.reason) }) { first, _ in first }
        entries = report.results.filter { threshold.includes($0.verdict) }.map {
            Entry(id: $0.id, reason: reasons[$0.id] ?? $0.deviations.first?.words ?? "failed")
        }
    }

    /// - Parameter known: the identifiers of the suite; another one is an error.
    /// - Throws: ``SourceError`` with the place of the first mistake.
    package init(file: String, known: Set<String>) throws(SourceError) {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw SourceError(file: file, line: nil, message: "the file cannot be read")
        }
        try self.init(parsing: String(decoding: data, as: UTF8.self), file: file, known: known)
    }

    package init(parsing text: String, file: String, known: Set<String>) throws(SourceError) {
        var baseline = Baseline()
        let root = try YAMLValue.parse(text, file: file)
        try Self.section(known).read(root, into: &baseline)
        self = baseline
    }

    private static func section(_ known: Set<String>) -> DocumentSection<Baseline> {
        DocumentSection<Baseline> {
            DocumentKey(
                "failed", .table(of: .text), "The reason for each known failure, by the case's identifier.", .required
            ) { baseline, table, place in
                for (id, reason) in table.sorted(by: { $0.key < $1.key }) {
                    guard known.contains(id) else {
                        throw place.error("the suite has no case \"\(id)\"; `touchstone conformance list` lists them")
                    }
                    baseline.entries.append(Entry(id: id, reason: reason))
                }
            }
        }
    }

    package func text() throws -> String {
        // A JSON string is a YAML string, too.
        let lines = try entries.map { entry in
            "  \(entry.id): " + String(decoding: try JSONValue.text(entry.reason).bytes(), as: UTF8.self)
        }
        return ([Self.firstLine, lines.isEmpty ? "failed: {}" : "failed:"] + lines).joined(separator: "\n") + "\n"
    }

    /// The failures of a run that the baseline does not know.
    package func newFailures(in report: ConformanceReport, from threshold: FailureThreshold = .failed) -> [String] {
        let known = Set(entries.map(\.id))
        return report.results.filter { threshold.includes($0.verdict) && !known.contains($0.id) }.map(\.id)
    }

    /// The known failures whose cases do not fail now.
    package func mended(in report: ConformanceReport, from threshold: FailureThreshold = .failed) -> [String] {
        let known = Set(entries.map(\.id))
        return report.results.filter { result in
            known.contains(result.id) && !threshold.includes(result.verdict)
                && (result.verdict == .passed || result.verdict == .warning)
        }.map(\.id)
    }
}
