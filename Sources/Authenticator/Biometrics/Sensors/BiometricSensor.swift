/// A biometric sensor, its templates and its count of failed attempts.
///
/// Only a ``UserVerificationGate`` changes it, so that generations and the event log record every change.
public struct BiometricSensor: Equatable, Sendable {
    /// The modality.
    public package(set) var modality: BiometricModality
    /// The strength class.
    public package(set) var strengthClass: StrengthClass
    /// The availability.
    public package(set) var availability: SensorAvailability
    /// The templates, oldest first.
    public package(set) var templates: [BiometricTemplate]
    /// The maximum number of templates.
    public package(set) var maxTemplates: Int
    /// The lockout policy; `nil` for the gate's policy.
    public package(set) var lockoutPolicy: LockoutPolicy?
    /// The latency of a sample; `nil` for none.
    ///
    /// The gate has no clock: the caller waits.
    public package(set) var latency: SensorLatency?
    /// Changes with every template that is enrolled, replaced or removed.
    ///
    /// An app sees it as a changed `evaluatedPolicyDomainState`.
    public internal(set) var enrolmentGeneration: UInt64
    /// Changes when the policy's ``InvalidationRule`` invalidates the keys bound to the enrolled set.
    ///
    /// A key bound to another generation is invalid.
    public internal(set) var bindingGeneration: UInt64
    /// The failed attempts in a row, over all prompts, after the last input.
    public internal(set) var consecutiveFailures = 0

    /// The last lockout imposed by its own failures; a timed one may be over.
    var imposedLockout = Lockout.none
    var authenticatorIDRenewals: UInt64 = 0

    /// Describes a sensor.
    public init(
        modality: BiometricModality, strengthClass: StrengthClass = .class3,
        availability: SensorAvailability = .present, templates: [BiometricTemplate] = [], maxTemplates: Int = 5,
        lockoutPolicy: LockoutPolicy? = nil, latency: SensorLatency? = nil, enrolmentGeneration: UInt64 = 0,
        bindingGeneration: UInt64 = 0
    ) {
        self.modality = modality
        self.strengthClass = strengthClass
        self.availability = availability
        self.templates = templates
        self.maxTemplates = maxTemplates
        self.lockoutPolicy = lockoutPolicy
        self.latency = latency
        self.enrolmentGeneration = enrolmentGeneration
        self.bindingGeneration = bindingGeneration
    }
}

extension BiometricSensor {
    /// The `authenticatorId` of Android's HAL: 0 for a sensor below class 3 or without templates.
    ///
    /// It changes with every template enrolled or replaced in any sensor of class 3, and after the removal of all
    /// templates. Removing one of several templates does not change it.
    public var authenticatorID: UInt64 {
        guard strengthClass == .class3, !templates.isEmpty else { return 0 }
        // Unique for each renewal and sensor.
        let state = (authenticatorIDRenewals &+ 1) &* SplitMix64.increment &+ modality.salt
        return max(1, SplitMix64.mixed(state) & 0x7FFF_FFFF_FFFF_FFFF)
    }

    func index(ofTemplate id: [UInt8]) -> Int? { templates.firstIndex { $0.id == id } }

    func match(_ templateID: [UInt8]?) -> BiometricTemplate? {
        guard let templateID else { return templates.first }
        return templates.first { $0.id == templateID }
    }

    mutating func noteChange(_ change: EnrolmentChange, under rule: InvalidationRule) {
        // May wrap: a generation is compared only for equality.
        enrolmentGeneration &+= 1
        if rule.invalidates(change) { bindingGeneration &+= 1 }
        if change != .removed { authenticatorIDRenewals &+= 1 }
    }

    mutating func clearFailures() {
        consecutiveFailures = 0
        imposedLockout = .none
    }
}

extension BiometricModality {
    fileprivate var salt: UInt64 {
        switch self {
        case .fingerprint: 1
        case .face: 2
        case .iris: 3
        case .voice: 4
        }
    }
}

extension BiometricSensor: Codable, MemberwiseCodable {
    static let blank = BiometricSensor(modality: .fingerprint)

    static let members: [StoredMember<BiometricSensor>] = [
        StoredMember("modality", \.modality, isRequired: true),
        StoredMember("strengthClass", \.strengthClass, isRequired: true),
        StoredMember("availability", \.availability, isRequired: true),
        StoredMember("templates", \.templates, isRequired: true),
        StoredMember("maxTemplates", \.maxTemplates, isRequired: true),
        StoredMember("lockoutPolicy", \.lockoutPolicy),
        StoredMember("latency", \.latency),
        StoredMember("enrolmentGeneration", \.enrolmentGeneration, isRequired: true),
        StoredMember("bindingGeneration", \.bindingGeneration, isRequired: true),
        StoredMember("authenticatorIDRenewals", \.authenticatorIDRenewals),
        StoredMember("consecutiveFailures", \.consecutiveFailures),
        StoredMember("lockout", \.imposedLockout),
    ]
}
