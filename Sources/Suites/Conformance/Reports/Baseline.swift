package import Documents
internal import Foundation
package import Machine
internal import YAMLFiles

/// The known failures of a subject; only other failures make a run fail.
package struct Baseline: Sendable {
    package struct Entry: Hashable, Sendable {
        package let id: String
        /// Why it fails or stays, for readers.
        package let reason: String
        /// Where it is written; nil for an entry of this run.
        package let place: SourcePlace?

        package init(id: String, reason: String, place: SourcePlace? = nil) {
            (self.id, self.reason, self.place) = (id, reason, place)
        }
    }

    package static let kind = OutputFile.Kind("a baseline of conformance", isReport: true) { head in
        let text = String(decoding: head, as: UTF8.self)
        return text.hasPrefix(firstLine) || text.hasPrefix("failed:")
    }

    private static let firstLine = "# Known failures of a conformance run."

    package internal(set) var entries: [Entry] = []

    private init() {}

    /// The failures of a run, after those of an older baseline that the run did not show to be mended.
    ///
    /// An entry of the older baseline keeps its reason; the reason of a new one is the observed behaviour.
    ///
    /// - Parameter threshold: the verdicts that count as failures.
    package init(
        _ report: ConformanceReport, keeping older: Baseline? = nil, from threshold: FailureThreshold = .failed
    ) {
        let mended = Set(older?.mended(in: report) ?? [])
        entries = (older?.entries ?? []).filter { !mended.contains($0.id) }
        let kept = Set(entries.map(\.id))
        entries += report.results.filter { threshold.includes($0.verdict) && !kept.contains($0.id) }.map {
            Entry(id: $0.id, reason: $0.deviations.first?.words ?? "failed")
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
                "failed", \.entries, .entries(known), "The reason for each known failure, by the case's identifier.",
                .required)
        }
    }

    package func text() throws -> String {
        // A JSON string is a YAML string, too.
        let lines = try entries.map { entry in
            "  \(entry.id): " + String(decoding: try JSONValue.text(entry.reason).bytes(), as: UTF8.self)
        }
        return ([Self.firstLine, lines.isEmpty ? "failed: {}" : "failed:"] + lines).joined(separator: "\n") + "\n"
    }

    /// A result with the entry that knows its failure or its warning.
    package func marked(_ result: CaseResult) -> CaseResult {
        guard FailureThreshold.warning.includes(result.verdict),
            let entry = entries.first(where: { $0.id == result.id }), let place = entry.place
        else { return result }
        var result = result
        result.known = KnownFailure(file: place.file, line: place.line, reason: entry.reason)
        return result
    }

    /// The failures of a run that the baseline does not know.
    package func newFailures(in report: ConformanceReport, from threshold: FailureThreshold = .failed) -> [String] {
        let known = Set(entries.map(\.id))
        return report.results.filter { threshold.includes($0.verdict) && !known.contains($0.id) }.map(\.id)
    }

    /// The known failures whose cases pass now; one that still warns is not mended.
    package func mended(in report: ConformanceReport) -> [String] {
        let known = Set(entries.map(\.id))
        return report.results.filter { known.contains($0.id) && $0.verdict == .passed }.map(\.id)
    }
}

extension Form<[Baseline.Entry]> {
    /// - Parameter known: the identifiers of the suite.
    fileprivate static func entries(_ known: Set<String>) -> Form {
        Form(.map(.string(1...Int.max)), words: "mapping of cases to reasons") { value in
            try value.eachEntry { id, reason in
                guard known.contains(id) else {
                    throw reason.source.error(
                        "the suite has no case \"\(id)\"; `touchstone conformance list` lists them")
                }
                return Baseline.Entry(id: id, reason: try Form<String>.text.read(reason), place: reason.source)
            }
        }
    }
}
