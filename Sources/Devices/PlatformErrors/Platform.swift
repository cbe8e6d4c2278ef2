/// The platform whose errors a device reports.
package enum Platform: String, Sendable, CaseIterable, Codable {
    case ios
    case macos
    case android
    case windows
    case securityKey = "security-key"

    package var displayName: String {
        switch self {
        case .ios: "iOS"
        case .macos: "macOS"
        case .android: "Android"
        case .windows: "Windows"
        case .securityKey: "security key"
        }
    }
}
