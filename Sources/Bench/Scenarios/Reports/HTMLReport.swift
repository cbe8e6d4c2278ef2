internal import Foundation
package import Machine

/// Scenario reports as one HTML file: a matrix of requirements and devices, whose cells open the timeline of a run.
package enum HTMLReport {
    /// The kind of the file.
    package static let kind = OutputFile.Kind("an HTML report") { head in
        String(decoding: head, as: UTF8.self).contains("<title>Touchstone report</title>")
    }

    /// The page, with its style, its script and its data.
    ///
    /// - Throws: when the data cannot be written as JSON.
    package static func html(
        _ reports: [ScenarioReport], catalogue: RequirementCatalogue = .shared
    ) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = String(decoding: try encoder.encode(ReportPage(reports, catalogue)), as: UTF8.self)
        // Text from outside never ends the script that holds it.
        return text(PackageResources.report_html)
            .replacing("{{style}}", with: text(PackageResources.report_css))
            .replacing("{{script}}", with: text(PackageResources.report_js))
            .replacing("{{data}}", with: json.replacing("<", with: "\\u003c"))
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
