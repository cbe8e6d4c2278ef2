internal import Biometrics
internal import Documents

extension BiometricSensor {
    private static let keys: Set<String> = [
        "modality", "class", "templates", "max-templates", "availability", "lockout", "latency",
    ]

    /// The sensors of a profile: `sensor` for one, `sensors` for several.
    static func all(_ fields: YAMLFields) throws(SourceError) -> [BiometricSensor] {
        guard let list = fields["sensors"] else {
            guard let value = fields["sensor"] else { return [] }
            return [try BiometricSensor(reading: value)]
        }
        guard fields["sensor"] == nil else { throw list.error("sensor and sensors cannot both be given") }
        var sensors: [BiometricSensor] = []
        for item in try list.items() {
            let sensor = try BiometricSensor(reading: item)
            guard !sensors.contains(where: { $0.modality == sensor.modality }) else {
                throw item.error(
                    "there is a sensor for \(sensor.modality.rawValue) already; acts could not tell them apart")
            }
            sensors.append(sensor)
        }
        guard !sensors.isEmpty else {
            throw list.error("expected a sensor; leave sensors out for a device without one")
        }
        return sensors
    }

    private init(reading value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(Self.keys)
        let maximum = try fields["max-templates"]?.int(in: 1...100) ?? 5
        var templates: [BiometricTemplate] = []
        for item in try fields["templates"]?.items() ?? [] {
            let name = try item.singleLine()
            guard !templates.contains(where: { $0.name == name }) else {
                throw item.error("\"\(name)\" is enrolled twice")
            }
            guard templates.count < maximum else { throw item.error("only \(maximum) templates fit") }
            templates.append(BiometricTemplate(id: [UInt8(templates.count + 1)], name: name))
        }
        let strength = try fields["class"]?.int(in: 1...3) ?? 3
        self.init(
            modality: try fields.required("modality").choice(BiometricModality.self),
            strengthClass: StrengthClass(rawValue: strength) ?? .class3,
            availability: try fields["availability"]?.choice(SensorAvailability.self) ?? .present,
            templates: templates, maxTemplates: maximum,
            lockoutPolicy: try fields["lockout"].map { value throws(SourceError) in
                try LockoutPolicy(reading: value.fields(LockoutPolicy.keys))
            },
            latency: try fields["latency"].map { value throws(SourceError) in try SensorLatency(reading: value) })
    }
}

extension SensorLatency {
    private static let longest = Duration.seconds(3600)

    /// `400 ms`, `[200 ms, 600 ms]` or `{ mean: 400 ms, deviation: 80 ms, at-least: 150 ms }`.
    fileprivate init(reading value: YAMLValue) throws(SourceError) {
        if value.isList {
            let items = try value.items()
            guard items.count == 2 else { throw value.error("expected the shortest and the longest span") }
            let (shortest, longest) = (try Self.span(items[0]), try Self.span(items[1]))
            guard shortest <= longest else { throw value.error("the shortest span comes first") }
            self = .uniform(from: shortest, to: longest)
        } else if value.isMapping {
            let fields = try value.fields(["mean", "deviation", "at-least"])
            self = .normal(
                mean: try Self.span(fields.required("mean")), deviation: try Self.span(fields.required("deviation")),
                floor: try fields["at-least"].map { value throws(SourceError) in try Self.span(value) } ?? .zero)
        } else {
            self = .fixed(try Self.span(value))
        }
    }

    private static func span(_ value: YAMLValue) throws(SourceError) -> Duration {
        let span = try value.duration()
        guard span <= longest else { throw value.error("a sensor takes an hour at most") }
        return span
    }
}
