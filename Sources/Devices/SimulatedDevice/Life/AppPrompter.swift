internal import Biometrics
internal import Causes
internal import VirtualAuthenticator

/// The verification an app accepts: `LAPolicy`, or the authenticators of BiometricPrompt.
package enum AppVerification: String, Sendable, CaseIterable {
    case biometrics
    case biometricsOrPasscode = "biometrics-or-passcode"
    case passcode
}

/// A prompt of an app that verifies the user: LAContext, BiometricPrompt, or a key with access control.
struct AppPrompter: Sendable {
    let authenticator: VirtualAuthenticator
    let life: DeviceLife

    enum Answer: Hashable, Sendable {
        case verified
        /// The user was not verified.
        case failed(UserVerificationResult)
        /// No prompt was shown.
        case unavailable(StorageRefusal)
        /// The app cancelled the prompt, or the power was lost.
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

    /// Asks for the verification that opens an item.
    func ask(_ access: SecureStorage.Access, app: String) async -> Answer {
        switch access {
        case .none: .verified
        case .currentSet, .anyBiometry: await ask(.biometrics, app: app, forKey: true)
        case .biometryOrPasscode: await ask(.biometricsOrPasscode, app: app, forKey: true)
        case .passcode: await ask(.passcode, app: app, forKey: true)
        }
    }

    /// Asks for a verification.
    ///
    /// - Parameter forKey: whether the verification releases a key, which requires class 3 biometrics.
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
        // An app that was stopped meanwhile receives no result.
        guard life.state.apps[app]?.isRunning == true else { return .withdrawn }
        return switch result {
        case nil: .withdrawn
        case .verified: .verified
        case let result?: .failed(result)
        }
    }
}
