internal import DeviceActs
internal import Documents

/// A verb of the scenario language: its word, where its steps happen, its keys, and how they are read.
///
/// Each kind of step declares its verbs beside the steps themselves; ``all`` is the whole language. The schema follows
/// the same declarations.
struct StepVerb: Sendable {
    typealias Action = ScenarioStep.Action

    let word: String
    let place: StepPlace
    /// Its keys; the value of the first may stand beside the word.
    let keys: [Schema.Member]
    let read: @Sendable (StepFields) throws(SourceError) -> Action

    init(
        _ word: String, at place: StepPlace, keys: [Schema.Member],
        read: @escaping @Sendable (StepFields) throws(SourceError) -> Action
    ) {
        (self.word, self.place, self.keys, self.read) = (word, place, keys, read)
    }

    /// A verb whose keys become the arguments of its action.
    init<each Value: Sendable>(
        _ word: String, at place: StepPlace, _ keys: repeat StepKey<each Value>,
        action: @escaping @Sendable (repeat each Value) -> Action
    ) {
        var members: [Schema.Member] = []
        for key in repeat each keys { members.append(key.member) }
        self.init(word, at: place, keys: members) { fields throws(SourceError) in
            action(repeat try (each keys).read(fields))
        }
    }

    init(_ act: DeviceVerb) {
        self.init(act.word, at: .device, keys: act.members) { fields throws(SourceError) in
            .device(.act(try fields.act(act)))
        }
    }

    /// The verb, one of whose keys has an effect only under a condition; `reason` says why it has none in a step.
    func refusing(
        _ key: String, _ reason: @escaping @Sendable (StepFields) throws(SourceError) -> String?
    ) -> StepVerb {
        StepVerb(word, at: place, keys: keys) { fields throws(SourceError) in
            let action = try read(fields)
            if let value = fields[key], let reason = try reason(fields) {
                throw value.error("\(reason); remove \(key)")
            }
            return action
        }
    }

    /// The verb, whose steps need at least one of its optional keys.
    func changing() -> StepVerb {
        let optional = keys.filter { !$0.isRequired }.map(\.name)
        return StepVerb(word, at: place, keys: keys) { fields throws(SourceError) in
            let action = try read(fields)
            try fields.requireOne(of: optional)
            return action
        }
    }

    static let all =
        SiteStep.verbs + ServiceStep.verbs + CeremonyStep.verbs + PageStep.verbs + DeviceStep.verbs
        + AppStep.verbs + [wait, setClockBack, check]

    private static let wait = StepVerb("wait", at: .anywhere, .required("for", .longerSpan, "The time that passes.")) {
        .wait($0)
    }

    private static let setClockBack = StepVerb(
        "set-clock-back", at: .anywhere,
        .required("by", .longerSpan, "The time by which the clock that devices and server show is set back.")
    ) { .setClockBack($0) }

    private static let check = StepVerb("check", at: .device) { .check }
}

/// A kind of step, which declares its verbs.
protocol StepKind: Sendable {
    static var place: StepPlace { get }
    var action: ScenarioStep.Action { get }
}

extension StepKind {
    /// A verb whose keys become the arguments of a step.
    static func verb<each Value: Sendable>(
        _ word: String, _ keys: repeat StepKey<each Value>, step: @escaping @Sendable (repeat each Value) -> Self
    ) -> StepVerb {
        StepVerb(word, at: place, repeat each keys) { (values: repeat each Value) in step(repeat each values).action }
    }
}
