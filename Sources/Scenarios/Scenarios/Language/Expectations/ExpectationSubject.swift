internal import Documents
internal import Wording

extension Expectation {
    /// An observable quantity, declared once: its values, the steps that show it, and how it is observed.
    package struct Subject: Sendable {
        /// The key in a scenario.
        package let name: String
        let values: Values
        let visibility: Visibility
        /// One sentence for the schema.
        let meaning: String
        /// Whether its value tells why a step was refused.
        let namesReason: Bool
        /// The values observed; any of them may be the expected one.
        let observe: @Sendable (ExpectationChecker) -> [String]
        /// The document whose members are observed; nil for other subjects.
        var document: (@Sendable (ExpectationChecker) -> JSONValue?)?
        /// The part of a step that shows it.
        var source = Source.anything
        /// The things whose states it observes; empty for a subject of one thing.
        var owners: [StateOwner] = []

        init(
            _ name: String, _ values: Values, _ visibility: Visibility, _ meaning: String, namesReason: Bool = false,
            observe: @escaping @Sendable (ExpectationChecker) -> [String]
        ) {
            self.name = name
            self.values = values
            self.visibility = visibility
            self.meaning = meaning
            self.namesReason = namesReason
            self.observe = observe
        }
    }
}

extension Expectation.Subject {
    /// The part of a step that a subject needs: without it, each step shows nothing.
    enum Source: Sendable {
        case anything
        /// A request to the relying party.
        case request
        /// A ceremony at the client.
        case ceremony
        /// The reference app.
        case app
        /// The relying party's list of passkeys.
        case passkeyList
    }

    func from(_ source: Source) -> Self {
        var subject = self
        subject.source = source
        return subject
    }

    /// A thing among several whose states a subject observes.
    struct StateOwner: Sendable {
        /// A phrase such as `the app's screen`.
        let title: String
        let states: [String]
        /// Words that stand for several states.
        var collectives: [String] = []
    }

    /// The thing that has an expected state; nil for a subject of one thing.
    func owner(of expected: String) -> StateOwner? {
        owners.first { $0.states.contains(expected) || $0.collectives.contains(expected) }
    }

    /// The expected value for a quantity without an observed value.
    static let nothing = "none"

    /// The expected value for a member that is there, whatever its value.
    static let anything = "any"

    enum Values: Sendable {
        case text
        /// A part of an observed text.
        case part
        /// A part of an observed error, in whole words and numbers.
        case partOfError
        /// A text that no observed text has as a part.
        case missingPart
        /// A whole number in a range.
        case whole(ClosedRange<Int>)
        /// The longest span of time, or with a word before it a span that is exceeded.
        case limit
        /// Members of a JSON document, by JSON Pointer (RFC 6901).
        case members
        /// One of these names.
        case names([String])
        /// One of these names, and a number behind it.
        case counted([String])
        /// One of these texts, or one with more behind it.
        case beginning([String])
        /// One of these texts, or one with a name before it.
        case ending([String])
        /// One of these states; there always is one.
        case states([String])

        static let number = Values.whole(0...Int(UInt32.max))
        static let flag = Values.names(["true", "false"])
    }

    enum Visibility: Sendable {
        case everywhere
        /// Every step but those at a real device.
        case simulation
        /// Steps at a device, simulated or real.
        case device
        /// Steps at a simulated device; with the reason why a real one does not show the subject.
        case simulatedDevice(String = notReportedByRealDevices)

        static let notReportedByRealDevices = "a real device does not report it"
    }

    /// Whether only steps at a device show it.
    var needsDevice: Bool {
        switch visibility {
        case .everywhere, .simulation: false
        case .device, .simulatedDevice: true
        }
    }

    /// The reason this cannot be checked on a real device; nil when it can.
    var obstacleOnRealDevice: String? {
        switch visibility {
        case .everywhere, .device: nil
        case .simulation: Visibility.notReportedByRealDevices
        case .simulatedDevice(let reason): reason
        }
    }

    func read(_ item: YAMLValue) throws(SourceError) -> String {
        let text = try item.string()
        switch values {
        case .text, .members: return text
        case .part, .partOfError, .missingPart:
            guard !text.allSatisfy(\.isWhitespace) else {
                throw item.error("every text has an empty part; write the expected text, or remove \(name)")
            }
        case .limit:
            guard TimeLimit(text) == nil else { break }
            _ = try item.duration()
        case .whole(let range):
            guard text == Self.nothing || Int(text).map(range.contains) == true else {
                throw item.error(
                    "\"\(text)\" is not a value of \(name); write a whole number from \(range.lowerBound) to "
                        + "\(range.upperBound), or \(Self.nothing)")
            }
        case .names(let names):
            guard text == Self.nothing || names.contains(text) else { throw unknown(item, text, names) }
        case .states(let states): guard states.contains(text) else { throw unknown(item, text, states) }
        case .counted, .beginning, .ending: try checkLine(text, item)
        }
        return text
    }

    func unknown(_ item: YAMLValue, _ text: String, _ possible: [String]) -> SourceError {
        let nearest = NearestNames.question(text, among: possible)
        let examples =
            possible.count > 40
            ? "one such as \(possible.suffix(3).joined(separator: ", "))" : "one of \(possible.joined(separator: ", "))"
        return item.error(
            "\"\(text)\" is not a value of \(name)" + (nearest.isEmpty ? "; choose \(examples)" : nearest))
    }

    /// Whether several values are observed at once, so that a list can be expected as a whole.
    var isList: Bool {
        switch values {
        case .text, .names, .ending, .beginning, .part, .partOfError: true
        case .missingPart, .whole, .limit, .members, .counted, .states: false
        }
    }

    func matches(_ check: Expectation.Check, _ observed: [String]) -> Bool {
        if let whole = check.whole { return observed.sorted() == whole.filter { $0 != Self.nothing }.sorted() }
        return matches(check.value, observed) != check.isExcluded
    }

    func matches(_ expected: String, _ observed: [String]) -> Bool {
        if case .states = values { return observed.contains(expected) }
        if expected == Self.nothing, observed.isEmpty { return true }
        switch values {
        case .part: return observed.contains { $0.contains(expected) }
        case .partOfError: return observed.contains { $0.hasPart(expected) }
        case .missingPart: return !observed.isEmpty && !observed.contains { $0.contains(expected) }
        case .members: return expected == Self.anything ? !observed.isEmpty : observed.contains(expected)
        case .limit:
            guard let limit = TimeLimit(expected) else { return false }
            return observed.contains { (try? Duration(span: $0)).map(limit.admits) ?? false }
        case .text, .whole, .names, .counted, .beginning, .ending, .states: return observed.contains(expected)
        }
    }

    var schema: Schema {
        let value: Schema =
            switch values {
            case .text, .part, .partOfError, .missingPart, .limit, .counted, .beginning, .ending: .scalar
            case .members: .map(.orNull(.scalar), atLeast: 1)
            case .whole(let range): .anyOf([.integer(range), .constant(Self.nothing)])
            case .names(["true", "false"]): .anyOf([.boolean, .constant(Self.nothing)])
            case .names(let names): .named("\(name)-values", .choice(names + [Self.nothing]))
            case .states(let states): .choice(states)
            }
        if case .members = values { return .described(meaning, value) }
        let several = Schema.anyOf([value, .array(value, count: 1...Int.max)])
        let lists: [Schema] =
            isList
            ? [
                .object(
                    Schema.Members(
                        members: [
                            .optional(
                                "exactly", .anyOf([value, .array(value)]), "These values and no others, in any order."),
                            .optional("without", several, "None of these values."),
                        ], atLeast: 1))
            ] : []
        return .described(meaning, .anyOf([several] + lists))
    }
}
