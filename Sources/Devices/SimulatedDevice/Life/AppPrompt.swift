package import Biometrics
internal import PlatformErrors

/// A verification of the user as an app requests it, from LAContext or BiometricPrompt.
package struct AppPrompt: Hashable, Sendable {
    package var allowed: AppVerification
    /// The weakest biometric the app accepts: Android's `BIOMETRIC_WEAK` or `BIOMETRIC_STRONG`.
    package var strength = StrengthClass.class2
    /// Whether the user confirms a match of a passive sensor: Android's `setConfirmationRequired`.
    package var wantsConfirmation = true
    /// Whether the app demands Android's Identity Check.
    package var demandsIdentityCheck = false
    /// Whether the prompt has a fallback button; an empty `localizedFallbackTitle` hides it.
    package var offersFallback = true
    /// The seconds without a prompt after an unlock with the sensor: `touchIDAuthenticationAllowableReuseDuration`.
    package var reuseSeconds = 0
    /// The name of the app's LAContext; nil for a new one.
    package var context: String?
    /// Whether a prompt may be shown: false for `interactionNotAllowed`.
    package var allowsInteraction = true

    package init(_ allowed: AppVerification = .biometrics) { self.allowed = allowed }

    /// The reason a platform cannot show the prompt; nil when it can.
    func obstacle(on platform: Platform) -> DeviceRefusal? {
        let isOfLAContext = !offersFallback || reuseSeconds > 0 || context != nil || !allowsInteraction
        if isOfLAContext, !platform.isApple { return .notOn(platform, "an LAContext") }
        if !wantsConfirmation, platform != .android { return .notOn(platform, "a confirmation that apps leave out") }
        if demandsIdentityCheck, platform != .android { return .notOn(platform, "an Identity Check") }
        return nil
    }

    func accepts(_ method: VerificationMethod) -> Bool {
        switch method {
        case .biometric: allowed != .passcode
        case .deviceCredential: allowed != .biometrics
        }
    }
}

/// The verification an app accepts: `LAPolicy`, or the authenticators of BiometricPrompt.
package enum AppVerification: String, Sendable, CaseIterable {
    case biometrics
    case biometricsOrPasscode = "biometrics-or-passcode"
    case passcode
}

extension Platform {
    package var isApple: Bool { self == .ios || self == .macos }
}
