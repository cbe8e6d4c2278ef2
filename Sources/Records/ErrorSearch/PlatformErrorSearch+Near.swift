internal import Causes
internal import PlatformErrors
internal import Wording

extension PlatformErrorSearch {
    // MARK: Parts

    /// Codes whose names share a part with the text, and sentences that contain the whole text.
    func parts(of text: PastedText) -> [Evidence] {
        guard text.lines.count == 1, let line = text.lines.first else { return [] }
        if text.sentence.count > 1 {
            let found = sentences.values.joined()
                .filter { !isGeneral($0) && Self.holds($0.words, text.sentence) }
                .map { evidence($0, 25) }.filter { !$0.weights.isEmpty }
            guard found.isEmpty else { return found }
        }
        let words = line.words.filter { !["code", "errorcode", "error", "domain"].contains($0.text.lowercased()) }
        guard !words.isEmpty, !words.contains(where: { bound($0.text)?.targets.isEmpty == true }) else { return [] }
        var weights: [Int: Int] = [:]
        for (place, entry) in entries.enumerated() {
            guard let cell = entry.cell, let interface = table.interface(cell.interface),
                !interface.general.contains(cell.code.name),
                words.allSatisfy({ fits($0, interface, cell.code) })
            else { continue }
            weights[place] = 15
        }
        return weights.isEmpty ? [] : [Evidence(kind: .part, weights: weights)]
    }

    /// Whether other programs also write a sentence or the code that it reports.
    private func isGeneral(_ sentence: Sentence) -> Bool {
        guard !sentence.isGeneral, let target = sentence.target else { return sentence.isGeneral }
        return table.interface(target.interface)?.general.contains(target.code) ?? false
    }

    private func fits(_ word: PastedLine.Word, _ interface: PlatformInterface, _ code: PlatformErrorCode) -> Bool {
        if let number = word.number { return code.number.map(number.values.contains) ?? false }
        let plain = Self.plain(word.text)
        let names = [interface.id] + interface.name.split(separator: " ").map(String.init) + interface.domains
        if names.contains(where: { Self.plain($0) == plain }) { return true }
        return plain.count >= 3 && Self.plain(code.name).contains(plain)
    }

    // MARK: Near names

    /// Suggestions for a text in which nothing fits: numbers of the interface that it names, names, sentences.
    func near(_ text: PastedText) -> [String] {
        var found: [String] = []
        for line in text.lines.prefix(20) {
            let named = Set(self.named(line))
            found += line.numbers.flatMap { nearNumbers($0, of: named) }
            for word in line.words
            where word.number == nil && (line.words.count == 1 && word.text.count > 4 || word.text.isName) {
                let bound = self.bound(word.text)?.interfaces
                found += NearestNames.to(String(word.text), among: names(of: bound), limit: 3)
            }
        }
        found += nearSentences(text.sentence)
        var unique: [String] = []
        for each in found where !unique.contains(each) && unique.count < 5 { unique.append(each) }
        return unique
    }

    private func nearNumbers(_ number: PastedNumber, of named: Set<String>) -> [String] {
        guard !named.isEmpty || number.isDistinctive else { return [] }
        let codes = table.interfaces.filter { named.isEmpty || named.contains($0.id) }.flatMap { interface in
            interface.codes.compactMap { code in code.number.map { (interface, code, number: $0) } }
        }
        let measured = codes.map { interface, code, own in
            (interface, code, distance: number.values.map { abs($0 - own) }.min() ?? .max)
        }
        return measured.filter { !named.isEmpty || $0.distance <= 64 }.sorted { $0.distance < $1.distance }.prefix(2)
            .map { interface, code, _ in "\(interface.name) \(interface.written(code) ?? "") \(code.name)" }
    }

    private func names(of interfaces: [String]?) -> [String] {
        let codes = table.interfaces.filter { interfaces?.contains($0.id) ?? true }.flatMap { interface in
            let names = interface.codes.map(\.name) + interface.otherNames.keys.sorted()
            let prefixes = interfaces == nil ? [""] : interface.prefixes.prefix(1) + [""]
            return prefixes.flatMap { prefix in names.map { prefix + $0 } }
        }
        return interfaces == nil ? codes + rows.map(\.cause.rawValue) : codes
    }

    private func nearSentences(_ words: [Substring]) -> [String] {
        let typed = Set(words)
        let measured = sentences.values.joined().map { sentence in
            let own = Set(sentence.words)
            return (sentence, common: own.intersection(typed).count, size: own.count)
        }
        let near = measured.filter { $0.common >= 3 && $0.common * 2 > min($0.size, typed.count) }
        return near.sorted { ($1.common, $0.0.text) < ($0.common, $1.0.text) }.prefix(2).map { "“\($0.0.text)”" }
    }
}

extension Substring {
    /// Whether a word looks like the name of a code.
    fileprivate var isName: Bool { contains("_") || isCamelCase }
}
