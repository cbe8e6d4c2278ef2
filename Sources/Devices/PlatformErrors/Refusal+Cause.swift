package import CTAP

extension Refusal {
    /// The cause behind the refusal, as ``PlatformErrorTable`` names it.
    package var cause: String {
        let label = reason.label
        if let range = label.firstRange(of: "builtInUV.") { return String(label[range.upperBound...]) }
        switch label.split(separator: ".").last {
        case "userDeclined", "noAccountChosen": return "userCancelled"
        case "userActionTimeout": return "timedOut"
        case "cancelledByPlatform": return "appCancelled"
        case "powerLost": return "systemCancelled"
        case "uvNotConfigured", "alwaysUvUnprotected": return "notEnrolled"
        case let last?: return String(last)
        case nil: return label
        }
    }
}
