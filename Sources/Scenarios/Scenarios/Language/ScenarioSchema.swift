internal import DeviceActs
internal import Documents
internal import SimulatedDevice

/// The JSON Schema of scenarios, from the declarations that read them.
package enum ScenarioSchema {
    /// The schema, draft 2020-12, as text: the content of `scenarios/schema.json`.
    package static var json: String {
        Scenario.section.schema.acceptingPlaceholders().document(
            title: "Touchstone scenario",
            description: "A scenario: devices and steps; docs/scenario-reference.md describes every step.")
    }
}

extension ScenarioStep {
    /// The form of a step: a word, or a word with its arguments.
    static let schema = Schema.named(
        "Step",
        .anyOf([
            single,
            .object(.required(togetherWord, .array(single, count: 2...Int.max), "Steps that are played side by side.")),
        ]))

    private static let single = Schema.named(
        "SingleStep", .oneVerb(StepVerb.all.map { ($0.word, $0.canStandAlone, $0.schema) }))
}

extension Schema {
    /// A word without arguments, or a mapping from one word to its arguments.
    fileprivate static func oneVerb(_ verbs: [(word: String, canStandAlone: Bool, schema: Schema)]) -> Schema {
        .anyOf([
            .choice(verbs.filter(\.canStandAlone).map(\.word)),
            .object(Members(members: verbs.map { .optional($0.word, $0.schema) }, atLeast: 1, atMost: 1)),
        ])
    }
}

extension StepVerb {
    /// Whether a step can be the word alone.
    fileprivate var canStandAlone: Bool { !keys.contains(where: \.isRequired) }

    fileprivate var schema: Schema { .particulars(of: keys, and: place.members) }
}

extension Schema {
    /// A mapping, or its short forms: the value of the first key, or no value.
    fileprivate static func particulars(of keys: [Member], and others: [Member]) -> Schema {
        var forms: [Schema] = [.object(Members(members: keys + others))]
        if let first = keys.first, !keys.dropFirst().contains(where: \.isRequired) { forms.append(first.schema) }
        if !keys.contains(where: \.isRequired) { forms.append(.null) }
        return .anyOf(forms)
    }
}

extension StepPlace {
    fileprivate var members: [Schema.Member] { Self.allMembers.filter { keys.contains($0.name) } }

    private static let allMembers: [Schema.Member] = [
        member("device", "Device", .string(1...Int.max), "The device; needed when there are several."),
        member("person", "Person", .oneOrMore(phrase), "The user's acts, in order; afterwards the user agrees."),
        member(
            "pin", "PINs", .oneOrMore(.scalar), "The PINs that the user types, in order; afterwards the user cancels."),
        member(
            "meanwhile", "Interruptions", .oneOrMore(interruption),
            "Acts on the device during the first prompt left open."),
        member("expect", "Expectation", Expectation.schema(of: Expectation.Subject.all), "The expected observations."),
        member(
            "session", "Session", .string(1...Int.max),
            "The session with the relying party; default: the one of the last use-session."),
        member(
            "requirements", "Requirements", .oneOrMore(Form.requirement.schema),
            "The requirements that the expectation looks at."),
    ]

    /// A member whose form stands once in the schema, under a name.
    private static func member(_ key: String, _ name: String, _ form: Schema, _ meaning: String) -> Schema.Member {
        .optional(key, .named(name, .described(meaning, form)))
    }

    private static let phrase = Schema.named("PersonAct", .described(UserAct.words, .pattern(UserAct.phrasePattern)))

    private static let actExpectation = Schema.named(
        "ActExpectation", Expectation.schema(of: Expectation.Subject.ofActs))

    private static let interruption = Schema.named(
        "Interruption",
        .oneVerb(
            DeviceAct.vocabulary.filter { !$0.movesDocument }.map { act in
                (
                    act.word, !act.members.contains(where: \.isRequired),
                    .particulars(of: act.members, and: [.optional("expect", actExpectation)])
                )
            }))
}

extension Schema {
    fileprivate static func oneOrMore(_ schema: Schema) -> Schema {
        .anyOf([schema, .array(schema, count: 1...Int.max)])
    }
}
