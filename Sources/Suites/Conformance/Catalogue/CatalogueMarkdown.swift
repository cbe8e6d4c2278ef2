internal import Wording

/// The catalogue of a suite as a page of the documentation.
package enum CatalogueMarkdown {
    /// The page of a suite: one table for each group.
    package static func page(title: String, _ groups: [CatalogueGroup]) -> String {
        let cases = groups.flatMap(\.cases)
        var lines = [
            "# \(title)", "",
            "\(Wording.counted(cases.count, "case")) in \(Wording.counted(groups.count, "group")), of which "
                + "\(cases.count(where: \.isDestructive)) run only with `--destructive`. "
                + "`touchstone conformance list` prints this list with filters.",
            "",
        ]
        for group in groups {
            lines += ["## \(group.title)", "", "| case | demand | clause | level | needs | effects | FIDO |"]
            lines.append("|---|---|---|---|---|---|---|")
            lines += group.cases.map(row)
            lines.append("")
        }
        return lines.dropLast().joined(separator: "\n") + "\n"
    }

    private static func row(_ description: CaseDescription) -> String {
        let person = description.person.map { "\($0.rawValue) (person)" }
        let cells = [
            "`\(description.id)`", description.title, description.clause.description, description.level.rawValue,
            description.needs.joined(separator: "; "),
            (description.effects.map(\.rawValue) + person).joined(separator: "; "),
            description.official.joined(separator: "; "),
        ]
        return "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
    }
}
