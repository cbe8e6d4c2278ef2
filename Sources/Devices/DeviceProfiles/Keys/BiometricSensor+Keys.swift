internal import Biometrics
internal import Documents
internal import Wording

extension BiometricSensor {
    private typealias Key = DocumentKey<BiometricSensor>

    /// `sensor`, and each item of `sensors`.
    static let form: Form<BiometricSensor> = .mapping(section, from: BiometricSensor(modality: .fingerprint))

    private static let section: DocumentSection<BiometricSensor> = DocumentSection {
        Key("modality", \.modality, .choice, "The biometric it senses.", .requiredOnceMerged)
        Key(
            "class", \.strengthClass, Form.number(1...3).map { StrengthClass(rawValue: $0) ?? .class3 },
            "Android's class: 3 strong (default), 2 weak, 1 convenience, which unlocks the device and is not offered to apps."
        )
        Key(
            "max-templates", \.maxTemplates, .number(1...100),
            "The number of templates the sensor can hold; default: 5.")
        Key("templates", Form.list(of: .line), "The names of the enrolled templates.") { sensor, names, place in
            for (name, item) in zip(names, try place.items()) {
                guard !sensor.templates.contains(where: { $0.name == name }) else {
                    throw item.error("\"\(name)\" is enrolled twice")
                }
                guard sensor.templates.count < sensor.maxTemplates else {
                    throw item.error("the sensor holds at most \(Wording.counted(sensor.maxTemplates, "template"))")
                }
                sensor.templates.append(BiometricTemplate(id: [UInt8(sensor.templates.count + 1)], name: name))
            }
        }
        Key(
            "availability", \.availability, .choice,
            "Whether the sensor can be used, and if not, why; `unrecognized` is a state newer than the app.")
        Key(
            "lockout", \.lockoutPolicy, LockoutPolicy.form,
            "The sensor's own lockout numbers, in place of those in `lockout`.")
        Key(
            "latency", \.latency, .latency,
            "The time one sample takes: fixed (`400 ms`), uniform between two spans (`[200 ms, 600 ms]`), or normally distributed (`{ mean: 400 ms, deviation: 80 ms, at-least: 150 ms }`)."
        )
    }

    /// Refuses two sensors of one modality.
    static func check(_ sensors: [BiometricSensor], at place: YAMLValue) throws {
        guard !sensors.isEmpty else {
            throw place.error("expected a sensor; leave sensors out for a device without one")
        }
        for (index, (sensor, item)) in zip(sensors, try place.items()).enumerated()
        where sensors[..<index].contains(where: { $0.modality == sensor.modality }) {
            throw item.error(
                "there is already a sensor for \(sensor.modality.rawValue); give each sensor a different modality")
        }
    }
}

extension Form where Value == SensorLatency {
    fileprivate static var latency: Form {
        .either(
            .either(Form<Duration>.sensorSpan.map { .fixed($0) }, or: .uniform, when: \.isList),
            or: Form<NormalLatency>.mapping(NormalLatency.section, from: NormalLatency()).map {
                .normal(mean: $0.mean, deviation: $0.deviation, floor: $0.floor)
            }, when: \.isMapping)
    }

    private static var uniform: Form {
        Form(.array(Form<Duration>.sensorSpan.schema), words: "list of two spans") { value in
            let spans = try value.items().map(Form<Duration>.sensorSpan.read)
            guard spans.count == 2 else { throw value.error("expected the shortest and the longest span") }
            guard spans[0] <= spans[1] else { throw value.error("the first span is longer than the second; swap them") }
            return .uniform(from: spans[0], to: spans[1])
        }
    }
}

extension Form where Value == Duration {
    fileprivate static var sensorSpan: Form {
        Form(span.schema, words: span.words, hint: span.hint) { value in
            let span = try value.duration()
            guard span <= .seconds(3600) else { throw value.error("expected at most 1 h") }
            return span
        }
    }
}

/// A normal distribution with a minimum.
private struct NormalLatency: Sendable {
    var mean = Duration.zero
    var deviation = Duration.zero
    var floor = Duration.zero

    private typealias Key = DocumentKey<NormalLatency>

    static let section: DocumentSection<NormalLatency> = DocumentSection {
        Key("mean", \.mean, .sensorSpan, "The mean.", .required)
        Key("deviation", \.deviation, .sensorSpan, "The standard deviation.", .required)
        Key("at-least", \.floor, .sensorSpan, "The minimum.")
    }
}
