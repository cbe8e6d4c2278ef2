public import Foundation

#if SIMULATED_PHONE
public import SimulatedAppleNames
#else
public import LocalAuthentication
#endif

/// Opens the session with a face or a finger.
@MainActor
public final class SessionUnlock {
    /// The number of failed prompts after which the app offers other ways.
    public nonisolated static var mostTries: Int { 3 }

    private let settings: AppSettings
    private let vault: TokenVault
    private let makeContext: () -> any AuthenticationContext
    private var failures = 0
    /// The context of the open prompt.
    private var prompting: (any AuthenticationContext)?

    /// The unlock of the account in the settings.
    ///
    /// - Parameter makeContext: creates a context for one verification; a verified context does not ask again.
    public init(
        settings: AppSettings, vault: TokenVault,
        makeContext: @escaping () -> any AuthenticationContext = { LAContext() }
    ) {
        (self.settings, self.vault, self.makeContext) = (settings, vault, makeContext)
    }

    /// Whether the unlock is on.
    public var isOn: Bool { settings.enrolledState != nil }

    /// Whether a prompt is open.
    public var isPrompting: Bool { prompting != nil }

    /// The sensor's name for the user.
    public var sensorName: String {
        let context = makeContext()
        // The kind is known after a check.
        _ = context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil)
        return switch context.biometryType {
        case .faceID: "Face ID"
        case .touchID: "Touch ID"
        case .opticID: "Optic ID"
        default: "Biometrics"
        }
    }

    /// The reason why the unlock cannot be switched on now; nil when it can.
    public var obstacle: UnlockObstacle? { obstacle(in: makeContext()) }

    /// Verifies the user, and binds the session to the enrolled faces or fingers.
    ///
    /// - Throws: ``UnlockObstacle``, or `CancellationError` if the user, the app or the system ends the prompt.
    public func switchOn(token: Data, account: String) async throws {
        let context = makeContext()
        if let obstacle = obstacle(in: context) { throw obstacle }
        switch await verify(with: context, "Use \(sensorName) to open the app") {
        case .cancelled, .interrupted: throw CancellationError()
        case .again: throw UnlockObstacle.tooManyTries
        case .otherWays(let obstacle): throw obstacle
        case nil, .unlocked: break
        }
        do {
            try vault.storeSession(token, of: account)
        } catch {
            throw UnlockObstacle.storage(error)
        }
        settings.enrolledState = context.evaluatedPolicyDomainState
        failures = 0
    }

    /// Switches the unlock off, and removes the session's token.
    public func switchOff() throws(TokenVault.Problem) {
        settings.enrolledState = nil
        if let account = settings.account { try vault.removeSession(of: account) }
    }

    /// Asks for a face or a finger, and opens the session.
    public func unlock() async -> UnlockOutcome {
        guard isOn, let account = settings.account else { return .otherWays(.off) }
        guard failures < Self.mostTries else { return .otherWays(.tooManyTries) }
        let context = makeContext()
        if let obstacle = obstacle(in: context) { return .otherWays(obstacle) }
        guard context.evaluatedPolicyDomainState == settings.enrolledState else { return forget() }
        if let end = await verify(with: context, "Open your session") { return end }
        do {
            let token = try vault.openSession(of: account, with: context)
            failures = 0
            return .unlocked(token: token)
        } catch .missing {
            return forget()
        } catch .cancelled {
            return .cancelled
        } catch .locked {
            return .interrupted
        } catch {
            return .otherWays(.storage(error))
        }
    }

    /// Ends an open prompt, as when the server has ended the session.
    public func cancel() { prompting?.invalidate() }

    /// Forgets failed prompts, after a sign-in in another way.
    public func forgetFailures() { failures = 0 }

    /// Shows a prompt.
    ///
    /// - Returns: nil for a verified user.
    private func verify(with context: any AuthenticationContext, _ reason: String) async -> UnlockOutcome? {
        context.localizedFallbackTitle = "Other ways"
        prompting = context
        defer { prompting = nil }
        do {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: reason) {
                    isVerified, error in
                    if isVerified {
                        continuation.resume()
                    } else {
                        continuation.resume(throwing: error ?? LAError(.authenticationFailed))
                    }
                }
            }
            return nil
        } catch {
            return outcome(of: error, in: context)
        }
    }

    private func outcome(of error: any Error, in context: any AuthenticationContext) -> UnlockOutcome {
        switch (error as? LAError)?.code {
        case .userCancel, .appCancel, .invalidContext: return .cancelled
        case .systemCancel, .notInteractive: return .interrupted
        case .userFallback: return .otherWays(.userChoice)
        case .authenticationFailed:
            failures += 1
            let left = Self.mostTries - failures
            return left > 0 ? .again(triesLeft: left) : .otherWays(.tooManyTries)
        default: return .otherWays(obstacle(of: error as NSError, in: context))
        }
    }

    private func obstacle(in context: any AuthenticationContext) -> UnlockObstacle? {
        var error: NSError?
        if context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error) { return nil }
        return obstacle(of: error, in: context)
    }

    private func obstacle(of error: NSError?, in context: any AuthenticationContext) -> UnlockObstacle {
        switch error.flatMap({ LAError.Code(rawValue: $0.code) }) {
        case .biometryLockout: .lockedOut
        case .biometryNotEnrolled: .notEnrolled
        case .passcodeNotSet: .noPasscode
        // The user forbids the app a sensor that is present and not available.
        case .biometryNotAvailable where context.biometryType == .faceID: .notAllowed
        default: .noSensor
        }
    }

    /// Removes a session that the enrolled faces or fingers no longer open.
    private func forget() -> UnlockOutcome {
        do {
            try switchOff()
            return .otherWays(.changed)
        } catch {
            return .otherWays(.storage(error))
        }
    }
}
