internal import DeviceActs
internal import Documents
internal import Wording

/// A step's arguments: the value beside its word, or the mapping below it.
struct StepFields {
    /// The value that the error for a missing key points at.
    private let owner: YAMLValue
    private let plain: YAMLValue?
    private let fields: YAMLFields?
    /// The key whose value may stand beside the word.
    private let main: String?
    private let devices: [String]
    /// Whether a required key is missing beside an unknown one, which is its misspelling.
    private(set) var missesKey = false

    /// - Parameters:
    ///   - value: the value beside or below the word; nil if there is none.
    ///   - keys: the verb's own keys; the value of the first may stand beside the word.
    ///   - others: the other keys a mapping may have.
    ///   - mistakes: gets unknown keys, and a value that the step does not take.
    init(
        _ value: YAMLValue?, of item: YAMLValue, keys: [Schema.Member], others: Set<String>, devices: [String] = [],
        _ mistakes: inout Mistakes
    ) {
        let isPlain = value.map { !$0.isMapping } ?? true
        owner = value ?? item
        plain = isPlain ? value.flatMap { $0.isEmpty ? nil : $0 } : nil
        fields = isPlain ? nil : try? value?.fields()
        main = keys.first?.name
        self.devices = devices
        if let plain, main == nil { mistakes.add(plain.error("the step takes no value; write its word alone")) }
        let known = mistakes.attempt(at: owner) { try value?.checkKeys(others.union(keys.map(\.name))) } != nil
        // JSON may be empty, such as the body of a request.
        let json = keys.filter(\.schema.isAny).map(\.name)
        for (key, value) in (try? fields?.owner.entries()) ?? [] {
            if value.isEmpty { mistakes.add(value.error("\(key) is empty; give it a value, or remove it")) }
            if !json.contains(key) { mistakes.attempt(at: value) { try value.checkContent() } }
        }
        missesKey = !known && keys.contains { $0.isRequired && self[$0.name] == nil }
    }

    subscript(key: String) -> YAMLValue? { fields?[key] ?? (key == main ? plain : nil) }

    func required(_ key: String) throws(SourceError) -> YAMLValue {
        guard let value = self[key] else { throw owner.error("\(key) is missing") }
        return value
    }

    func requireOne(of keys: [String]) throws(SourceError) {
        guard keys.contains(where: { self[$0] != nil }) else {
            throw owner.error("the step changes nothing; add \(keys.joined(separator: " or "))")
        }
    }

    func device(_ value: YAMLValue) throws(SourceError) -> String { try value.device(of: devices) }

    /// The name of a second device, which must not be the one the step happens at.
    func otherDevice(_ key: String) throws(SourceError) -> String {
        let value = try required(key)
        let name = try device(value)
        guard try self["device"]?.string() != name else {
            throw value.error("\(name) is the step's own device; name another one")
        }
        return name
    }

    func strings(_ key: String) throws(SourceError) -> [String] {
        try self[key]?.eachItemOrSelf { try $0.string() } ?? []
    }

    func act(_ verb: DeviceVerb) throws(SourceError) -> DeviceAct {
        var arguments: [String: String] = [:]
        for parameter in verb.parameters {
            // A step names its document, and the run gives its text to the act.
            arguments[parameter.name] = parameter.kind == .document ? "{}" : try self[parameter.name]?.string()
        }
        do {
            return try DeviceAct(verb: verb.word, arguments: arguments)
        } catch {
            throw (error.parameter.flatMap { self[$0] } ?? owner).error(error.problem)
        }
    }
}

extension YAMLValue {
    func device(of devices: [String]) throws(SourceError) -> String {
        let name = try string()
        guard devices.contains(name) else { throw unknownDevice(name, devices) }
        return name
    }

    func unknownDevice(_ name: String, _ devices: [String]) -> SourceError {
        error("there is no device \"\(name)\"; choose one of \(devices.joined(separator: ", "))")
    }
}
