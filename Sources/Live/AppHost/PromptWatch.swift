package import Biometrics
package import CTAP
internal import Synchronization
package import VirtualAuthenticator

/// The user of a device whose app hears of failed attempts, and may withdraw its prompt before the next one.
package final class PromptWatch: User {
    private let person: any User
    private let state = Mutex(State())

    private struct State {
        /// Is told of each failed attempt, and returns whether the app withdraws its prompt.
        var onFailure: (@Sendable () -> Bool)?
        var isWithdrawn = false
    }

    package init(_ person: any User) { self.person = person }

    /// Runs a prompt of the app; `onFailure` is nil for a platform that tells its apps nothing.
    func watching<Result: Sendable>(
        _ onFailure: (@Sendable () -> Bool)?, _ prompt: () async -> Result
    ) async -> Result {
        state.withLock { $0 = State(onFailure: onFailure) }
        defer { state.withLock { $0 = State() } }
        return await prompt()
    }

    package func hear(_ event: AuthenticatorEvent) {
        guard case .gate(let move) = event.kind, move.isFailedAttempt,
            let onFailure = state.withLock({ $0.onFailure }), onFailure()
        else { return }
        state.withLock { $0.isWithdrawn = true }
    }

    package func verify(_ prompt: VerificationPrompt) async -> GateAct {
        state.withLock { $0.isWithdrawn } ? .cancelByApp : await person.verify(prompt)
    }

    package func confirm(_ prompt: PresencePrompt) async -> PresenceAnswer { await person.confirm(prompt) }

    package func enrol(_ prompt: EnrolmentPrompt) async -> EnrollSampleStatus { await person.enrol(prompt) }

    package func choose(_ prompt: AccountPrompt) async -> Int? { await person.choose(prompt) }

    package func tapsAgain() async -> Bool { await person.tapsAgain() }
}

extension GateEvent {
    /// Whether a sample did not match, and the prompt stayed.
    fileprivate var isFailedAttempt: Bool {
        guard case .present = input else { return false }
        return switch step {
        case .tryAgain, .paused, .stopped: true
        case .sensing, .hint, .confirmationRequired, .challengePhraseRequired, .deviceCredentialRequired, .refused,
            .ended, .ignored, .changed:
            false
        }
    }
}
