internal import Biometrics
package import CTAP
package import VirtualAuthenticator

/// The question of an open prompt.
package enum PromptQuestion: Hashable, Sendable {
    case touch(isLong: Bool)
    /// A sample, the device credential, or an answer in between.
    case verification(VerificationPrompt)
    /// A sample of a template that is being enrolled.
    case sample
    /// The accounts, the newest first.
    case account([PublicKeyCredentialUserEntity])

    /// The accounts to choose from; empty for another question.
    package var accounts: [PublicKeyCredentialUserEntity] { if case .account(let list) = self { list } else { [] } }

    /// The words of the acts that answer it, in the order of ``UserAct/vocabulary``; accounts at the end.
    package var answers: [String] {
        UserAct.vocabulary.filter { admits($0.act) }.map(\.word)
            + accounts.indices.map { UserAct.choose($0).word }
    }

    /// Whether the prompt would ignore an act and ask again.
    package func ignores(_ act: UserAct) -> Bool {
        switch (self, act) {
        case (.verification(let prompt), .gate(let gate)):
            !admits(act) || (gate.modality.map { !prompt.modalities.contains($0) } ?? false)
        // A touch verifies the user at a fingerprint sensor only.
        case (.verification, .touch), (.verification, .touchBriefly): !admits(act)
        // A choice of another place waits for a prompt with more accounts.
        case (.account, .choose): false
        case (.account, _): !admits(act)
        default: false
        }
    }

    /// Whether an act answers it: an act that suits another question has no effect, or a side effect only.
    package func admits(_ act: UserAct) -> Bool {
        switch (self, act) {
        case (.account(let accounts), .choose(let index)): accounts.indices.contains(index)
        case (.touch, .touch): true
        case (.touch(let isLong), .touchBriefly): isLong
        case (.touch, .gate(let act)), (.account, .gate(let act)): act.endsAnyPrompt
        case (.verification(let prompt), .gate(.fallback)): prompt.isFallbackOffered
        case (.verification(let prompt), .gate(let act)): act.answers(prompt.stage)
        case (.verification(let prompt), .touch): prompt.stage == .sensing && prompt.modalities.contains(.fingerprint)
        case (.sample, .sample), (.sample, .touch): true
        case (.sample, .gate(let act)): act.sample != nil || act.endsAnyPrompt
        default: false
        }
    }
}

extension GateAct {
    /// Whether the act ends a prompt of any kind.
    fileprivate var endsAnyPrompt: Bool {
        switch self {
        case .cancelByUser, .cancelBySystem, .leaveScreen, .cancelByApp, .noAnswer: true
        default: false
        }
    }
}
