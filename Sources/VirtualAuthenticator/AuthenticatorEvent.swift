public import Biometrics
public import CTAP

/// Something that happened inside an authenticator, for logs, traces and the expectations of scenarios.
public struct AuthenticatorEvent: Hashable, Sendable {
    /// When, on the environment's clock.
    public let at: Duration
    /// What.
    public let kind: Kind

    public init(at: Duration, kind: Kind) {
        self.at = at
        self.kind = kind
    }

    /// What can happen.
    public enum Kind: Hashable, Sendable {
        /// A request came in; its parameters are not here, since they may hold secrets.
        case request(CTAPCommand)
        /// The request was answered, and why it was refused if it was.
        case answer(CTAPCommand, CTAPStatus, Refusal?)
        /// A U2F message was answered; no instruction where it named none that exists.
        case u2f(U2FInstruction?, U2FStatus)
        /// The person was asked for a touch.
        case presenceAsked(PresencePrompt)
        /// The person answered, or did not.
        case presenceAnswered(PresenceAnswer)
        /// The user-verification gate moved.
        case gate(GateEvent)
        /// A PIN was compared; the retries that are left.
        case pinChecked(matched: Bool, retriesLeft: Int)
        /// A signature counter moved to this value.
        case counter(UInt32)
        /// A credential was made for this relying party.
        case credentialCreated(relyingPartyID: String, discoverable: Bool)
        /// A credential of this relying party signed.
        case credentialUsed(relyingPartyID: String, userVerified: Bool)
        /// A sample of a finger that is being enrolled was taken, or was not.
        case enrolmentSample(EnrollSampleStatus)
        /// An app asked for a secret behind the sensor, and why it did not get it if it did not.
        case secretRead(name: String, cause: String?)
        /// A vendor's command of authenticatorConfig ran.
        case vendorPrototype(Int)
        /// A fault that is on changed an answer.
        case faultApplied(String)
        /// The power went and came back.
        case powerCycled
        /// Everything was erased.
        case wasReset
    }
}
