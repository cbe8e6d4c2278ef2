internal import Biometrics
internal import Causes
internal import VirtualAuthenticator

/// What an app that asks for the person itself accepts: `LAPolicy`, or the authenticators of BiometricPrompt.
package enum AppVerification: String, Sendable, CaseIterable {
    case biometrics
    case biometricsOrPasscode = "biometrics-or-passcode"
    case passcode
}

/// An app asks its person to verify: LAContext, BiometricPrompt, or a key that asks by itself.
struct AppPrompter: Sendable {
    let authenticator: VirtualAuthenticator
    let life: DeviceLife

    enum Answer: Hashable, Sendable {
        case verified
        /// The gate did not open.
        case failed(UserVerificationResult)
        /// No prompt came up.
        case unavailable(StorageRefusal)
        /// The app withdrew its question, or the power went.
        case withdrawn

        var cause: Cause? {
            switch self {
            case .verified: nil
            case .failed(let result): result.cause
            case .unavailable(let refusal): refusal.cause
            case .withdrawn: .appCancelled
            }
        }
    }

    /// Asks for whoever may open an item.
    func ask(_ access: SecureStorage.Access, app: String) async -> Answer {
        switch access {
        case .none: .verified
        case .currentSet, .anyBiometry: await ask(.biometrics, app: app, forKey: true)
        case .biometryOrPasscode: await ask(.biometricsOrPasscode, app: app, forKey: true)
        case .passcode: await ask(.passcode, app: app, forKey: true)
        }
    }

    /// - Parameter forKey: whether a key is to be released, for which only the strongest biometrics will do.
    func ask(_ wanted: AppVerification, app: String, forKey: Bool = false) async -> Answer {
        do {
            try life.requireOnScreen(app)
        } catch {
            return .unavailable(error)
        }
        var options =
            switch wanted {
            case .biometrics: PromptOptions(allowsDeviceCredential: false)
            case .biometricsOrPasscode: PromptOptions.biometricOrDeviceCredential
            case .passcode: PromptOptions.deviceCredential
            }
        if forKey { options.minimumClass = .class3 }
        let result = await authenticator.verifyUser(options)
        // Whoever asked may be gone by now, and hears nothing.
        guard life.state.apps[app]?.isRunning == true else { return .withdrawn }
        return switch result {
        case nil: .withdrawn
        case .verified: .verified
        case let result?: .failed(result)
        }
    }
}
