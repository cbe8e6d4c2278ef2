internal import Documents
internal import ReferenceApp

/// The reference app of a scenario as its file declares it.
struct AppPlan: Sendable {
    var style = AppSettings.Style.boundKey
    var policy = AppSettings.Policy.optional
    var lockAfter = AppSettings().lockAfter
    var role = AppRole.peerMentor
    var storageLatency = Duration.zero
    var hasConditionalMediation = true

    static let section = DocumentSection<AppPlan> {
        DocumentKey("style", \.style, .choice, "The style of biometric unlock; default: bound-key.")
        DocumentKey("policy", \.policy, .choice, "The organisation's policy about biometric login; default: optional.")
        DocumentKey("role", \.role, .choice, "The role of the user who logs in at the providers; default: peer-mentor.")
        DocumentKey(
            "lock-after", \.lockAfter, .span,
            "The time away after which the app asks for the user again; default: 5 min.")
        DocumentKey(
            "storage-latency", \.storageLatency, .span,
            "The time that each access to secure storage takes; default: none.")
        DocumentKey(
            "conditional-mediation", \.hasConditionalMediation, .flag,
            "Whether the platform offers passkeys in the user name field; default: yes.")
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
