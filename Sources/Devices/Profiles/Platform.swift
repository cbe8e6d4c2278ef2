/// Whose vocabulary of errors an app hears.
public enum Platform: String, Sendable, CaseIterable, Codable {
    case ios
    case macos
    case android
    case windows
    case securityKey = "security-key"

    /// How people write it.
    public var displayName: String {
        switch self {
        case .ios: "iOS"
        case .macos: "macOS"
        case .android: "Android"
        case .windows: "Windows"
        case .securityKey: "security key"
        }
    }
}
