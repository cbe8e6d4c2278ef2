internal import DeviceActs
internal import Documents
internal import SimulatedDevice

/// A step's particulars: the value beside its word, or the mapping below it.
struct StepFields {
    /// The value to blame for a missing key.
    private let owner: YAMLValue
    private let plain: YAMLValue?
    private let fields: YAMLFields?
    /// The names of the scenario's devices.
    private let devices: [String]

    /// - Parameters:
    ///   - value: what stands beside or below the word; nil when nothing does.
    ///   - item: the whole step.
    ///   - keys: the keys a mapping may have.
    init(
        _ value: YAMLValue?, of item: YAMLValue, keys: Set<String>, devices: [String] = []
    ) throws(SourceError) {
        let isPlain = value.map { !$0.isMapping } ?? true
        owner = value ?? item
        plain = isPlain ? value : nil
        fields = isPlain ? nil : try value?.fields(keys)
        self.devices = devices
    }

    /// The value of a key in the mapping.
    subscript(key: String) -> YAMLValue? { fields?[key] }

    /// The value of the verb's main key, which may stand beside the word without its key.
    func main(_ key: String) -> YAMLValue? {
        if let plain, !plain.isEmpty { return plain }
        return fields?[key]
    }

    /// The value of the verb's main key.
    ///
    /// - Throws: ``SourceError`` when it is missing.
    func required(_ key: String) throws(SourceError) -> YAMLValue {
        guard let value = main(key) else { throw owner.error("\(key) is missing") }
        return value
    }

    /// The name of one of the scenario's devices.
    func device(_ value: YAMLValue) throws(SourceError) -> String {
        let name = try value.string()
        guard devices.contains(name) else { throw value.unknownDevice(name, devices) }
        return name
    }

    /// The name of a second device, which must not be the one the step happens at.
    func otherDevice(_ key: String) throws(SourceError) -> String {
        let value = try required(key)
        let name = try device(value)
        guard try self["device"]?.string() != name else {
            throw value.error("\(name) is the step's own device; name another one")
        }
        return name
    }

    /// Each text of a key whose value is one text or a list.
    func strings(_ key: String) throws(SourceError) -> [String] {
        var texts: [String] = []
        for item in self[key]?.itemsOrSelf() ?? [] { texts.append(try item.string()) }
        return texts
    }

    /// An act on a device, with its arguments.
    func act(_ verb: DeviceVerb) throws(SourceError) -> DeviceAct {
        var values: [String: YAMLValue] = [:]
        for (index, parameter) in verb.parameters.enumerated() {
            values[parameter.name] = index == 0 ? main(parameter.name) : self[parameter.name]
        }
        var arguments: [String: String] = [:]
        for (name, value) in values { arguments[name] = try value.string() }
        do {
            return try DeviceAct(verb: verb.word, arguments: arguments)
        } catch {
            throw (error.parameter.flatMap { values[$0] } ?? owner).error(error.description)
        }
    }
}

extension YAMLValue {
    /// The error of a device's name that the scenario does not declare.
    func unknownDevice(_ name: String, _ devices: [String]) -> SourceError {
        error("there is no device \"\(name)\"; choose one of \(devices.joined(separator: ", "))")
    }
}
