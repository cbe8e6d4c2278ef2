/// The part of WCAG 2.2 AA that the text of a page shows: names, labels, structure, focus order, zoom, time limits.
///
/// The test of the pages in a browser looks at the rest.
enum PageAudit {
    /// The findings in a page, each with its success criterion; empty for none.
    static func problems(of html: String) -> [String] {
        let page = Markup(html)
        return language(page) + structure(page) + names(page) + labels(page) + focus(page) + limits(page)
    }

    private static func language(_ page: Markup) -> [String] {
        page.named("html").contains { !($0["lang"] ?? "").isEmpty } ? [] : ["3.1.1 the page has no language"]
    }

    private static func structure(_ page: Markup) -> [String] {
        var problems: [String] = []
        if !page.named("title").contains(where: { !$0.text.isEmpty }) { problems.append("2.4.2 the page has no title") }
        if page.named("main").count != 1 { problems.append("1.3.1 the page needs one main element") }
        let levels = page.named("h1", "h2", "h3", "h4", "h5", "h6").compactMap { $0.name.last?.wholeNumberValue }
        if levels.first != 1 { problems.append("1.3.1 the first heading is not an h1") }
        for (level, next) in zip(levels, levels.dropFirst()) where next > level + 1 {
            problems.append("1.3.1 a heading h\(next) follows h\(level)")
        }
        let ids = page.elements.compactMap { $0["id"] }
        for id in Set(ids).sorted() where ids.count(where: { $0 == id }) > 1 {
            problems.append("1.3.1 the id \(id) occurs twice")
        }
        return problems
    }

    private static func names(_ page: Markup) -> [String] {
        let unnamed = page.named("button", "a", "summary").filter {
            $0.text.isEmpty && ($0["aria-label"] ?? "").isEmpty
        }
        let images = page.named("img").filter { $0["alt"] == nil }
        return unnamed.map { "4.1.2 a \($0.name) has no name" }
            + images.map { _ in "1.1.1 an image has no alternative" }
    }

    private static func labels(_ page: Markup) -> [String] {
        let targets = Set(page.named("label").filter { !$0.text.isEmpty }.compactMap { $0["for"] })
        return page.named("input", "select", "textarea").compactMap { field in
            let type = field["type"] ?? "text"
            guard !["hidden", "submit", "button"].contains(type) else { return nil }
            let name = field["name"] ?? field["id"] ?? type
            let isLabelled =
                field["id"].map(targets.contains) == true || !(field["aria-label"] ?? "").isEmpty
                || page.isInside(field) { $0.name == "label" && !$0.text.isEmpty }
            guard isLabelled else { return "3.3.2 the field \(name) has no label" }
            if type == "radio", !page.isInside(field, { $0.name == "fieldset" }) {
                return "1.3.1 the choice \(name) is in no group"
            }
            // 3.3.8 lets a password manager fill the field in.
            let purposes = ["password": ["current-password", "new-password"]][type] ?? []
            let words = (field["autocomplete"] ?? "").split(separator: " ").map(String.init)
            guard purposes.isEmpty || purposes.contains(where: words.contains) else {
                return "3.3.8 the field \(name) does not say its purpose"
            }
            return nil
        }
    }

    private static func focus(_ page: Markup) -> [String] {
        page.elements.compactMap { element in
            if (element["tabindex"].flatMap { Int($0) } ?? 0) > 0 { return "2.4.3 a \(element.name) has a tab index" }
            return element["autofocus"] != nil ? "2.4.3 a \(element.name) takes the focus" : nil
        }
    }

    private static func limits(_ page: Markup) -> [String] {
        page.named("meta").compactMap { meta in
            if meta["http-equiv"]?.lowercased() == "refresh" { return "2.2.1 the page reloads by itself" }
            let view = meta["name"] == "viewport" ? meta["content"] ?? "" : ""
            return view.contains("user-scalable=no") || view.contains("maximum-scale")
                ? "1.4.4 the page cannot be zoomed" : nil
        }
    }
}
