internal import Foundation

/// The part of WCAG 2.2 AA that a style sheet shows: contrast in light and dark, a visible focus, the size of targets.
///
/// Colours are custom properties of `:root` or `#rrggbb`; a rule without a background has that of `main`.
enum StyleAudit {
    /// The findings in a style sheet, each with its success criterion; empty for none.
    static func problems(of css: String) -> [String] {
        let rules = rules(css, scheme: nil)
        guard !rules.isEmpty else { return ["the answer is not a style sheet"] }
        var problems: [String] = []
        for scheme in [Scheme.light, .dark] {
            var colours: [String: String] = [:]
            for rule in rules where rule.selector == ":root" && (rule.scheme == nil || rule.scheme == scheme) {
                colours.merge(rule.declarations) { _, new in new }
            }
            let page = colour("background", of: rules.first { $0.selector == "main" }, colours)
            for rule in rules where rule.selector != ":root" {
                problems += contrastProblems(rule, colours, page).map { "\($0), \(scheme.rawValue)" }
            }
        }
        if rules.contains(where: { ["none", "0"].contains($0.declarations["outline"]) }) {
            problems.append("2.4.7 a rule hides the focus")
        }
        let heights = rules.filter { $0.selector == "button" }.compactMap { $0.declarations["min-height"] }
        if !heights.contains(where: { (Double($0.replacing("rem", with: "")) ?? 0) >= 1.5 }) {
            problems.append("2.5.8 a button may be lower than 24 pixels")
        }
        return problems
    }

    private enum Scheme: String { case light, dark }

    private struct Rule {
        let selector: String
        let declarations: [String: String]
        /// The scheme that the rule is for; nil for both.
        let scheme: Scheme?
    }

    private static func rules(_ css: String, scheme: Scheme?) -> [Rule] {
        var rules: [Rule] = []
        var rest = css[...]
        while let start = rest.firstIndex(of: "{") {
            let selector = rest[..<start].trimmingCharacters(in: .whitespacesAndNewlines)
            var depth = 1
            var end = rest.index(after: start)
            while end < rest.endIndex, depth > 0 {
                depth += rest[end] == "{" ? 1 : rest[end] == "}" ? -1 : 0
                end = rest.index(after: end)
            }
            let body = rest[rest.index(after: start)..<end].dropLast()
            rest = rest[end...]
            if selector.hasPrefix("@media") {
                rules += Self.rules(String(body), scheme: selector.contains("dark") ? .dark : .light)
                continue
            }
            var declarations: [String: String] = [:]
            for declaration in body.split(separator: ";") {
                let parts = declaration.split(separator: ":", maxSplits: 1)
                guard parts.count == 2 else { continue }
                declarations[parts[0].trimmingCharacters(in: .whitespacesAndNewlines)] = parts[1].trimmingCharacters(
                    in: .whitespacesAndNewlines)
            }
            rules.append(Rule(selector: selector, declarations: declarations, scheme: scheme))
        }
        return rules
    }

    private static func contrastProblems(_ rule: Rule, _ colours: [String: String], _ page: Double?) -> [String] {
        let background = colour("background", of: rule, colours) ?? page
        guard let background else { return ["1.4.3 the page's background is unknown"] }
        var problems: [String] = []
        if let text = colour("color", of: rule, colours), contrast(text, background) < 4.5 {
            problems.append("1.4.3 \(rule.selector) has too little contrast")
        }
        // The edge of a field makes the field visible.
        if rule.selector.hasPrefix("input["), let edge = colour("border", of: rule, colours),
            contrast(edge, background) < 3
        {
            problems.append("1.4.11 the edge of \(rule.selector) has too little contrast")
        }
        return problems
    }

    /// The luminance of the colour in a declaration; nil without one.
    private static func colour(_ name: String, of rule: Rule?, _ colours: [String: String]) -> Double? {
        rule?.declarations[name]?.split(separator: " ").lazy.compactMap { word in
            let text = word.hasPrefix("var(") ? colours[String(word.dropFirst(4).dropLast())] : String(word)
            return text.flatMap(luminance)
        }.first
    }

    /// The relative luminance of `#rrggbb` (WCAG 2.2).
    private static func luminance(_ text: String) -> Double? {
        guard text.hasPrefix("#"), text.count == 7, let value = UInt32(text.dropFirst(), radix: 16) else { return nil }
        let parts = [16, 8, 0].map { shift in
            let part = Double(value >> UInt32(shift) & 0xff) / 255
            return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }

    private static func contrast(_ one: Double, _ other: Double) -> Double {
        (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }
}
