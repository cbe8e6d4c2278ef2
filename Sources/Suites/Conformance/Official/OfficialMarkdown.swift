internal import Wording

/// The coverage of the FIDO conformance tool's scripts as a page of the documentation.
package enum OfficialMarkdown {
    /// The page: for each module a table of its scripts, then of the markers whose meaning is public.
    package static func page(_ modules: [(module: String, coverage: [OfficialCoverage])]) -> String {
        var lines = [
            "# Cases of the FIDO conformance tool", "",
            "The scripts of the FIDO conformance tool are not public. Public sources state their names, their numbers of cases, and "
                + "the subjects of some. The cases here come from the texts of the specifications; a case carries the "
                + "identifier of a script whose subject it shares, and the marker (`P-1`, `F-1`) where its meaning is public. "
                + "`touchstone conformance list --official --markdown` prints these tables.",
            "",
        ]
        for (module, coverage) in modules { lines += section(module, coverage) }
        return lines.dropLast().joined(separator: "\n") + "\n"
    }

    private static func section(_ module: String, _ coverage: [OfficialCoverage]) -> [String] {
        let total = coverage.reduce(0) { $0 + $1.markers }
        let known = coverage.flatMap(\.known).count { !$0.cases.isEmpty }
        let gaps = coverage.reduce(0) { $0 + $1.gaps.count }
        let subjects = coverage.reduce(0) { sum, script in
            sum + (script.cases == 0 ? 0 : script.markers - script.known.count - script.gaps.count)
        }
        var lines = [
            "## \(module)", "",
            "\(Wording.counted(coverage.count, "script")) with \(Wording.counted(total, "case")): \(known) have the same meaning as "
                + "cases here, \(subjects) belong to a script whose subject is covered, \(gaps) have no case here.", "",
            "| group | script | its cases | cases here | coverage |", "|---|---|---|---|---|",
        ]
        lines += coverage.map { script in
            "| \(script.group) | `\(script.script)` | \(script.markers) | \(script.cases) | \(words(script)) |"
        }
        let matches = coverage.flatMap { script in
            script.known.map { known in
                "| `\(script.script) \(known.marker)` | \(known.cases.map { "`\($0)`" }.joined(separator: ", ")) | "
                    + "\(known.source) |"
            }
        }
        if !matches.isEmpty {
            lines += ["", "| official case | cases here | source |", "|---|---|---|"] + matches
        }
        return lines + [""]
    }

    /// The state, with the reasons for markers without a case.
    private static func words(_ script: OfficialCoverage) -> String {
        let reasons = Dictionary(grouping: script.gaps, by: \.value).map { reason, gaps in
            gaps.count == script.markers
                ? reason : "\(gaps.map(\.key).sorted().joined(separator: ", ")): \(reason)"
        }
        return ([script.state.rawValue] + reasons.sorted()).joined(separator: "; ")
    }
}
