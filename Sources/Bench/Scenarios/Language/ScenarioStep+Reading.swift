internal import CTAP
internal import DeviceActs
internal import Documents
internal import SimulatedDevice
internal import WebAuthn
internal import WebAuthnClient
internal import Wording

extension ScenarioStep {
    /// Reads `- verb: particulars`, where the particulars are one word or a mapping.
    init(reading item: YAMLValue, devices: [String]) throws(SourceError) {
        let entries = item.isMapping ? try item.entries() : []
        let word = try entries.isEmpty ? item.string() : entries[0].key
        guard entries.count <= 1 else {
            throw item.error("expected one verb, found \(entries.map(\.key).joined(separator: " and "))")
        }
        guard let verb = AnyVerb(word) else {
            let verbs = AnyVerb.words
            throw item.error(
                "\"\(word)\" is no step; expected one of \(verbs.joined(separator: ", "))"
                    + NearestNames.question(word, among: verbs))
        }
        self.word = word
        line = item.line
        let value = entries.first?.value
        let isPlain = value.map { !$0.isMapping } ?? true
        if let value, !isPlain { try verb.refuseIgnoredKeys(of: value) }
        let fields = isPlain ? nil : try value?.fields(verb.keys.union(verb.place.keys))
        let particulars = Particulars(owner: value ?? item, plain: isPlain ? value : nil, fields: fields)

        let device = try Self.device(particulars, devices, item, at: verb.place)
        self.device = device
        person = try Self.acts(fields?["person"])
        pins = try Self.texts(fields?["pin"])
        switch verb {
        case .own(let verb): action = try Self.action(verb, particulars, devices)
        case .device(let verb): action = .act(try Self.act(verb, particulars))
        }
        meanwhile = try Self.meanwhile(fields?["meanwhile"])
        expectation = try Expectation(reading: fields?["expect"]) { subject in
            guard device == nil, subject.needsDevice else { return nil }
            let advice = verb.place == .anywhere ? "; say which with device: \(devices[0])" : ""
            return "\(subject.rawValue) is seen at a device, and \(word) happens at none" + advice
        }
        if case .check = action, expectation.checks.isEmpty {
            throw item.error("a check needs expect, with something to look at")
        }
    }

    /// The word beside the verb, or the mapping below it.
    private struct Particulars {
        let owner: YAMLValue
        let plain: YAMLValue?
        let fields: YAMLFields?

        /// The value under a key; the word beside the verb stands for the verb's main key.
        func main(_ key: String) throws(SourceError) -> YAMLValue? {
            if let plain, !plain.isEmpty { return plain }
            return fields?[key]
        }

        func required(_ key: String) throws(SourceError) -> YAMLValue {
            guard let value = try main(key) else { throw owner.error("\(key) is missing") }
            return value
        }
    }

    private static func device(
        _ particulars: Particulars, _ devices: [String], _ item: YAMLValue, at place: StepPlace
    ) throws(SourceError) -> String? {
        guard let value = particulars.fields?["device"] else {
            guard place == .atDevice else { return nil }
            guard devices.count == 1 else {
                throw item.error("there are several devices; say which with device: \(devices[0])")
            }
            return devices[0]
        }
        let name = try value.string()
        guard devices.contains(name) else {
            throw value.error("there is no device \"\(name)\"; there are \(devices.joined(separator: ", "))")
        }
        return name
    }

    private static func acts(_ value: YAMLValue?) throws(SourceError) -> [PersonAct] {
        guard let value else { return [] }
        var acts: [PersonAct] = []
        for item in value.itemsOrSelf() {
            guard let told = PersonAct.acts(phrase: try item.string()) else {
                throw item.error("expected an act, or \"act x 5\"; acts are \(PersonAct.words)")
            }
            acts += told
        }
        return acts
    }

    /// What is done to the device meanwhile: one act, or a list.
    private static func meanwhile(_ value: YAMLValue?) throws(SourceError) -> [Happening] {
        guard let value else { return [] }
        var happenings: [Happening] = []
        for item in value.itemsOrSelf() {
            let entries = item.isMapping ? try item.entries() : []
            let word = try entries.isEmpty ? item.string() : entries[0].key
            guard entries.count <= 1, let verb = DeviceAct.verb(word) else {
                throw item.error("expected something done to the device, such as app: background; found \"\(word)\"")
            }
            let value = entries.first?.value
            let isPlain = value.map { !$0.isMapping } ?? true
            let fields = isPlain ? nil : try value?.fields(Set(verb.parameters.map(\.name)).union(["expect"]))
            let particulars = Particulars(owner: value ?? item, plain: isPlain ? value : nil, fields: fields)
            let expectation = try Expectation(reading: fields?["expect"]) { subject in
                guard ![.outcome, .cause, .answer].contains(subject) else { return nil }
                return
                    "of what happens meanwhile only outcome, cause and answer are seen; expect \(subject.rawValue) of the step"
            }
            happenings.append(
                Happening(
                    line: item.line, word: word, act: try act(verb, particulars), expectation: expectation))
        }
        return happenings
    }

    private static func texts(_ value: YAMLValue?) throws(SourceError) -> [String] {
        guard let value else { return [] }
        var texts: [String] = []
        for item in value.itemsOrSelf() { texts.append(try item.string()) }
        return texts
    }

    private static func other(
        _ key: String, _ particulars: Particulars, _ devices: [String]
    ) throws(SourceError) -> String {
        let value = try particulars.required(key)
        let name = try value.string()
        guard devices.contains(name) else {
            throw value.error("there is no device \"\(name)\"; there are \(devices.joined(separator: ", "))")
        }
        guard try particulars.fields?["device"]?.string() != name else {
            throw value.error("\(name) is the device itself; this needs another")
        }
        return name
    }

    private static func action(
        _ verb: Verb, _ particulars: Particulars, _ devices: [String]
    ) throws(SourceError) -> Action {
        switch verb {
        case .sharePasskey:
            let filter = PasskeyFilter(
                account: try particulars.fields?["account"]?.string(),
                relyingPartyID: try particulars.fields?["relying-party"]?.string())
            return .sharePasskey(filter, to: try other("to", particulars, devices))
        case .replaceDevice: return .replaceDevice(by: try other("by", particulars, devices))
        case .createAccount:
            let name = try particulars.required("name").string()
            return .createAccount(name: name, password: try particulars.fields?["password"]?.string())
        case .signOut: return .signOut
        case .register: return .register(try ceremony(particulars))
        case .signIn: return .signIn(try ceremony(particulars))
        case .reauthenticate: return .reauthenticate(try ceremony(particulars))
        case .listPasskeys: return .listPasskeys
        case .deletePasskey:
            return .deletePasskey(number: try particulars.main("number")?.int(in: 1...100) ?? 1)
        case .setPIN: return .setPIN(try particulars.required("to").string())
        case .changePIN:
            return .changePIN(
                from: try particulars.required("from").string(), to: try particulars.required("to").string())
        case .snapshot: return .snapshot(name: try particulars.required("name").string())
        case .restore: return .restore(name: try particulars.required("name").string())
        case .reset: return .reset
        case .restartServer: return .restartServer
        case .wait: return .wait(try particulars.required("for").duration())
        case .check: return .check
        }
    }

    private static func act(_ verb: DeviceVerb, _ particulars: Particulars) throws(SourceError) -> DeviceAct {
        var values: [String: YAMLValue] = [:]
        for (index, parameter) in verb.parameters.enumerated() {
            values[parameter.name] =
                try index == 0
                ? particulars.main(parameter.name) : particulars.fields?[parameter.name]
        }
        var arguments: [String: String] = [:]
        for (name, value) in values { arguments[name] = try value.string() }
        do {
            return try DeviceAct(verb: verb.word, arguments: arguments)
        } catch {
            throw (error.parameter.flatMap { values[$0] } ?? particulars.owner).error(error.description)
        }
    }

    private static func ceremony(_ particulars: Particulars) throws(SourceError) -> Ceremony {
        let fields = particulars.fields
        return Ceremony(
            account: try particulars.main("account")?.string(),
            userVerification: try fields?["user-verification"]?.choice(UserVerificationRequirement.self).rawValue,
            residentKey: try fields?["resident-key"]?.choice(ResidentKeyRequirement.self).rawValue,
            attestation: try fields?["attestation"]?.choice(AttestationConveyancePreference.self).rawValue)
    }
}

/// A verb of the language: one of a scenario's own, or something done to a device.
private enum AnyVerb {
    case own(ScenarioStep.Verb)
    case device(DeviceVerb)

    init?(_ word: String) {
        if let verb = ScenarioStep.Verb(rawValue: word) {
            self = .own(verb)
        } else if let verb = DeviceAct.verb(word) {
            self = .device(verb)
        } else {
            return nil
        }
    }

    static var words: [String] {
        ScenarioStep.Verb.allCases.map(\.rawValue) + DeviceAct.vocabulary.map(\.word)
    }

    var keys: Set<String> {
        switch self {
        case .own(let verb): verb.keys
        case .device(let verb): Set(verb.parameters.map(\.name))
        }
    }

    var place: StepPlace {
        switch self {
        case .own(let verb): verb.place
        case .device: .atDevice
        }
    }

    private var word: String {
        switch self {
        case .own(let verb): verb.rawValue
        case .device(let verb): verb.word
        }
    }

    /// Refuses what steps elsewhere may have and this one would ignore.
    func refuseIgnoredKeys(of value: YAMLValue) throws(SourceError) {
        let ignored = StepPlace.atDevice.keys.subtracting(place.keys)
        for (key, value) in try value.entries() where ignored.contains(key) {
            throw value.error("\(word) asks nobody at a device for anything: \(key) would be ignored")
        }
    }
}

/// Where a step happens.
private enum StepPlace {
    /// At a device, with a person.
    case atDevice
    /// Anywhere; a device may be named to be looked at.
    case anywhere
    /// At the relying party.
    case elsewhere

    /// The keys a step there may have besides its verb's.
    var keys: Set<String> {
        switch self {
        case .atDevice: ["device", "person", "pin", "meanwhile", "expect"]
        case .anywhere: ["device", "expect"]
        case .elsewhere: ["expect"]
        }
    }
}

extension ScenarioStep.Verb {
    /// The keys a step may have besides those of its place.
    var keys: Set<String> {
        switch self {
        case .createAccount: ["name", "password"]
        case .register: ["account", "user-verification", "resident-key", "attestation"]
        case .signIn, .reauthenticate: ["account", "user-verification"]
        case .deletePasskey: ["number"]
        case .setPIN: ["to"]
        case .changePIN: ["from", "to"]
        case .snapshot, .restore: ["name"]
        case .sharePasskey: ["to", "account", "relying-party"]
        case .replaceDevice: ["by"]
        case .wait: ["for"]
        case .signOut, .listPasskeys, .reset, .restartServer, .check: []
        }
    }

    fileprivate var place: StepPlace {
        switch self {
        case .createAccount, .signOut, .listPasskeys, .deletePasskey, .restartServer: .elsewhere
        case .wait: .anywhere
        default: .atDevice
        }
    }
}

extension Expectation.Subject {
    /// Whether it is seen only where a device, or a page that asks one for a credential, has a part in a step.
    fileprivate var needsDevice: Bool {
        switch self {
        case .outcome, .cause, .http, .code, .ledger, .passkeys: false
        default: true
        }
    }
}

extension Expectation {
    /// - Parameter obstacle: why a subject can never be seen here; nil for one that can.
    init(reading value: YAMLValue?, obstacle: (Subject) -> String?) throws(SourceError) {
        guard let value else {
            checks = []
            return
        }
        guard value.isMapping else {
            // `expect: refused` is the outcome alone.
            checks = [Check(line: value.line, subject: .outcome, value: try Self.outcome(value))]
            return
        }
        var checks: [Check] = []
        for (key, value) in try value.entries() {
            guard let subject = Subject(rawValue: key) else {
                let subjects = Subject.allCases.map(\.rawValue).joined(separator: ", ")
                throw value.error("\"\(key)\" cannot be expected; expected one of \(subjects)")
            }
            if let obstacle = obstacle(subject) { throw value.error(obstacle) }
            for item in value.itemsOrSelf() {
                let text = try subject == .outcome ? Self.outcome(item) : Self.value(item, of: subject)
                checks.append(Check(line: item.line, subject: subject, value: text))
            }
        }
        self.checks = checks
    }

    /// A value that the subject can have.
    private static func value(_ item: YAMLValue, of subject: Subject) throws(SourceError) -> String {
        let text = try item.string()
        let possible: [String]? =
            switch subject {
            case .status: CTAPStatus.all.compactMap(\.name)
            case .page: DOMExceptionName.allCases.map(\.rawValue)
            case .ledger: VerificationStep.allCases.map(\.rawValue)
            case .lockout: ["none", "timed", "permanent", "exhausted"]
            case .screen: ["locked", "unlocked"]
            case .network: ["online", "offline"]
            default: nil
            }
        let canBeNothing = ![.lockout, .screen, .network].contains(subject)
        guard let possible, !possible.contains(text), !(canBeNothing && text == "none") else { return text }
        let examples =
            possible.count > 40
            ? "one such as \(possible.suffix(3).joined(separator: ", "))"
            : "one of \(possible.joined(separator: ", "))"
        throw item.error("\"\(text)\" can never be seen as \(subject.rawValue); expected \(examples)")
    }

    private static func outcome(_ value: YAMLValue) throws(SourceError) -> String {
        let text = try value.string()
        guard text == "ok" || text == "refused" else { throw value.error("expected ok or refused") }
        return text
    }
}
