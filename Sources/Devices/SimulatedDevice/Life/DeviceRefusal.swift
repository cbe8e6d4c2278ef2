package import Causes
internal import PlatformErrors

/// The reason a device refuses an act, or an app's request.
package struct DeviceRefusal: CausedError, Hashable, Sendable, CustomStringConvertible {
    package let cause: Cause
    package let explanation: String?

    package init(_ cause: Cause, _ explanation: String? = nil) {
        self.cause = cause
        self.explanation = explanation
    }

    package var description: String { explanation ?? cause.rawValue }
}

/// The states of the device, its screen and its apps.
extension DeviceRefusal {
    package static let deviceReplaced = Self(.deviceReplaced)
    package static let noScreen = Self(.noScreen, "a security key has no screen, network or apps")
    package static let deviceLocked = Self(.deviceLocked)
    package static let beforeFirstUnlock = Self(.beforeFirstUnlock)
    package static let offline = Self(.offline)
    package static let appNotRunning = Self(.appNotRunning)
    package static let appInBackground = Self(.appInBackground)
    static let appCancelled = Self(.appCancelled)
    package static let uiUnavailable = Self(.uiUnavailable)
    package static let contextInvalid = Self(.contextInvalid)
    package static let companionUnavailable = Self(.companionUnavailable)
    static let identityCheckInactive = Self(.identityCheckInactive)

    static func notOn(_ platform: Platform, _ noun: String) -> Self {
        Self(.notOnThisPlatform, "\(platform.displayName) does not have \(noun)")
    }

    package static func notInstalled(_ app: String) -> Self { Self(.notInstalled, "\(app) is not installed") }
}

/// Items of secure storage.
extension DeviceRefusal {
    package static let itemMissing = Self(.itemMissing)
    package static let keyInvalidated = Self(.keyInvalidated)
    package static let userNotAuthenticated = Self(.userNotAuthenticated)
    package static let strengthInsufficient = Self(.strengthInsufficient)
    /// The stored item was changed and does not open.
    package static let unableToProcess = Self(.unableToProcess)
    static let applicationPasswordWrong = Self(.applicationPasswordWrong)
    static let keyNotExportable = Self(.keyNotExportable, "a key signs in secure storage and cannot be read")
    static let notAKey = Self(.keyNotExportable, "the item is a secret, which cannot sign")
}

/// Passkeys that are selected or moved.
extension DeviceRefusal {
    package static let noSuchPasskey = Self(.noCredentials)
    package static let deviceBound = Self(
        .deviceBound, "a device-bound passkey stays on the device it was created on")
    package static let noSpace = Self(.noSpace)

    static func scansNoCodes(_ profile: String) -> Self {
        unsuitable("a device of the profile \(profile) scans no QR codes; choose a phone with the transport hybrid")
    }

    static func unsuitable(_ reason: String) -> Self { Self(.devicesUnsuitable, reason) }

    /// Whether no device of this kind can perform the act, whatever its state.
    package var isAboutDevices: Bool { cause == .devicesUnsuitable || cause == .noScreen }
}

extension Result where Failure == DeviceRefusal {
    package var cause: Cause? { if case .failure(let refusal) = self { refusal.cause } else { nil } }
}
