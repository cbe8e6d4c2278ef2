internal import PlatformErrors

/// The kind of device a profile describes.
package enum DeviceKind: String, Sendable, CaseIterable, Codable {
    case phone
    case computer
    case passwordManager = "password-manager"
    case securityKey = "security-key"
    /// A device made for tests, not a product.
    case testDevice = "test-device"

    /// The usual kind for a platform.
    init(of platform: Platform) {
        switch platform {
        case .ios, .android: self = .phone
        case .macos, .windows: self = .computer
        case .securityKey: self = .securityKey
        }
    }

    /// The heading for a list of this kind.
    package var plural: String {
        switch self {
        case .phone: "Phones"
        case .computer: "Computers and browsers"
        case .passwordManager: "Password managers and authenticator apps"
        case .securityKey: "Security keys"
        case .testDevice: "Test devices"
        }
    }
}
