internal import Documents
internal import ReferenceApp

/// The reference app of a scenario as its file declares it.
struct AppPlan: Sendable {
    /// Where it is declared; nil where it is not.
    var place: SourcePlace?
    /// The places of the keys whose use the run watches.
    var places: [Key: SourcePlace] = [:]
    var statedStyle: AppSettings.Style?
    var policy = AppSettings.Policy.optional
    var lockAfter = AppSettings().lockAfter
    var statedRole: AppRole?
    var storageLatency = Duration.zero
    var hasConditionalMediation = true

    /// A key whose use the run watches.
    enum Key: String, CaseIterable, Sendable {
        case style, policy
        case lockAfter = "lock-after"
        case storageLatency = "storage-latency"
        case conditionalMediation = "conditional-mediation"

        /// The event that uses it.
        var use: String {
            switch self {
            case .style: "an enrolment for biometric login, or a check of the user with the sensor"
            case .policy: "a login, or a start of the app with a kept session"
            case .lockAfter: "a return to the app with an open session"
            case .storageLatency: "an access of the app to secure storage"
            case .conditionalMediation: "a login screen that asks for a passkey in the user name field"
            }
        }
    }

    /// Whether a key has its default value, which needs no use.
    func isUsual(_ key: Key) -> Bool {
        let usual = AppPlan()
        return switch key {
        case .style: style == usual.style
        case .policy: policy == usual.policy
        case .lockAfter: lockAfter == usual.lockAfter
        case .storageLatency: storageLatency == usual.storageLatency
        case .conditionalMediation: hasConditionalMediation == usual.hasConditionalMediation
        }
    }

    var style: AppSettings.Style { statedStyle ?? .boundKey }
    var role: AppRole { statedRole ?? .peerMentor }

    static let section = DocumentSection<AppPlan> {
        DocumentKey(Key.style.rawValue, \.statedStyle, .choice, "The style of biometric unlock; default: bound-key.")
        DocumentKey(
            Key.policy.rawValue, \.policy, .choice,
            "The organisation's policy about biometric login; default: optional.")
        DocumentKey(
            "role", \.statedRole, .choice,
            "The role of the user who logs in at the providers; default: peer-mentor.")
        DocumentKey(
            Key.lockAfter.rawValue, \.lockAfter, .span,
            "The time away after which the app asks for the user again; default: 5 min.")
        DocumentKey(
            Key.storageLatency.rawValue, \.storageLatency, .span,
            "The time that each access to secure storage takes; default: none.")
        DocumentKey(
            Key.conditionalMediation.rawValue, \.hasConditionalMediation, .flag,
            "Whether the platform offers passkeys in the user name field; default: true.")
    } check: { plan, fields in
        plan.place = fields.owner.source
        for key in Key.allCases { plan.places[key] = fields[key.rawValue]?.source }
    }

    func settings(_ sensor: SensorName) -> AppSettings {
        var settings = AppSettings()
        settings.style = style
        settings.policy = policy
        settings.lockAfter = lockAfter
        settings.hasConditionalMediation = hasConditionalMediation
        settings.sensor = sensor
        return settings
    }
}

extension AppFacts {
    init(_ plan: AppPlan) {
        self.init(
            style: plan.style.rawValue, role: plan.role.rawValue, namesStyle: plan.statedStyle != nil,
            namesRole: plan.statedRole != nil)
    }
}
