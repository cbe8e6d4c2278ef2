internal import Biometrics
internal import Causes
internal import Faults
internal import PlatformErrors
internal import VirtualAuthenticator

/// Shows the prompts of apps that verify the user: LAContext, BiometricPrompt, or a key with access control.
struct AppPrompter: Sendable {
    let authenticator: VirtualAuthenticator
    let life: DeviceLife
    let platform: Platform

    /// Asks for a verification, unless the app's context has one already; a key (`forKey`) needs class 3 biometrics.
    func ask(_ prompt: AppPrompt, app: String, forKey: Bool = false) async throws(DeviceRefusal) -> VerificationMethod {
        if let obstacle = prompt.obstacle(on: platform) { throw obstacle }
        try life.requireRunning(app)
        if !forKey, life.faults.strikes(.authenticatorsUnsupported) {
            throw DeviceRefusal(.authenticatorsUnsupported)
        }
        let context = prompt.context.map { SecretID($0, app: app) }
        if let known = context.flatMap(life.context) {
            guard let method = known.method else { throw .contextInvalid }
            if prompt.accepts(method) { return method }
        }
        if prompt.allowed != .passcode, let method = life.unlockBySensor(within: .seconds(prompt.reuseSeconds)) {
            return method
        }
        guard prompt.allowsInteraction else { throw .uiUnavailable }
        try life.requireOnScreen(app)
        let options = try options(prompt, app: app, forKey: forKey)
        let result = await life.asking(for: context) { await authenticator.verifyUser(options) }
        // An app that was stopped meanwhile receives no result.
        guard life.state.apps[app]?.isRunning == true else { throw .appCancelled }
        // The app invalidated the context before the prompt was open.
        if let kept = context.flatMap(life.context), kept.method == nil { throw .appCancelled }
        switch result {
        case .verified(let method):
            guard let context else { return method }
            let state = method == .deviceCredential ? nil : await authenticator.gate?.domainState
            life.keep(AppContext(method: method, domainState: state), as: context)
            return method
        case let result?: throw DeviceRefusal(result.cause)
        // The app cancelled the prompt, or the power was lost.
        case nil: throw .appCancelled
        }
    }

    func options(_ prompt: AppPrompt, app: String, forKey: Bool = false) throws(DeviceRefusal) -> PromptOptions {
        var options =
            switch prompt.allowed {
            // UserConsentVerifier also takes the PIN, even without a sensor.
            case .biometrics where platform == .windows && !forKey: PromptOptions.biometricOrDeviceCredential
            case .biometrics: PromptOptions(allowsDeviceCredential: false)
            case .biometricsOrPasscode: PromptOptions.biometricOrDeviceCredential
            case .passcode: PromptOptions.deviceCredential
            }
        if life.state.apps[app]?.isSensorDenied == true, options.allowsBiometrics {
            life.note(effectOf: .permission(app: app))
            guard options.demandsDeviceCredential else { throw DeviceRefusal(.permissionDenied) }
            options.allowsBiometrics = false
        }
        options.minimumClass = forKey || prompt.demandsIdentityCheck ? .class3 : prompt.strength
        options.wantsConfirmation = prompt.wantsConfirmation
        options.offersFallback = prompt.offersFallback
        if prompt.demandsIdentityCheck {
            // In a familiar place the check is not active either (Android's ERROR_IDENTITY_CHECK_NOT_ACTIVE).
            guard life.refusesPasscode() else { throw .identityCheckInactive }
            options.allowsDeviceCredential = false
            options.demandsDeviceCredential = false
            options.allowsBiometrics = true
        }
        return options
    }
}
