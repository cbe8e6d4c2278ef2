import Biometrics
import CTAP
import VirtualAuthenticator

/// A user who acts only when the test says so.
final class WaitingUser: User {
    typealias Prompt = AsyncStream<GateAct>.Continuation

    /// The prompts, each with the continuation that takes its act.
    let prompts: AsyncStream<Prompt>
    private let appear: AsyncStream<Prompt>.Continuation

    init() {
        (prompts, appear) = AsyncStream.makeStream()
    }

    func confirm(_ prompt: PresencePrompt) async -> PresenceAnswer {
        switch await act() {
        case .sample(.match, _): .confirmed
        case .noAnswer: .noAnswer
        default: .declined
        }
    }

    func verify(_ prompt: VerificationPrompt) async -> GateAct { await act() }

    func enrol(_ prompt: EnrolmentPrompt) async -> EnrollSampleStatus {
        await act() == .match() ? .good : .noUserActivity
    }

    func choose(_ prompt: AccountPrompt) async -> Int? { await act() == .match() ? 0 : nil }

    /// Returns the first act, or ends with the task.
    private func act() async -> GateAct {
        let (acts, prompt) = AsyncStream<GateAct>.makeStream()
        appear.yield(prompt)
        for await act in acts { return act }
        return .cancelByApp
    }
}
