internal import DeviceActs
internal import Documents
internal import SimulatedDevice
internal import Wording

extension ScenarioStep {
    /// Reads `- verb: arguments`; the arguments are one word or a mapping.
    init(reading item: YAMLValue, devices: [String]) throws(SourceError) {
        let (word, value) = try item.wordAndValue()
        guard let verb = StepVerb.all.first(where: { $0.word == word }) else {
            let nearest = NearestNames.question(word, among: Self.words)
            throw item.error(
                "\"\(word)\" is not a step"
                    + (nearest.isEmpty ? "; choose one of \(Self.words.joined(separator: ", "))" : nearest))
        }
        var mistakes = Mistakes()
        let ignored = value.map(verb.ignoredKeys) ?? []
        ignored.forEach { mistakes.add($0.mistake) }
        // The mistake of such a key says more than that it is unknown.
        let fields = StepFields(
            value, of: item, keys: verb.keys, others: verb.place.keys.union(ignored.map(\.key)), devices: devices,
            &mistakes)
        let device = mistakes.attempt(at: item) { try Self.device(fields, devices, item, at: verb.place) }
        let person = mistakes.attempt(at: item) { try Self.person(fields) }
        let pins = mistakes.attempt(at: item) { try fields.strings("pin") }
        let action = fields.missesKey ? nil : mistakes.attempt(at: item) { try verb.read(fields) }
        let session = mistakes.attempt(at: item) { try fields["session"]?.string() }
        if case .some(.some) = session, action?.usesSession == false {
            mistakes.add(item.error("\(word) takes no part in a session with the relying party; remove session"))
        }
        let interruptions = mistakes.attempt(at: item) {
            try fields["meanwhile"]?.eachItemOrSelf { try Interruption(reading: $0) } ?? []
        }
        let expectation = mistakes.attempt(at: item) {
            try Expectation(reading: fields["expect"]) { subject in
                if let obstacle = action?.obstacle(to: subject.source) {
                    return "\(word) \(obstacle); remove \(subject.name)"
                }
                // A wrong name of a device is a mistake of its own.
                guard case .some(.none) = device, subject.needsDevice else { return nil }
                let advice = verb.place == .anywhere ? "; name one with device: \(devices[0])" : "; remove it"
                return "\(subject.name) needs a device, and \(word) has none" + advice
            }
        }
        let requirements = mistakes.attempt(at: item) {
            try fields["requirements"]?.eachItemOrSelf { try Form.requirement.value(of: $0) } ?? []
        }
        if let value = fields["requirements"], let requirements, expectation?.looks == false {
            mistakes.add(
                value.error(
                    "the step expects no more than its success; add an expectation that shows "
                        + requirements.joined(separator: ", ")))
        }
        if case .check = action, expectation?.checks.isEmpty == true {
            mistakes.add(item.error("a check needs expect, with at least one expectation"))
        }
        try mistakes.check(at: item)
        guard let device, let person, let pins, let action, let session, let interruptions, let expectation,
            let requirements
        else { throw item.error("the step cannot be read") }
        self.init(
            place: item.source, word: word, device: device, person: person, pins: pins, interruptions: interruptions,
            action: action, session: session, expectation: expectation, requirements: requirements)
    }

    private static func device(
        _ fields: StepFields, _ devices: [String], _ item: YAMLValue, at place: StepPlace
    ) throws(SourceError) -> String? {
        if let value = fields["device"] { return try fields.device(value) }
        guard place == .device else { return nil }
        guard devices.count == 1 else {
            throw item.error("there are several devices; name one with device: \(devices[0])")
        }
        return devices[0]
    }

    private static func person(_ fields: StepFields) throws(SourceError) -> [UserAct] {
        let acts = try fields["person"]?.eachItemOrSelf { item -> [UserAct] in
            guard !item.isMapping else {
                throw item.error("expected an act as text, such as choose:1; remove the space after the colon")
            }
            let phrase = try item.string()
            guard let told = UserAct.acts(phrase: phrase) else { throw item.error(UserAct.problem(ofPhrase: phrase)) }
            return told
        }
        return acts?.flatMap(\.self) ?? []
    }
}

extension ScenarioStep.Interruption {
    fileprivate init(reading item: YAMLValue) throws(SourceError) {
        let (word, value) = try item.wordAndValue()
        guard let verb = DeviceAct.verb(word) else {
            let possible = DeviceAct.vocabulary.filter { !$0.movesDocument }
            throw item.error(
                "expected an act on the device, such as app: background; found \"\(word)\""
                    + NearestNames.question(word, among: possible.map(\.word)))
        }
        guard !verb.movesDocument else {
            throw item.error("\(word) cannot interrupt a prompt; make it a step of its own")
        }
        var mistakes = Mistakes()
        let fields = StepFields(value, of: item, keys: verb.members, others: ["expect"], &mistakes)
        let act = fields.missesKey ? nil : mistakes.attempt(at: item) { try fields.act(verb) }
        let expectation = mistakes.attempt(at: item) {
            try Expectation(reading: fields["expect"]) { subject in
                let shown = Expectation.Subject.ofActs.map(\.name)
                guard !shown.contains(subject.name) else { return nil }
                return
                    "an act in meanwhile shows only \(shown.joined(separator: ", ")); expect \(subject.name) of the step"
            }
        }
        try mistakes.check(at: item)
        guard let act, let expectation else { throw item.error("the act cannot be read") }
        self.word = word
        line = item.line
        self.act = act
        self.expectation = expectation
    }
}

extension StepVerb {
    /// The keys of other steps that have no effect here, with the mistake of each.
    fileprivate func ignoredKeys(of value: YAMLValue) -> [(key: String, mistake: SourceError)] {
        let ignored = StepPlace.device.keys.subtracting(place.keys)
        return ((try? value.entries()) ?? []).filter { ignored.contains($0.key) }.map { key, value in
            (key, value.error("\(word) does not prompt the user; remove \(key)"))
        }
    }
}

extension YAMLValue {
    fileprivate func wordAndValue() throws(SourceError) -> (word: String, value: YAMLValue?) {
        guard isMapping else { return (try string(), nil) }
        let entries = try entries()
        guard entries.count == 1, let entry = entries.first else {
            throw error("expected one verb, found \(entries.map(\.key).joined(separator: " and "))")
        }
        return (entry.key, entry.value)
    }
}
