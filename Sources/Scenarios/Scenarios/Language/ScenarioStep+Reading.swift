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
        if let value, value.isMapping { try verb.refuseIgnoredKeys(of: value) }
        let fields = try StepFields(value, of: item, keys: verb.keys, others: verb.place.keys, devices: devices)
        let device = try Self.device(fields, devices, item, at: verb.place)

        self.word = word
        place = item.source
        self.device = device
        person = try Self.person(fields)
        pins = try fields.strings("pin")
        action = try verb.read(fields)
        session = try fields["session"]?.string()
        guard session == nil || action.usesSession else {
            throw item.error("\(word) takes no part in a session with the relying party; remove session")
        }
        interruptions = try (fields["meanwhile"]?.itemsOrSelf() ?? [])
            .map { item throws(SourceError) in try Interruption(reading: item) }
        expectation = try Expectation(reading: fields["expect"]) { subject in
            guard device == nil, subject.needsDevice else { return nil }
            let advice = verb.place == .anywhere ? "; name one with device: \(devices[0])" : "; remove it"
            return "\(subject.name) needs a device, and \(word) has none" + advice
        }
        requirements = try (fields["requirements"]?.itemsOrSelf() ?? [])
            .map { item throws(SourceError) in try Form.requirement.value(of: item) }
        if let value = fields["requirements"], !expectation.looks {
            throw value.error(
                "the step expects no more than its success; add to expect an observation that shows "
                    + requirements.joined(separator: ", ")
            )
        }
        if case .check = action, expectation.checks.isEmpty {
            throw item.error("a check needs expect, with at least one expectation")
        }
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
        var acts: [UserAct] = []
        for item in fields["person"]?.itemsOrSelf() ?? [] {
            let phrase = try item.string()
            guard let told = UserAct.acts(phrase: phrase) else { throw item.error(UserAct.problem(ofPhrase: phrase)) }
            acts += told
        }
        return acts
    }
}

extension ScenarioStep.Interruption {
    fileprivate init(reading item: YAMLValue) throws(SourceError) {
        let (word, value) = try item.wordAndValue()
        guard let verb = DeviceAct.verb(word) else {
            throw item.error(
                "expected an act on the device, such as app: background; found \"\(word)\""
                    + NearestNames.question(word, among: DeviceAct.vocabulary.map(\.word)))
        }
        let fields = try StepFields(value, of: item, keys: verb.members, others: ["expect"])
        self.word = word
        line = item.line
        act = try fields.act(verb)
        expectation = try Expectation(reading: fields["expect"]) { subject in
            let shown = Expectation.Subject.ofActs.map(\.name)
            guard !shown.contains(subject.name) else { return nil }
            return "an act in meanwhile shows only \(shown.joined(separator: ", ")); expect \(subject.name) of the step"
        }
    }
}

extension StepVerb {
    /// Refuses keys of other steps that have no effect here.
    fileprivate func refuseIgnoredKeys(of value: YAMLValue) throws(SourceError) {
        let ignored = StepPlace.device.keys.subtracting(place.keys)
        for (key, value) in try value.entries() where ignored.contains(key) {
            throw value.error("\(word) does not prompt the user; remove \(key)")
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
