public import Biometrics
public import CTAP

/// The person at the device: who touches it, shows a finger or a face, or does not.
///
/// Each question names a deadline on the environment's clock. An implementation that knows no answer is coming moves
/// a simulated clock on to that deadline, or waits for it on a real one, and then says so. When the calling task is
/// cancelled the question is withdrawn; what is returned then no longer matters.
public protocol Person: Sendable {
    /// Asks for a touch, or for consent on a device with a screen.
    func confirm(_ prompt: PresencePrompt) async -> PresenceAnswer

    /// Asks for the next act at the sensor, or for the device credential.
    func verify(_ prompt: VerificationPrompt) async -> GateAct

    /// Asks for one sample of a finger that is being enrolled.
    func enrol(_ prompt: EnrolmentPrompt) async -> EnrollSampleStatus

    /// Asks which account to sign in with, on a device with a screen; nil when the person turns away.
    func choose(_ prompt: AccountPrompt) async -> Int?
}

/// A question for a touch.
public struct PresencePrompt: Hashable, Sendable {
    /// The command that asks.
    public let command: CTAPCommand
    /// The relying party, where the command names one.
    public let relyingPartyID: String?
    /// Whether a long touch is asked for, as a reset may.
    public let isLongTouch: Bool
    /// When the authenticator gives up, on the environment's clock.
    public let deadline: Duration
}

/// What came of a question for a touch.
public enum PresenceAnswer: String, Hashable, Sendable, CaseIterable {
    /// The person touched the device.
    case confirmed
    /// The person touched it, but not for as long as was asked for.
    case tooShort
    /// The person refused.
    case declined
    /// Nobody answered until the deadline.
    case noAnswer
}

/// A question for a sample or for the device credential.
public struct VerificationPrompt: Hashable, Sendable {
    /// The command that asks.
    public let command: CTAPCommand
    /// The relying party, where the command names one.
    public let relyingPartyID: String?
    /// Whether the sensors wait or have given up, a match is to be confirmed, or the device credential is asked for.
    public let stage: GateStage
    /// The sensor the prompt leads with, if there is one.
    public let modality: BiometricModality?
    /// Every sensor the prompt senses with, the leading one first; none while it does not sense.
    public let modalities: [BiometricModality]
    /// 1 for the first question of this prompt, and so on.
    public let attempt: Int
    /// Whether the prompt offers its way out.
    public let isFallbackOffered: Bool
    /// When the prompt ends by itself, on the environment's clock.
    public let deadline: Duration
}

extension VerificationPrompt {
    /// What is done without being told: a match is confirmed, and a refusal taken, unless what was told goes on with an
    /// act that answers that.
    ///
    /// - Parameter next: the act that was told; nil when nothing was.
    public func unasked(before next: GateAct?) -> GateAct? {
        guard stage == .confirming || stage == .stopped else { return nil }
        return next?.answers(stage) == true ? nil : agreement
    }

    /// What a person does who agrees to everything: matches, confirms the match, enters the passcode rightly, and takes
    /// a refusal as it is.
    public var agreement: GateAct {
        switch stage {
        case .idle, .sensing: .match()
        case .confirming: .confirm
        case .stopped: .giveUp
        case .deviceCredential: .passcode(correct: true)
        }
    }
}

/// A question for a sample of a finger that is being enrolled.
public struct EnrolmentPrompt: Hashable, Sendable {
    /// How many good samples are still needed.
    public let remainingSamples: Int
    /// When the authenticator gives up, on the environment's clock.
    public let deadline: Duration
}

/// A question which account to use.
public struct AccountPrompt: Hashable, Sendable {
    /// The relying party.
    public let relyingPartyID: String
    /// The accounts, the newest first.
    public let accounts: [PublicKeyCredentialUserEntity]
    /// When the authenticator gives up, on the environment's clock.
    public let deadline: Duration
}

/// A person who agrees to everything at once: touches, matches, enters the passcode rightly, takes the first account.
public struct AgreeablePerson: Person {
    /// A person who agrees to everything.
    public init() {}

    /// Touches the device.
    public func confirm(_ prompt: PresencePrompt) async -> PresenceAnswer { .confirmed }

    /// Agrees; see ``VerificationPrompt/agreement``.
    public func verify(_ prompt: VerificationPrompt) async -> GateAct {
        prompt.agreement
    }

    /// Gives a good sample.
    public func enrol(_ prompt: EnrolmentPrompt) async -> EnrollSampleStatus { .good }

    /// Chooses the first account.
    public func choose(_ prompt: AccountPrompt) async -> Int? { 0 }
}
