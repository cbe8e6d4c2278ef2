internal import Biometrics
internal import Faults
internal import Wording

extension DeviceAct {
    /// Every act there is.
    package static let vocabulary: [DeviceVerb] =
        sensorVerbs + lifeVerbs + authenticatorVerbs + passkeyVerbs + appVerbs + storageVerbs

    /// The verb of a word.
    package static func verb(_ word: String) -> DeviceVerb? { vocabulary.first { $0.word == word } }

    /// Reads an act.
    ///
    /// - Parameters:
    ///   - verb: a word of ``vocabulary``.
    ///   - arguments: values as they are written, by the names of the verb's parameters.
    /// - Throws: ``DeviceActError`` that names the parameter which is wrong and what may stand there.
    package init(verb word: String, arguments: [String: String] = [:]) throws(DeviceActError) {
        guard let verb = Self.verb(word) else {
            let words = Self.vocabulary.map(\.word)
            throw DeviceActError(
                parameter: nil,
                "\"\(word)\" is nothing done to a device; expected one of \(words.joined(separator: ", "))"
                    + NearestNames.question(word, among: words))
        }
        self = try verb.make(try verb.check(arguments))
    }

    private static let sensorVerbs = [
        DeviceVerb(
            "enrol", "enrols another finger or face",
            [
                .init("template", "what to call it"),
                modality("which sensor it is for; the first unless said otherwise"),
                .init("instead-of", optional: true, "whom it replaces, as setting a face up anew does"),
            ]
        ) { arguments throws(DeviceActError) in
            let name = try arguments.required("template")
            let modality = arguments.choice("modality", BiometricModality.self)
            return arguments.text("instead-of").map { .replace(name: $0, with: name, on: modality) }
                ?? .enrol(name: name, on: modality)
        },
        DeviceVerb(
            "unenrol", "removes an enrolled finger or face",
            [.init("template", optional: true, "what it is called; left out, everybody is removed")]
        ) { .unenrol(name: $0.text("template")) },
        DeviceVerb(
            "sensor", "breaks, hides or repairs the sensor",
            [
                .init(
                    "state", of: .choice(SensorAvailability.allCases.map(\.rawValue)), "what the sensor is from now on"),
                modality("which sensor; the first unless said otherwise"),
            ]
        ) {
            .sensor(
                $0.choice("state", SensorAvailability.self) ?? .present,
                of: $0.choice("modality", BiometricModality.self))
        },
        DeviceVerb(
            "lock-out", "closes a sensor for good at once, as if somebody had failed there often enough",
            [modality("which sensor; every one unless said otherwise")]
        ) { .lockOut($0.choice("modality", BiometricModality.self)) },
        DeviceVerb(
            "require-passcode", "only the passcode will do from now on, until it is entered",
            [
                .init(
                    "because", of: .choice(eventReasons.map(\.rawValue)), optional: true,
                    "why; remoteLock unless said otherwise")
            ]
        ) { .requireCredential($0.choice("because", StrongAuthenticationReason.self) ?? .remoteLock) },
    ]

    /// What makes the passcode due by an event, not by its own time.
    private static let eventReasons: [StrongAuthenticationReason] = [.restart, .remoteLock, .emergencyGesture]

    private static func modality(_ meaning: String) -> DeviceVerb.Parameter {
        DeviceVerb.Parameter(
            "modality", of: .choice(BiometricModality.allCases.map(\.rawValue)), optional: true, meaning)
    }

    private static let authenticatorVerbs = [
        DeviceVerb("power-cycle", "takes the power away and gives it back") { _ in .powerCycle },
        DeviceVerb(
            "fault", "something goes wrong from now on",
            [
                .init("name", "a name of `touchstone faults list`"),
                .init("times", of: .number(1...1000), optional: true, "how many answers it changes; left out, all"),
            ]
        ) { arguments throws(DeviceActError) in
            let name = try arguments.required("name")
            do {
                _ = try Fault(parsing: name)
            } catch {
                throw DeviceActError(parameter: "name", "\(error)")
            }
            return .fault(name: name, times: arguments.number("times"))
        },
        DeviceVerb("no-faults", "makes everything right again") { _ in .noFaults },
    ]
}
