internal import CTAP
internal import Causes
internal import PlatformErrors

extension PlatformErrorSearch {
    // MARK: Causes

    /// The causes that a line names, alone or at the end of a refusal's label: `clientPIN.builtInUV.lockedOut.timed`.
    func causes(in line: PastedLine, of text: PastedText) -> [Evidence] {
        line.words.enumerated().compactMap { place, word in
            guard !line.denies(place) else { return nil }
            let name = String(word.text)
            let isAlone = text.lines.count == 1 && line.words.count == 1
            if name.hasPrefix("ctap."),
                let status = CTAPStatus.all.first(where: { $0.identifier == name.dropFirst(5) }),
                let name = status.name, table.outcome(Cause(String(word.text))) == nil
            {
                return Evidence(kind: .cause, weights: evidence(Target(interface: "ctap", code: name), 65))
            }
            guard let row = row(named: name, isAlone: isAlone) else { return nil }
            return Evidence(
                kind: .cause, weights: Dictionary(uniqueKeysWithValues: entriesByRow[row].map { ($0, 65) }),
                isWhole: true)
        }
    }

    private func row(named name: String, isAlone: Bool) -> Int? {
        let parts = name.split(separator: ".").map(String.init)
        for start in parts.indices {
            let suffix = parts[start...].joined(separator: ".")
            guard isAlone && start == 0 || suffix.contains(".") || suffix.dropFirst().contains(where: \.isUppercase)
            else {
                continue
            }
            if let row = table.outcome(Cause(suffix)), let place = rows.firstIndex(of: row) { return place }
        }
        return nil
    }

    // MARK: Names

    /// The codes that a line names.
    func names(in line: PastedLine, of text: PastedText) -> [Evidence] {
        let named = Set(self.named(line))
        return line.words.enumerated().compactMap { place, word in
            let isShort = text.lines.count == 1 && stands(place, aloneIn: line)
            guard word.number == nil, !isInterface(word.text), !["true", "false"].contains(word.text) || isShort,
                !line.denies(place)
            else { return nil }
            if let bound = self.bound(word.text) {
                let weights = bound.targets.map { evidence($0, 84) }
                return weights.isEmpty
                    ? nil : Evidence(kind: .name, weights: weights.reduce(into: [:]) { $0.merge($1) { $1 } })
            }
            let last = word.text.split(separator: ".").last ?? word.text
            var found = targets[Self.plain(word.text)] ?? targets[Self.plain(last)] ?? targets(ofException: last)
            if found.contains(where: { named.contains($0.target.interface) }) {
                found = found.filter { named.contains($0.target.interface) }
            }
            // {"error": "lockout"}: a word of prose is a name only where a name is expected.
            let isExpected =
                place > 0 && Self.announcements.contains(line.words[place - 1].text.lowercased()) && line.ends(place)
            let isName = isShort || last.contains("_") || last.isCamelCase
            found = found.filter { target, name in
                named.contains(target.interface) || fits(target, name, last, in: line, isShort: isShort)
            }
            guard isName || isExpected || found.contains(where: { named.contains($0.target.interface) }) else {
                return nil
            }
            var weights: [Int: Int] = [:]
            for (target, name) in found {
                let isSDK = table.interface(target.interface)?.kind == .sdk
                let isExact = name == last || name == word.text
                // In "ASAuthorizationController … failed with error 1001" the name `failed` is a word of the sentence.
                let isCertain = isName || named.contains(target.interface) && !last.allSatisfy(\.isLowercase)
                let weight = isCertain ? (isExact ? 70 : 50) + (isSDK ? 0 : 12) : 40
                weights.merge(evidence(target, weight)) { max($0, $1) }
            }
            return weights.isEmpty ? nil : Evidence(kind: .name, weights: weights)
        }
    }

    /// Whether a name can mean a code of an interface that the line does not name.
    private func fits(_ target: Target, _ name: String, _ word: Substring, in line: PastedLine, isShort: Bool) -> Bool {
        guard isShort else { return table.interface(target.interface)?.general.contains(name) != true }
        // `ERROR 500` and `TIMEOUT 504` are of another program.
        guard !Self.announcements.contains(word.lowercased()) else { return false }
        let numbers = line.numbers
        guard !numbers.isEmpty, !word.contains("_"), !word.isCamelCase else { return true }
        let code = table.interface(target.interface)?.codes.first { $0.name == target.code }
        return numbers.contains { number in code?.number.map(number.values.contains) ?? false }
    }

    /// Whether a line has nothing but a word, or beside it a number, an interface or an announcement.
    ///
    /// `LAError lockout` is such a line; the first word of `all good` is prose.
    private func stands(_ place: Int, aloneIn line: PastedLine) -> Bool {
        line.words.count <= 2
            && line.words.enumerated().allSatisfy { other, word in
                other == place || word.number != nil || isInterface(word.text)
                    || Self.announcements.contains(word.text.lowercased())
            }
    }

    /// The codes whose exception has their name and `Exception`.
    private func targets(ofException name: Substring) -> [(target: Target, name: String)] {
        let plain = Self.plain(name)
        return plain.hasSuffix("exception") ? targets[String(plain.dropLast("exception".count))] ?? [] : []
    }

    /// Whether a word is only the name of an interface.
    private func isInterface(_ word: Substring) -> Bool {
        let word = word.lowercased()
        return loggedNames.contains { $0.names.contains(word) }
    }

    private static let announcements: Set<String> = ["error", "code", "errorcode", "name", "reason", "type"]

    /// Whether a word says only that an error follows, or what about: `error`, `webauthn`.
    private static func isAnnouncement(_ word: Substring) -> Bool {
        announcements.contains(String(word)) || PastedLine.isGeneral(word)
    }

    /// The interfaces whose prefix a name has, and their codes with the rest of the name; nil without a prefix.
    func bound(_ word: Substring) -> (interfaces: [String], targets: [Target])? {
        let last = word.split(separator: ".").last ?? word
        for name in [Self.plain(word), Self.plain(last)] {
            for (prefix, interfaces) in prefixes where name.hasPrefix(prefix) && name.count > prefix.count {
                let rest = String(name.dropFirst(prefix.count))
                let rests =
                    [name, rest] + ["code", "error"].filter(rest.hasPrefix).map { String(rest.dropFirst($0.count)) }
                let found = interfaces.flatMap { id in rests.flatMap { codes($0, of: id) } }
                if !found.isEmpty { return (interfaces, found) }
                if prefix.hasSuffix("err") || prefix.hasSuffix("errsec") { return (interfaces, []) }
            }
        }
        return nil
    }

    private func codes(_ plain: String, of interface: String) -> [Target] {
        // FINGERPRINT_ERROR_LOCKOUT and FACE_ERROR_LOCKOUT are ERROR_LOCKOUT; domerrors.SecurityError is TYPE_SECURITY_ERROR.
        for name in [plain, "error" + plain, "type" + plain] {
            let found = (targets[name] ?? []).filter { $0.target.interface == interface }.map(\.target)
            if !found.isEmpty { return found }
        }
        return []
    }

    /// The interfaces that a line names.
    func named(_ line: PastedLine) -> [String] {
        let ids = loggedNames.filter { $0.names.contains(where: line.mentions) }.map(\.interface)
        return ids + boundInterfaces(line)
    }

    // MARK: Numbers

    /// The codes whose numbers a line has: of the interfaces that it names, otherwise of those that the whole text names,
    /// otherwise of every interface.
    func numbers(in line: PastedLine, of text: PastedText, beside everywhere: Set<String>) -> [Evidence] {
        let places = line.words.indices.filter { line.words[$0].number != nil && !isOfOtherDomain($0, in: line) }
        guard !places.isEmpty else { return [] }
        var found: [Evidence] = []
        for (words, interface) in forms {
            for start in line.words.indices.dropLast(words.count - 1) {
                let these = Array(line.words[start..<(start + words.count)])
                guard zip(these, words).allSatisfy(Self.fits) else { continue }
                let weights = these.compactMap(\.number).map { codes($0, of: [interface], 60) }
                found += weights.filter { !$0.isEmpty }.map { Evidence(kind: .number, weights: $0) }
            }
        }
        guard found.isEmpty else { return found }
        let own = Set(self.named(line))
        let interfaces = own.isEmpty ? everywhere : own
        let numbers = places.compactMap { line.words[$0].number }
        let marked = numbers.filter(\.isMarked)
        if !interfaces.isEmpty {
            let counted =
                !marked.isEmpty
                ? marked
                : own.isEmpty
                    ? numbers.filter(\.isDistinctive)
                    : places.filter { isCode($0, in: line) }.compactMap { line.words[$0].number }
            found = counted.map { codes($0, of: interfaces, own.isEmpty ? 45 : 55) }.filter { !$0.isEmpty }
                .map { Evidence(kind: .number, weights: $0) }
            guard found.isEmpty else { return found }
        }
        let isAlone = text.isNumberAlone
        return numbers.compactMap { number in
            // Everything calls its success 0.
            let isCode = number.isMarked && number.values != [0] && line.isBare
            guard number.isDistinctive || interfaces.isEmpty && (isCode || isAlone) else { return nil }
            let platforms = interfaces.compactMap { table.interface($0)?.platforms }
                .reduce(into: Set()) { $0.formUnion($1) }
            let weights = codes(
                number, of: nil, isAlone ? 50 : number.isDistinctive ? 48 : 30,
                on: interfaces.isEmpty ? nil : platforms, isAlone: isAlone)
            return weights.isEmpty ? nil : Evidence(kind: .number, weights: weights)
        }
    }

    /// Whether a word is the one of a form, in which `#` stands for a number and `[#]` for one in brackets.
    private static func fits(_ word: PastedLine.Word, _ form: String) -> Bool {
        switch form {
        case "#": word.number != nil
        case "[#]": word.number?.isInBrackets == true
        default: word.text.lowercased() == form
        }
    }

    /// The entries with a number, in the named interfaces, or in those of some platforms that write such numbers.
    private func codes(
        _ number: PastedNumber, of interfaces: Set<String>?, _ weight: Int, on platforms: Set<Platform>? = nil,
        isAlone: Bool = false
    ) -> [Int: Int] {
        let possible = numbered.filter { entry in
            if let interfaces { return interfaces.contains(entry.interface.id) }
            if let platforms, platforms.isDisjoint(with: entry.interface.platforms) { return false }
            return !number.isHexadecimal || number.isDistinctive || entry.interface.isHexadecimal
        }
        let found = Self.weights(number.values, among: possible, weight)
        // Without an interface, `6985` is a decimal number unless it stands alone; `6A80` is none.
        guard found.isEmpty, interfaces != nil || isAlone || number.values.isEmpty, let bare = number.bareHexadecimal
        else { return found }
        return Self.weights([bare], among: possible.filter(\.interface.isHexadecimal), weight)
    }

    /// The entries with one of some numbers; those whose range has one where no entry has the number itself.
    private static func weights(_ values: Set<Int>, among possible: [Numbered], _ weight: Int) -> [Int: Int] {
        let exact = possible.filter { $0.last == nil && values.contains($0.first) }
        guard exact.isEmpty else { return Dictionary(uniqueKeysWithValues: exact.map { ($0.place, weight) }) }
        let ranges = possible.filter { entry in
            entry.last.map { last in values.contains { (entry.first...last).contains($0) } } ?? false
        }
        return Dictionary(uniqueKeysWithValues: ranges.map { ($0.place, weight - 5) })
    }

    // MARK: Sentences

    /// The sentences in a text; of two that overlap, the longer one.
    ///
    /// A sentence that other programs also write counts beside a name of its interface, or as the whole text.
    func sentences(in words: [Substring], beside named: Set<String>) -> [Evidence] {
        var found: [Sentence] = []
        let telling = words.filter { !Self.isAnnouncement($0) }
        for (place, word) in words.enumerated() {
            for sentence in sentences[word] ?? [] where Self.stands(sentence, in: words, at: place) {
                guard
                    !sentence.isGeneral || named.contains(sentence.interface)
                        || telling == sentence.words.filter({ !Self.isAnnouncement($0) })
                else {
                    continue
                }
                found.append(sentence)
            }
        }
        return found.compactMap { sentence in
            let own = sentence.words
            let isPart = found.contains { other in other.words.count > own.count && Self.holds(other.words, own) }
            return isPart ? nil : evidence(sentence, 45 + min(own.count, 15))
        }.filter { !$0.weights.isEmpty }
    }

    /// The entries of a sentence's code; of its cause, those at the interface that prints it.
    func evidence(_ sentence: Sentence, _ weight: Int) -> Evidence {
        if let target = sentence.target { return Evidence(kind: .sentence, weights: evidence(target, weight)) }
        guard let row = sentence.row else { return Evidence(kind: .sentence, weights: [:]) }
        let places = entriesByRow[row].filter { entries[$0].cell?.interface == sentence.interface }
        return Evidence(kind: .sentence, weights: Dictionary(uniqueKeysWithValues: places.map { ($0, weight + 10) }))
    }

    private static func stands(_ sentence: Sentence, in words: [Substring], at place: Int) -> Bool {
        guard let first = sentence.parts.first, words[place...].starts(with: first) else { return false }
        var rest = words[(place + first.count)...]
        for part in sentence.parts.dropFirst() {
            guard let start = rest.indices.first(where: { rest[$0...].starts(with: part) }) else { return false }
            rest = rest[(start + part.count)...]
        }
        return true
    }

    /// Whether other words contain these in a row.
    static func holds(_ words: [Substring], _ part: [Substring]) -> Bool {
        words.count >= part.count && (0...(words.count - part.count)).contains { words[$0...].starts(with: part) }
    }
}

extension Substring {
    /// Whether a word has small letters and an inner capital, as `NotAllowedError` has.
    var isCamelCase: Bool { contains(where: \.isLowercase) && dropFirst().contains(where: \.isUppercase) }
}
