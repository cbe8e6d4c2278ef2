public import Biometrics
public import CTAP

/// The user at the device: touches it, presents a finger or a face, or does not react.
///
/// Each question names a deadline on the environment's clock. An implementation without an answer moves a
/// simulated clock to that deadline, or waits for it on a real one, and returns the absence of an answer. Cancelling the
/// calling task withdraws the question; the result is then ignored.
public protocol User: Sendable {
    /// Asks for a touch, or for consent on a device with a screen.
    func confirm(_ prompt: PresencePrompt) async -> PresenceAnswer

    /// Asks for the next act at the sensor, or for the device credential.
    func verify(_ prompt: VerificationPrompt) async -> GateAct

    /// Asks for one sample of a finger that is being enrolled.
    func enrol(_ prompt: EnrolmentPrompt) async -> EnrollSampleStatus

    /// Asks for the account to sign in with, on a device with a screen; nil when the user declines.
    func choose(_ prompt: AccountPrompt) async -> Int?

    /// Whether the user has lifted the device and laid it on the reader again since the last request.
    func tapsAgain() async -> Bool
}

extension User {
    /// Default: no, one tap serves one request.
    public func tapsAgain() async -> Bool { false }
}

/// A request for a touch.
public struct PresencePrompt: Hashable, Sendable {
    /// The command that asks.
    public let command: CTAPCommand
    /// The relying party, where the command names one.
    public let relyingPartyID: String?
    /// Whether a long touch is asked for, as a reset may.
    public let isLongTouch: Bool
    /// The deadline, on the environment's clock.
    public let deadline: Duration
}

/// The answer to a request for a touch.
public enum PresenceAnswer: String, Hashable, Sendable, CaseIterable {
    /// The user touched the device.
    case confirmed
    /// The user touched the device, but not long enough.
    case tooShort
    /// The user declined.
    case declined
    /// The user did not answer before the deadline.
    case noAnswer
}

/// A request for a sample or for the device credential.
public struct VerificationPrompt: Hashable, Sendable {
    /// The command that asks.
    public let command: CTAPCommand
    /// The relying party, where the command names one.
    public let relyingPartyID: String?
    /// The prompt's stage, such as sensing or asking for the device credential.
    public let stage: GateStage
    /// The prompt's first sensor, if any.
    public let modality: BiometricModality?
    /// The active sensors, the leading one first; empty while the prompt does not sense.
    public let modalities: [BiometricModality]
    /// The number of the question within this prompt, from 1.
    public let attempt: Int
    /// Whether the prompt offers its fallback.
    public let isFallbackOffered: Bool
    /// The deadline, on the environment's clock.
    public let deadline: Duration
}

extension VerificationPrompt {
    /// The act that needs no instruction: a match is confirmed, a failure is accepted, a paused sensor looks again and
    /// the challenge phrase is typed, unless the next instruction is an answer to that question.
    ///
    /// - Parameter next: the next instructed act; nil when there is none.
    public func unasked(before next: GateAct?) -> GateAct? {
        switch stage {
        case .idle, .sensing, .deviceCredential: return nil
        case .confirming, .paused, .stopped, .challengePhrase: break
        }
        return next?.answers(stage) == true ? nil : agreement
    }

    /// The act of a user who agrees to everything: matches, confirms the match, enters the correct passcode and accepts a
    /// failure.
    public var agreement: GateAct {
        switch stage {
        case .idle, .sensing: .match()
        case .confirming: .confirm
        case .paused: .tryAgain
        case .stopped: .giveUp
        case .challengePhrase: .challengePhrase
        case .deviceCredential: .passcode(correct: true)
        }
    }
}

/// A request for a sample of a finger that is being enrolled.
public struct EnrolmentPrompt: Hashable, Sendable {
    /// The number of good samples still needed.
    public let remainingSamples: Int
    /// The deadline, on the environment's clock.
    public let deadline: Duration
}

/// A request to choose an account.
public struct AccountPrompt: Hashable, Sendable {
    /// The relying party.
    public let relyingPartyID: String
    /// The accounts, the newest first.
    public let accounts: [PublicKeyCredentialUserEntity]
    /// The deadline, on the environment's clock.
    public let deadline: Duration

    /// Creates the prompt of a device, or of a client whose device has no display.
    public init(relyingPartyID: String, accounts: [PublicKeyCredentialUserEntity], deadline: Duration) {
        self.relyingPartyID = relyingPartyID
        self.accounts = accounts
        self.deadline = deadline
    }
}

/// A user who agrees to everything at once: touches, matches, enters the correct passcode, takes the first account.
public struct ConsentingUser: User {
    /// A user who agrees to everything.
    public init() {}

    /// Touches the device.
    public func confirm(_ prompt: PresencePrompt) async -> PresenceAnswer { .confirmed }

    /// Agrees; see ``VerificationPrompt/agreement``.
    public func verify(_ prompt: VerificationPrompt) async -> GateAct { prompt.agreement }

    /// Gives a good sample.
    public func enrol(_ prompt: EnrolmentPrompt) async -> EnrollSampleStatus { .good }

    /// Chooses the first account.
    public func choose(_ prompt: AccountPrompt) async -> Int? { 0 }
}
