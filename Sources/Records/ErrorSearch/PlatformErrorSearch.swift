internal import Causes
internal import Documents
package import PlatformErrors
internal import YAMLFiles

/// Finds the causes behind pasted text: a code, a line of a log, a sentence, a whole stack trace.
///
/// Everything in the text that points to cells of the table is evidence: a name, a number after a word or in brackets, a
/// sentence, a cause. Evidence has a weight, and a cell the sum of the weights that point to it. Of each piece of evidence
/// only its heaviest cells remain, so that a sentence narrows down a code that many causes share.
package struct PlatformErrorSearch: Sendable {
    /// A cause with the cells that the text reports; without cells when the text names the cause alone.
    package struct Finding: Sendable {
        package let outcome: PlatformErrorRow
        package let cells: [PlatformErrorCell]
    }

    /// The causes that a text reports.
    package struct Answer: Sendable {
        /// The causes, the most certain first.
        package let findings: [Finding]
        /// Names, numbers and sentences that resemble the text; empty when a cause was found.
        package let near: [String]
        /// Whether the text is a number alone, which many interfaces have.
        package let isNumberAlone: Bool
    }

    /// The search of everything that the program knows.
    package static let shared = PlatformErrorSearch(.lookup, elsewhere: (try? loadElsewhere()) ?? [])

    /// Reads the words of other programs and interfaces.
    static func loadElsewhere() throws(SourceError) -> [String] {
        try YAMLValue.parse(EmbeddedText.elsewhere_yaml, file: "elsewhere.yaml").strings()
    }

    /// A code of an interface.
    struct Target: Hashable, Sendable {
        let interface: String
        let code: String
    }

    /// A row with one of its cells; without a cell if the row has none.
    struct Entry: Sendable {
        let row: Int
        let cell: PlatformErrorCell?
    }

    /// An entry whose code has a number, or a range of numbers.
    struct Numbered: Sendable {
        let place: Int
        let interface: PlatformInterface
        let first: Int
        let last: Int?
    }

    /// A sentence, in parts between which anything may stand.
    struct Sentence: Sendable {
        let parts: [[Substring]]
        let target: Target?
        /// The cause that it means, and the interface that prints it.
        let row: Int?
        let interface: String
        let text: String
        /// Whether other programs also write it.
        let isGeneral: Bool
        var words: [Substring] { parts.flatMap(\.self) }
    }

    let table: PlatformErrorTable
    let rows: [PlatformErrorRow]
    let entries: [Entry]
    let numbered: [Numbered]
    let entriesByTarget: [Target: [Int]]
    let entriesByRow: [[Int]]
    /// The codes by their plain names, those by which headers and libraries also call them included.
    let targets: [String: [(target: Target, name: String)]]
    /// The sentences by their first word.
    let sentences: [Substring: [Sentence]]
    /// The names by which logs call each interface, in small letters.
    let loggedNames: [(interface: String, names: [String])]
    /// Of these names those that other programs do not use.
    let ownNames: [(interface: String, names: [String])]
    /// Words and phrases of other programs, in small letters.
    let elsewhere: [String]
    /// The plain prefixes of names, longest first.
    let prefixes: [(prefix: String, interfaces: [String])]
    let forms: [(words: [String], interface: String)]

    package init(_ table: PlatformErrorTable, elsewhere: [String] = []) {
        self.table = table
        rows = table.outcomes + table.hints
        entries = rows.enumerated().flatMap { place, row in
            row.cells.isEmpty ? [Entry(row: place, cell: nil)] : row.cells.map { Entry(row: place, cell: $0) }
        }
        numbered = entries.enumerated().compactMap { place, entry in
            guard let cell = entry.cell, let first = cell.code.number, let interface = table.interface(cell.interface)
            else { return nil }
            return Numbered(place: place, interface: interface, first: first, last: cell.code.last)
        }
        var byTarget: [Target: [Int]] = [:]
        var byRow: [[Int]] = Array(repeating: [], count: rows.count)
        for (place, entry) in entries.enumerated() {
            byRow[entry.row].append(place)
            if let cell = entry.cell {
                byTarget[Target(interface: cell.interface, code: cell.code.name), default: []].append(place)
            }
        }
        (entriesByTarget, entriesByRow) = (byTarget, byRow)
        var targets: [String: [(target: Target, name: String)]] = [:]
        var sentences: [Sentence] = []
        var prefixes: [String: [String]] = [:]
        var forms: [(words: [String], interface: String)] = []
        for interface in table.interfaces {
            for (name, code) in interface.codes.map({ ($0.name, $0.name) }) + interface.otherNames.map({ ($0, $1) }) {
                targets[Self.plain(name), default: []].append((Target(interface: interface.id, code: code), name))
            }
            for (code, texts) in interface.texts {
                let target = Target(interface: interface.id, code: code)
                sentences += texts.map { Sentence($0, target, row: nil, interface) }
            }
            for prefix in interface.prefixes { prefixes[Self.plain(prefix), default: []].append(interface.id) }
            forms += interface.forms.map { form in
                (form.split { " :".contains($0) }.map { $0.lowercased() }, interface.id)
            }
        }
        for (place, row) in rows.enumerated() {
            for (id, texts) in row.texts {
                guard let interface = table.interface(id) else { continue }
                sentences += texts.map { Sentence($0, nil, row: place, interface) }
            }
        }
        loggedNames = table.interfaces.map { ($0.id, $0.loggedNames.map(Self.logged)) }
        ownNames = table.interfaces.map { interface in
            (interface.id, interface.loggedNames.filter { !interface.general.contains($0) }.map(Self.logged))
        }
        self.elsewhere = elsewhere.map(Self.logged)
        self.targets = targets
        self.sentences = Dictionary(grouping: sentences) { $0.parts.first?.first ?? "" }
        self.prefixes = prefixes.sorted { ($0.key.count, $1.key) > ($1.key.count, $0.key) }.map { ($0.key, $0.value) }
        self.forms = forms
    }

    /// The causes that a text reports on the platforms whose cells are included.
    package func find(_ text: String, where includes: (PlatformErrorCell) -> Bool = { _ in true }) -> Answer {
        let text = PastedText(text)
        let lines = text.lines.map { (line: $0, about: about($0)) }.filter { $0.about?.isEmpty != true }
        let everywhere = Set(lines.flatMap { named($0.line) })
        var evidence = lines.flatMap { line, about in
            let found =
                causes(in: line, of: text) + names(in: line, of: text)
                + numbers(in: line, of: text, beside: everywhere)
            return found.compactMap { each in
                restricted(each) { cell in about.map { $0.contains(cell.interface) } ?? true }
            }
        }
        let interfaces = evidence.reduce(into: everywhere) { $0.formUnion(self.interfaces(named: $1)) }
        evidence += sentences(in: lines.flatMap(\.line.sentence), beside: interfaces)
        evidence = evidence.compactMap { restricted($0, to: includes) }
        if evidence.isEmpty, lines.count == text.lines.count {
            evidence = parts(of: text).compactMap { restricted($0, to: includes) }
        }
        let findings = ranked(evidence)
        return Answer(
            findings: findings, near: findings.isEmpty ? near(text) : [], isNumberAlone: text.isNumberAlone)
    }

    /// The interfaces of the names among the evidence.
    private func interfaces(named evidence: Evidence) -> Set<String> {
        guard evidence.kind == .name else { return [] }
        return Set(evidence.weights.keys.compactMap { entries[$0].cell?.interface })
    }

    private func restricted(_ evidence: Evidence, to includes: (PlatformErrorCell) -> Bool) -> Evidence? {
        let weights = evidence.weights.filter { entries[$0.key].cell.map(includes) ?? true }
        return weights.isEmpty ? nil : Evidence(kind: evidence.kind, weights: weights, isWhole: evidence.isWhole)
    }

    private func ranked(_ evidence: [Evidence]) -> [Finding] {
        // A code that a text says twice weighs as much as one that it says once.
        var merged: [Evidence.Key: Evidence] = [:]
        for each in evidence where each.weight > merged[each.key]?.weight ?? 0 { merged[each.key] = each }
        var totals: [Int: Int] = [:]
        for each in merged.values { totals.merge(each.weights, uniquingKeysWith: +) }
        // Beside a certain cause, guesses from numbers and parts of names are left out.
        let heaviest = merged.values.map(\.weight).max() ?? 0
        let limit = heaviest >= Evidence.certain ? Evidence.certain : heaviest >= Evidence.likely ? Evidence.likely : 0
        var kept: Set<Int> = []
        for each in merged.values where each.weight >= limit {
            let top = each.weights.keys.compactMap { totals[$0] }.max() ?? 0
            kept.formUnion(each.weights.keys.filter { each.isWhole || totals[$0] ?? 0 > top - 10 })
        }
        var rowTotals: [Int: Int] = [:]
        for each in merged.values {
            let best = Dictionary(each.weights.map { (entries[$0].row, $1) }, uniquingKeysWith: max)
            rowTotals.merge(best, uniquingKeysWith: +)
        }
        let byRow = Dictionary(grouping: kept) { entries[$0].row }
        let findings = byRow.map { row, places in
            let sorted = places.sorted { (totals[$1] ?? 0, $0) < (totals[$0] ?? 0, $1) }
            let cells = sorted.compactMap { entries[$0].cell }
            let doubt = cells.allSatisfy(\.isUnverified) ? 1 : 0
            return (
                row: row, total: rowTotals[row] ?? 0, order: [rank(rows[row].cause, cells), doubt, row], cells: cells
            )
        }
        return findings.sorted {
            $0.total == $1.total ? $0.order.lexicographicallyPrecedes($1.order) : $0.total > $1.total
        }
        .map { Finding(outcome: rows[$0.row], cells: $0.cells) }
    }

    /// The place of a cause among the likely ones of a code that several share.
    private func rank(_ cause: Cause, _ cells: [PlatformErrorCell]) -> Int {
        let places = cells.compactMap { cell in
            table.interface(cell.interface)?.likely[cell.code.name]?.firstIndex(of: cause)
        }
        return places.min() ?? .max
    }

    /// A name without case, underscores, dots and hyphens.
    static func plain(_ name: some StringProtocol) -> String { name.lowercased().filter { !"_.- ".contains($0) } }
}

extension PlatformErrorSearch {
    /// Entries that a part of a text points to, with weights.
    struct Evidence {
        /// A name, a number of a named interface, a sentence.
        static let certain = 45
        /// A number after a word such as `status`.
        static let likely = 30

        enum Kind { case cause, name, number, sentence, part }

        struct Key: Hashable {
            let kind: Kind
            let entries: Set<Int>
        }

        let kind: Kind
        let weights: [Int: Int]
        /// Whether all entries remain, as those of a cause that the text names.
        var isWhole = false
        var key: Key { Key(kind: kind, entries: Set(weights.keys)) }
        var weight: Int { weights.values.max() ?? 0 }
    }

    /// Evidence for a code.
    func evidence(_ target: Target, _ weight: Int) -> [Int: Int] {
        Dictionary((entriesByTarget[target] ?? []).map { ($0, weight) }) { first, _ in first }
    }
}

extension PlatformErrorSearch.Sentence {
    init(_ text: String, _ target: PlatformErrorSearch.Target?, row: Int?, _ interface: PlatformInterface) {
        self.init(
            parts: text.split(separator: "…").map { PastedText.words(of: $0) }.filter { !$0.isEmpty },
            target: target, row: row, interface: interface.id, text: text,
            isGeneral: interface.general.contains(text))
    }
}
