internal import CTAP
internal import Causes
internal import WebAuthn

extension VirtualAuthenticator {
    /// Asks for a touch and refuses without one: 0x27 when the user declines, `onTimeout` when the user does not answer.
    ///
    /// If a tap is the evidence, a missing one is 0x3B: waiting does not help.
    ///
    /// Reset and Selection report a timeout (CTAP 2.3 §6.6, §6.9); MakeCredential and GetAssertion report 0x27 instead
    /// (§6.1.2 steps 1 and 14, §6.2.2 steps 1 and 9).
    func requireUserPresence(
        _ context: CommandContext, relyingPartyID: String?, onTimeout: CTAPStatus = .userActionTimeout,
        isLongTouch: Bool = false
    ) async throws(Refusal) {
        switch try await askForPresence(context, relyingPartyID: relyingPartyID, isLongTouch: isLongTouch) {
        case .confirmed: return
        case .tooShort: throw context.refusal(.operationDenied, .touchTooShort)
        case .declined: throw context.refusal(.operationDenied, .userCancelled, as: "userDeclined")
        case .noAnswer where countsTaps(context.request): throw context.refusal(.upRequired, .tapMissing)
        case .noAnswer: throw context.refusal(onTimeout, .timedOut, as: "userActionTimeout")
        }
    }

    func askForPresence(
        _ context: CommandContext, relyingPartyID: String?, isLongTouch: Bool = false
    ) async throws(Refusal) -> PresenceAnswer {
        if countsTaps(context.request) {
            let answer = await takeTap(isLongTouch: isLongTouch)
            record(.presenceAnswered(answer))
            return answer
        }
        let prompt = PresencePrompt(
            command: context.command, relyingPartyID: relyingPartyID, isLongTouch: isLongTouch,
            deadline: now + configuration.userActionTimeout)
        record(.presenceAsked(prompt))
        let answer = try await waitForUser(context.request) { await environment.user.confirm(prompt) }
        record(.presenceAnswered(answer))
        return answer
    }

    /// Whether a request came over a reader on which laying the device down is the gesture.
    func countsTaps(_ request: RequestContext) -> Bool {
        guard let transport = request.transport, [.nfc, .smartCard].contains(transport) else { return false }
        return configuration.contactlessPresence == .tap
    }

    /// Uses the tap up, unless it is used up or too old (CTAP 2.3 §5, "evidence of user interaction").
    ///
    /// Power-up counts as the tap: a card cannot distinguish a user's tap from a switched-on reader.
    func takeTap(isLongTouch: Bool = false) async -> PresenceAnswer {
        await tapAgain(after: configuration.contactlessPresenceLimit)
        guard !state.session.isTapSpent, now - state.poweredUpAt <= configuration.contactlessPresenceLimit else {
            return .noAnswer
        }
        guard !isLongTouch else { return .tooShort }
        state.session.isTapSpent = true
        return .confirmed
    }

    /// Lets a user who taps again do so when the tap is used up or older than a limit.
    ///
    /// The user lifts the device between two requests, too briefly for the reader to notice: selection and tokens, which
    /// the client still uses, survive.
    func tapAgain(after limit: Duration) async {
        guard state.session.isTapSpent || now - state.poweredUpAt > limit, await environment.user.tapsAgain() else {
            return
        }
        state.poweredUpAt = now
        state.session.isTapSpent = false
    }
}
