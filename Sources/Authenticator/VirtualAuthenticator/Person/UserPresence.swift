internal import CTAP

extension VirtualAuthenticator {
    /// Asks for a touch and refuses when it does not come: 0x27 when declined, `whenNobodyAnswers` when nobody is there.
    ///
    /// Where a tap is what counts, one that is missing is 0x3B: waiting would not bring it.
    ///
    /// Reset and Selection tell a platform that nobody answered (CTAP 2.3 §6.6, §6.9); MakeCredential and GetAssertion
    /// say 0x27 for that as well (§6.1.2 steps 1 and 14, §6.2.2 steps 1 and 9).
    func requireUserPresence(
        _ context: CommandContext, relyingPartyID: String?, whenNobodyAnswers: CTAPStatus = .userActionTimeout,
        isLongTouch: Bool = false
    ) async throws(Refusal) {
        let countsTaps = countsTaps
        switch try await askForPresence(context, relyingPartyID: relyingPartyID, isLongTouch: isLongTouch) {
        case .confirmed: return
        case .tooShort: throw Refusal(.operationDenied, context.reason("touchTooShort"))
        case .declined: throw Refusal(.operationDenied, context.reason("userDeclined"))
        case .noAnswer where countsTaps: throw Refusal(.upRequired, context.reason("tapMissing"))
        case .noAnswer: throw Refusal(whenNobodyAnswers, context.reason("userActionTimeout"))
        }
    }

    func askForPresence(
        _ context: CommandContext, relyingPartyID: String?, isLongTouch: Bool = false
    ) async throws(Refusal) -> PresenceAnswer {
        if countsTaps {
            let answer = takeTap(isLongTouch: isLongTouch)
            record(.presenceAnswered(answer))
            return answer
        }
        let prompt = PresencePrompt(
            command: context.command, relyingPartyID: relyingPartyID, isLongTouch: isLongTouch,
            deadline: now + configuration.userActionTimeout)
        record(.presenceAsked(prompt))
        let answer = try await waitForPerson { await environment.person.confirm(prompt) }
        record(.presenceAnswered(answer))
        return answer
    }

    /// Whether the running request came over a reader on which laying the device down is the gesture.
    var countsTaps: Bool {
        guard let transport = requestTransport, ["nfc", "smart-card"].contains(transport) else { return false }
        return configuration.contactlessPresence == .tap
    }

    /// Spends the tap, if it has not been spent and is not too old (CTAP 2.3 §5, "evidence of user interaction").
    ///
    /// The power coming on is the tap, whoever brought it on: a card cannot tell a hand from a reader's switch.
    func takeTap(isLongTouch: Bool = false) -> PresenceAnswer {
        guard !state.session.isTapSpent, now - state.poweredUpAt <= configuration.contactlessPresenceLimit else {
            return .noAnswer
        }
        guard !isLongTouch else { return .tooShort }
        state.session.isTapSpent = true
        return .confirmed
    }
}

/// A command and where the specification describes it, for the reasons of its refusals.
struct CommandContext: Sendable {
    let command: CTAPCommand
    let prefix: String
    let clause: String

    static let makeCredential = CommandContext(
        command: .makeCredential, prefix: "makeCredential", clause: "CTAP 2.3 §6.1.2")
    static let getAssertion = CommandContext(command: .getAssertion, prefix: "getAssertion", clause: "CTAP 2.3 §6.2.2")
    static let getNextAssertion = CommandContext(
        command: .getNextAssertion, prefix: "getNextAssertion", clause: "CTAP 2.3 §6.3")
    static let clientPIN = CommandContext(command: .clientPIN, prefix: "clientPIN", clause: "CTAP 2.3 §6.5.5")
    static let credentialManagement = CommandContext(
        command: .credentialManagement, prefix: "credentialManagement", clause: "CTAP 2.3 §6.8")
    static let reset = CommandContext(command: .reset, prefix: "reset", clause: "CTAP 2.3 §6.6")
    static let bioEnrollment = CommandContext(
        command: .bioEnrollment, prefix: "bioEnrollment", clause: "CTAP 2.3 §6.7")
    static let largeBlobs = CommandContext(command: .largeBlobs, prefix: "largeBlobs", clause: "CTAP 2.3 §6.10.2")
    static let config = CommandContext(command: .config, prefix: "config", clause: "CTAP 2.3 §6.11")
    static let selection = CommandContext(command: .selection, prefix: "selection", clause: "CTAP 2.3 §6.9")

    /// An app on the device that asks for its person itself.
    static let app = CommandContext(command: CTAPCommand(rawValue: 0), prefix: "app", clause: "LocalAuthentication")

    /// The reason `prefix.cause`, with a step of the clause where one can be named.
    func reason(_ cause: String, step: Int? = nil) -> RefusalReason {
        RefusalReason("\(prefix).\(cause)", clause + (step.map { " step \($0)" } ?? ""))
    }
}
