/// The documentation's pages, which are part of the program.
package struct Page: Hashable, Sendable {
    /// The path, such as `docs/browser.md`.
    package let path: String
    /// The text in Markdown.
    package let text: String

    /// The name, such as `browser`.
    package var name: String { String(path.dropFirst("docs/".count).dropLast(".md".count)) }

    /// The first heading; the name for a page without one.
    package var title: String {
        let line = text.split(separator: "\n").first { $0.hasPrefix("# ") }
        return line.map { String($0.dropFirst(2)) } ?? name
    }

    /// All pages, by name.
    package static let all = embeddedTexts.map { Page(path: $0, text: $1) }.sorted { $0.name < $1.name }
}
