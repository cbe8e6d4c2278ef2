package import Biometrics
internal import Causes
internal import DeviceProfiles
internal import Faults
package import PlatformErrors
internal import VirtualAuthenticator

/// Verifications of the user by apps, and their questions about them.
extension SimulatedDevice {
    private var prompter: AppPrompter {
        AppPrompter(authenticator: authenticator, life: life, platform: profile.platform)
    }

    package var platform: Platform { profile.platform }

    /// Whether it has a sensor whose match a user may have to confirm.
    package var hasFaceSensor: Bool { profile.sensors.contains { $0.modality == .face } }

    /// Verifies the user for an app: LAContext.evaluatePolicy, BiometricPrompt.
    package func verifyUser(
        _ prompt: AppPrompt, app: String = SecretID.defaultApp
    ) async -> Result<VerificationMethod, DeviceRefusal> {
        let result: Result<VerificationMethod, DeviceRefusal>
        do {
            result = .success(try await prompter.ask(prompt, app: app))
        } catch {
            result = .failure(error)
        }
        let words = result.cause == nil ? "verifies" : "cannot verify"
        life.note(DeviceEvent(.appVerify, "\(app) \(words) the user", cause: result.cause))
        return result
    }

    package func verifyUser(
        _ allowed: AppVerification, app: String = SecretID.defaultApp
    ) async -> Result<VerificationMethod, DeviceRefusal> {
        await verifyUser(AppPrompt(allowed), app: app)
    }

    /// Checks without a prompt whether the user can be verified: canEvaluatePolicy, canAuthenticate.
    package func checkVerification(_ prompt: AppPrompt, app: String = SecretID.defaultApp) async throws(DeviceRefusal) {
        if let obstacle = prompt.obstacle(on: profile.platform) { throw obstacle }
        try life.requireRunning(app)
        if life.faults.strikes(.authenticatorsUnsupported) { throw DeviceRefusal(.authenticatorsUnsupported) }
        if life.faults.strikes(.statusUnknown) { throw DeviceRefusal(.statusUnknown) }
        let options = try prompter.options(prompt, app: app)
        guard var gate = await authenticator.gate else { throw DeviceRefusal(.sensorAbsent) }
        guard case .refused(let failure) = gate.begin(options, at: life.now).step, failure != .promptInProgress else {
            return
        }
        // Android answers BIOMETRIC_SUCCESS to some states that end a prompt.
        let errors = profile.platformErrors.errors(of: failure.cause, during: .check)
        guard errors.contains(where: { $0.reachesCaller(during: .check) && $0.code == 0 }) else {
            throw DeviceRefusal(failure.cause)
        }
    }

    /// Whether failed attempts have locked a sensor: LAEnvironment's `isLockedOut`.
    package func isLockedOut() async throws(DeviceRefusal) -> Bool {
        guard profile.platform.isApple else { throw .notOn(profile.platform, "an LAEnvironment") }
        guard let gate = await authenticator.gate else { throw DeviceRefusal(.sensorAbsent) }
        return gate.sensors.contains { gate.lockout(of: $0.modality, at: life.now) != .none }
    }

    /// An app's comparison of the enrolled templates with those it saw last.
    package enum EnrolmentComparison: String, Sendable {
        /// The app gets no value: canEvaluatePolicy fails, and the context has verified no user.
        case none
        /// The app compares for the first time.
        case first
        case same, changed
    }

    /// Compares `evaluatedPolicyDomainState` with the value an app has kept, and keeps the new one.
    ///
    /// - Parameter context: the name of the app's LAContext; nil for a new one.
    package func compareEnrolment(
        app: String = SecretID.defaultApp, context: String? = nil
    ) async throws -> EnrolmentComparison {
        guard profile.platform.isApple else { throw DeviceRefusal.notOn(profile.platform, "a domain state") }
        try life.requireRunning(app)
        let kept = life.state.apps[app]?.domainState
        guard let current = try await domainState(app, context) else { return .none }
        try life.change { $0.apps[app]?.domainState = current }
        return kept.map { $0 == current ? .same : .changed } ?? .first
    }

    /// Whether an app has used an LAContext of this name, which may be invalid since.
    package func hasContext(_ name: String, app: String) -> Bool { life.context(SecretID(name, app: app)) != nil }

    /// The value of a context, which is set once canEvaluatePolicy or an evaluation has succeeded (LAContext,
    /// `evaluatedPolicyDomainState`).
    private func domainState(_ app: String, _ name: String?) async throws(DeviceRefusal) -> [UInt8]? {
        let context = name.flatMap { life.context(SecretID($0, app: app)) }
        if let context, context.method == nil { throw .contextInvalid }
        do {
            try await checkVerification(AppPrompt(), app: app)
        } catch {
            return context?.domainState
        }
        return await authenticator.gate?.domainState
    }

    /// Invalidates an app's LAContext; an open prompt of the context ends as ``GateFailure/appCancelled``.
    ///
    /// - Returns: whether the context was valid or its prompt was open; nothing changes otherwise.
    package func invalidateContext(
        _ name: String, app: String = SecretID.defaultApp
    ) async throws(DeviceRefusal) -> Bool {
        guard profile.platform.isApple else { throw .notOn(profile.platform, "an LAContext") }
        try life.requireRunning(app)
        let id = SecretID(name, app: app)
        let wasValid = life.context(id)?.method != nil
        // The prompt's context has no method before the user is verified; a prompt that is about to open ends afterwards.
        let isAsking = life.isAsking(for: id)
        guard wasValid || isAsking else { return false }
        life.keep(AppContext(method: nil), as: id)
        if isAsking { _ = await authenticator.endPrompt(.cancelByApp) }
        return true
    }

    /// Allows an app to use Face ID, or forbids it.
    package func setPermission(_ isAllowed: Bool, app: String = SecretID.defaultApp) async throws {
        guard profile.platform == .ios, profile.sensors.contains(where: { $0.modality == .face }) else {
            throw DeviceRefusal(.notOnThisPlatform, "\(profile.title) asks for no permission to use its sensor")
        }
        try life.requireInstalled(app)
        try life.change { $0.apps[app]?.isSensorDenied = isAllowed ? nil : true }
    }
}
