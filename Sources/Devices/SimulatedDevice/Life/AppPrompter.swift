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

    /// Asks for the verification that opens an item.
    func ask(_ access: SecureStorage.Access, app: String) async throws(DeviceRefusal) {
        let wanted: AppVerification
        switch access {
        case .none: return
        case .currentSet, .anyBiometry: wanted = .biometrics
        case .biometryOrPasscode: wanted = .biometricsOrPasscode
        case .passcode: wanted = .passcode
        }
        _ = try await ask(wanted, app: app, forKey: true)
    }

    /// Asks for a verification.
    ///
    /// - Parameter forKey: whether the verification releases a key, which requires class 3 biometrics.
    func ask(
        _ wanted: AppVerification, app: String, forKey: Bool = false
    ) async throws(DeviceRefusal) -> VerificationMethod {
        try life.requireOnScreen(app)
        var options =
            switch wanted {
            case .biometrics: PromptOptions(allowsDeviceCredential: false)
            case .biometricsOrPasscode: PromptOptions.biometricOrDeviceCredential
            case .passcode: PromptOptions.deviceCredential
            }
        if forKey { options.minimumClass = .class3 }
        let result = await authenticator.verifyUser(options)
        // An app that was stopped meanwhile receives no result.
        guard life.state.apps[app]?.isRunning == true else { throw .appCancelled }
        switch result {
        case .verified(let method): return method
        case let result?: throw DeviceRefusal(result.cause)
        // The app cancelled the prompt, or the power was lost.
        case nil: throw .appCancelled
        }
    }
}
