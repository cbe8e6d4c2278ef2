/// Whether a sensor can be used at this moment, whoever is enrolled.
public enum SensorAvailability: String, Codable, CaseIterable, Sendable {
    /// It works.
    case present
    /// There is none: never built in, or an accessory that was unplugged.
    case absent
    /// Something else is using it.
    case busy
    /// It is broken, or answered with an error.
    case failed
    /// An administrator, a setting or a missing permission forbids its use.
    case disabledByPolicy
}

/// A biometric sensor and the templates enrolled in it.
///
/// Templates, availability and generations change only through a ``UserVerificationGate``, so that no change escapes
/// the generations or the event log.
public struct BiometricSensor: Equatable, Codable, Sendable {
    /// What it looks at.
    public let modality: BiometricModality
    /// How far it is trusted.
    public let strengthClass: StrengthClass
    /// Whether it can be used at this moment.
    public internal(set) var availability: SensorAvailability
    /// Who is enrolled, oldest first.
    public internal(set) var templates: [BiometricTemplate]
    /// How many templates fit.
    public let maxTemplates: Int
    /// Changes with every template that is enrolled, replaced or removed.
    ///
    /// This is what an app sees as a changed `evaluatedPolicyDomainState`.
    public internal(set) var enrolmentGeneration: UInt64
    /// Changes only when the keys bound to the enrolled set die, by the policy's ``InvalidationRule``.
    ///
    /// A key that was bound to another generation than the present one is dead.
    public internal(set) var bindingGeneration: UInt64

    /// Describes a sensor.
    public init(
        modality: BiometricModality, strengthClass: StrengthClass = .class3,
        availability: SensorAvailability = .present, templates: [BiometricTemplate] = [], maxTemplates: Int = 5,
        enrolmentGeneration: UInt64 = 0, bindingGeneration: UInt64 = 0
    ) {
        self.modality = modality
        self.strengthClass = strengthClass
        self.availability = availability
        self.templates = templates
        self.maxTemplates = maxTemplates
        self.enrolmentGeneration = enrolmentGeneration
        self.bindingGeneration = bindingGeneration
    }
}

extension BiometricSensor {
    func index(ofTemplate id: [UInt8]) -> Int? {
        templates.firstIndex { $0.id == id }
    }

    /// The template a matching sample belongs to: the one asked for, or the first.
    func match(_ templateID: [UInt8]?) -> BiometricTemplate? {
        guard let templateID else { return templates.first }
        return templates.first { $0.id == templateID }
    }

    mutating func noteChange(_ change: EnrolmentChange, under rule: InvalidationRule) {
        // Wrapping: a generation is compared for equality only.
        enrolmentGeneration &+= 1
        if rule.invalidates(change) { bindingGeneration &+= 1 }
    }
}
