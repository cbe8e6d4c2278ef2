internal import PlatformErrors

/// What a profile describes, for those who look for one.
package enum DeviceKind: String, Sendable, CaseIterable, Codable {
    case phone
    case computer
    case passwordManager = "password-manager"
    case securityKey = "security-key"
    /// No product: made for tests.
    case testDevice = "test-device"

    /// What a profile is that does not say.
    init(of platform: Platform) {
        switch platform {
        case .ios, .android: self = .phone
        case .macos, .windows: self = .computer
        case .securityKey: self = .securityKey
        }
    }

    /// The heading of a list of them.
    package var plural: String {
        switch self {
        case .phone: "Phones"
        case .computer: "Computers and browsers"
        case .passwordManager: "Password managers and authenticator apps"
        case .securityKey: "Security keys"
        case .testDevice: "Made for tests"
        }
    }
}
