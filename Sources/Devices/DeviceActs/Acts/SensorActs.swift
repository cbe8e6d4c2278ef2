internal import Biometrics
internal import SimulatedDevice
internal import VirtualAuthenticator
internal import Wording

struct Enrol: PlainAct {
    static let form = Form(
        "enrol", "enrols another finger or face",
        .required("template", \.template, "the new template's name"),
        .optional("modality", \.modality, "the sensor; default: the first"),
        .optional("instead-of", \.replaced, "the template to replace, as when a face is set up again"))

    static let isPreparation = true

    var template = ""
    var modality: BiometricModality?
    var replaced: String?

    var words: String { "enrols \(template)" + (replaced.map { " in place of \($0)" } ?? "") }

    func perform(on device: SimulatedDevice) async throws {
        if let replaced {
            try await device.replaceTemplate(named: replaced, with: template, on: modality)
        } else {
            try await device.enrol(template, on: modality)
        }
    }
}

struct Unenrol: PlainAct, StateAct {
    static let form = Form(
        "unenrol", "removes an enrolled finger or face",
        .optional("template", \.template, "the template's name; default: all templates"))

    static let canEndVerification = true

    var template: String?

    var words: String { "removes \(template ?? "all templates")" }

    func perform(on device: SimulatedDevice) async throws {
        guard let template else { return await device.removeAllTemplates() }
        try await device.removeTemplate(named: template)
    }
}

struct ChangeSensor: PlainAct, StateAct {
    static let form = Form(
        "sensor", "breaks, hides or repairs the sensor",
        .required("state", \.state, "the sensor's new state"),
        .optional("modality", \.modality, "the sensor; default: the first"))

    static let canEndVerification = true

    var state = SensorAvailability.present
    var modality: BiometricModality?

    var setting: DeviceSettingChange? { DeviceSettingChange(setting: .sensor(modality), isUsual: state == .present) }

    var words: String { "the \(modality.prefix)sensor is now \(state.rawValue.hyphenated)" }

    func perform(on device: SimulatedDevice) async { await device.setSensor(state, on: modality) }
}

struct LockOut: PlainAct, StateAct {
    static let form = Form(
        "lock-out", "locks a sensor permanently, as after too many failed attempts",
        .optional("modality", \.modality, "the sensor; default: all sensors"))

    var modality: BiometricModality?

    var setting: DeviceSettingChange? { DeviceSettingChange(setting: .lockout(modality), isUsual: false) }

    var words: String { "the \(modality.prefix)sensor is locked permanently" }

    func perform(on device: SimulatedDevice) async throws {
        if await device.lockOut(modality)?.step == .ignored { throw GateFailure.sensorAbsent }
    }
}

struct RequirePasscode: PlainAct, StateAct {
    static let form = Form(
        "require-passcode", "refuses biometrics until the passcode is entered",
        .optional("because", \.reason, of: .choice(reasons.compactMap(\.text)), "the reason; default: remote-lock"))

    /// The reasons that are events; the others follow from time and failures.
    private static let reasons: [StrongAuthenticationReason] = [.restart, .remoteLock, .emergencyGesture]

    var reason = StrongAuthenticationReason.remoteLock

    var setting: DeviceSettingChange? { DeviceSettingChange(setting: .passcodeDemand, isUsual: false) }

    var words: String { "the passcode is required: \(reason.rawValue.hyphenated)" }

    func perform(on device: SimulatedDevice) async throws {
        guard await device.authenticator.gate?.deviceCredential != nil else { throw GateFailure.noDeviceCredential }
        try await device.requireCredential(reason)
    }
}

extension BiometricModality? {
    /// The modality before the noun it qualifies.
    fileprivate var prefix: String { map { "\($0.rawValue) " } ?? "" }
}
