internal import Foundation
package import Machine

extension MatrixPage {
    package static let kind = OutputFile.Kind("an HTML report", isReport: true) { head in
        String(decoding: head, as: UTF8.self).contains("<title>Touchstone report</title>")
    }

    /// The page, with its style, its script and its data.
    package func html() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = String(decoding: try encoder.encode(MatrixData(self)), as: UTF8.self)
        // Text from outside never ends the script that holds it.
        return EmbeddedText.report_html
            .replacing("{{style}}", with: EmbeddedText.report_css)
            .replacing("{{script}}", with: EmbeddedText.report_js)
            .replacing("{{data}}", with: json.replacing("<", with: "\\u003c"))
    }
}
