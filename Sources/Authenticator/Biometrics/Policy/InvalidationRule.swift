/// The changes to the enrolled set that invalidate the keys bound to it.
public enum InvalidationRule: String, Codable, CaseIterable, Sendable {
    /// Adding, replacing or removing any template: Apple's `biometryCurrentSet`.
    case anyChange
    /// Adding or replacing a template, or removing the last one: Android's per-use biometric keys.
    case enrolledOrAllRemoved
    /// No change: a security key's credentials, or an item protected by `biometryAny`.
    case never
}

/// A kind of change to the enrolled set.
enum EnrolmentChange {
    case enrolled
    case removed
    case removedAll
}

extension InvalidationRule {
    func invalidates(_ change: EnrolmentChange) -> Bool {
        switch self {
        case .anyChange: true
        case .enrolledOrAllRemoved: change != .removed
        case .never: false
        }
    }
}
