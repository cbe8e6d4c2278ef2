internal import Documents

extension Scenario {
    static let section = DocumentSection<Scenario> {
        DocumentKey("name", \.title, .text, "A one-line summary.", .required)
        DocumentKey("about", \.about, .text, "The reason it matters, for readers of the report.")
        DocumentKey(
            "requirements", \.requirements, .list(of: .requirement).nonEmpty, "The requirements that it shows.")
        DocumentKey("tags", \.tags, .list(of: .line).nonEmpty, "Words by which runs are selected.")
        ScenarioMatrix.section.keys.map { $0.lifted(to: \.matrix) }
        DocumentKey("devices", \.devices, Form.devices, "The devices: a name for the steps, and a profile.", .required)
        DocumentKey("people", Form.plans.nonEmpty, "The users whose samples follow a statistical model, by device.") {
            scenario, plans, place in
            var mistakes = Mistakes()
            for (value, name, plan) in plans where scenario.hasDevices {
                if scenario.names.contains(name) {
                    scenario.people[name] = plan
                    scenario.placesOfPeople[name] = value.source
                } else {
                    mistakes.add(value.unknownDevice(name, scenario.names))
                }
            }
            try mistakes.check(at: place)
        }
        DocumentKey(
            "sync", account.orList.nonEmpty, "The accounts that sync passkeys between devices of one provider."
        ) {
            scenario, accounts, place in
            var mistakes = Mistakes()
            for account in accounts where scenario.hasDevices {
                mistakes.attempt(at: place) { try scenario.add(account) }
            }
            try mistakes.check(at: place)
        }
        DocumentKey(
            "app", \.app, .mapping(AppPlan.section, from: AppPlan()), "The reference app on each phone and computer.")
        DocumentKey(
            "before", Form.before.nonEmpty,
            "Steps that are played first: a file with steps, or a list of steps and files."
        ) {
            scenario, entries, place in
            var mistakes = Mistakes()
            for entry in entries {
                mistakes.attempt(at: entry) {
                    try scenario.add(try entry.stepsBefore(with: scenario.combination.values), at: entry)
                }
            }
            try mistakes.check(at: place)
        }
        DocumentKey("relying-party", \.relyingParty, RelyingPartySettings.form, "The policies of the relying party.")
        DocumentKey("steps", .steps, "The steps, in order.", .required) { scenario, steps, place in
            try scenario.add(steps, at: place)
        }
    } check: { scenario, _ in
        try scenario.checkSnapshots()
        try scenario.checkDocuments()
        try scenario.checkDevices()
        try scenario.checkSessions()
        try scenario.checkKeptTexts()
        try scenario.checkApp()
        try scenario.checkEffects()
    }

    private var names: [String] { devices.map(\.name) }

    /// Whether the devices could be read; without them every mention of one would look wrong.
    private var hasDevices: Bool { !devices.isEmpty }

    private mutating func add(_ items: [YAMLValue], at place: YAMLValue) throws(SourceError) {
        let names = names
        var mistakes = Mistakes()
        for item in items where hasDevices {
            let steps = mistakes.attempt(at: item) { try ScenarioStep.steps(reading: item, devices: names) } ?? []
            for step in steps {
                self.steps.append(step)
                for requirement in step.requirements where !requirements.contains(requirement) {
                    requirements.append(requirement)
                }
            }
        }
        try mistakes.check(at: place)
    }

    private struct AccountDraft: Sendable {
        var place: SourcePlace?
        var name = ""
        var members: [YAMLValue] = []
        var delay = Duration.zero
    }

    private static let account = Form.mapping(
        DocumentSection<AccountDraft> {
            DocumentKey("account", .scalar, "Its name.", .required) { draft, name, value in
                (draft.name, draft.place) = (name, value.source)
            }
            DocumentKey("devices", \.members, Form.value(.scalar).orList.nonEmpty, "Its devices.", .required)
            DocumentKey("delay", \.delay, .span, "The time that a change takes to sync; default: none.")
        }, from: AccountDraft())

    private mutating func add(_ draft: AccountDraft) throws(SourceError) {
        var members: [String] = []
        for entry in draft.members {
            let name = try entry.device(of: names)
            guard !members.contains(name), !accounts.contains(where: { $0.devices.contains(name) }) else {
                throw entry.error("\(name) belongs to an account already")
            }
            members.append(name)
        }
        guard let place = draft.place else { return }
        accounts.append(Account(place: place, name: draft.name, devices: members, delay: draft.delay))
    }

    /// Checks that each of several devices takes part.
    private func checkDevices() throws(SourceError) {
        guard devices.count > 1 else { return }
        let used = Set(steps.flatMap(\.devices) + accounts.flatMap(\.devices))
        for device in devices where !used.contains(device.name) {
            throw device.place.error("no step uses \(device.name); remove it, or name it in a step with device")
        }
    }

    /// Checks that a step plays the app, or a service that knows the app's user.
    private func checkApp() throws(SourceError) {
        guard let place = app?.place else { return }
        let isPlayed = steps.contains { step in
            switch step.action {
            case .app, .service: true
            case .site, .ceremony, .page, .device, .wait, .setClockBack, .check: false
            }
        }
        guard isPlayed else {
            throw place.error("no step plays the app; remove app, or add a step of the app such as open")
        }
    }

    /// Checks that each change of the session leads to another one, which a step uses.
    private func checkSessions() throws(SourceError) {
        var current = firstSessionName
        var unused: SourcePlace?
        for step in steps {
            if step.action.usesSession, step.session == nil { unused = nil }
            guard case .site(.useSession(let name)) = step.action else { continue }
            guard name != current else { throw step.place.error("the session is \(name) already; remove the step") }
            if let unused { throw unused.error(Self.unusedSession) }
            (current, unused) = (name, step.place)
        }
        if let unused { throw unused.error(Self.unusedSession) }
    }

    private static let unusedSession = "no step uses the session; remove the step, or add one in the session"

    /// Checks that a later request uses each text that a request keeps.
    private func checkKeptTexts() throws(SourceError) {
        for (index, step) in steps.enumerated() {
            guard case .site(.request(let request)) = step.action else { continue }
            let isUsed = { (name: String) in
                steps[(index + 1)...].contains { step in
                    if case .site(.request(let later)) = step.action { later.uses(name) } else { false }
                }
            }
            for name in request.kept.keys.sorted() where !isUsed(name) {
                throw step.place.error("no later request uses {\(name)}; remove it from keep")
            }
        }
    }
}

extension Form<[Scenario.Device]> {
    fileprivate static var devices: Form {
        Form(.map(.string(1...Int.max)), words: "mapping of names to profiles") { value in
            let devices = try value.eachEntry { name, profile in
                Scenario.Device(place: profile.source, name: name, profile: try profile.string())
            }
            guard !devices.isEmpty else { throw value.error("devices is empty; add at least one device") }
            return devices
        }
    }
}

extension Form<[(value: YAMLValue, name: String, plan: RecognitionPlan)]> {
    fileprivate static var plans: Form {
        Form(.map(RecognitionPlan.form.schema), words: "mapping of devices to error rates") { value in
            try value.eachEntry { name, value in (value, name, try RecognitionPlan.form.value(of: value)) }
        }
    }
}

extension Form<YAMLValue> {
    /// A value that is read once the whole document is known.
    fileprivate static func value(_ schema: Schema) -> Form { Form(schema, words: "text") { $0 } }
}

extension Form<String> {
    static var requirement: Form {
        Form(.pattern("[A-Za-z][A-Za-z0-9._-]*"), words: "a requirement") { value in
            let text = try value.string()
            let isKnown = { (character: Character) in character.isASCII && (character.isLetter || character.isNumber) }
            guard text.first?.isLetter == true, text.allSatisfy({ isKnown($0) || "._-".contains($0) }) else {
                throw value.error("expected a requirement such as E5 or LOGIN-12, found \"\(text)\"")
            }
            return text
        }
    }
}

extension Form where Value: Sendable {
    var orList: Form<[Value]> {
        Form<[Value]>(.anyOf([schema, .array(schema)]), words: "\(words), or a list") { [read] value in
            try value.eachItemOrSelf(read)
        }
    }
}
