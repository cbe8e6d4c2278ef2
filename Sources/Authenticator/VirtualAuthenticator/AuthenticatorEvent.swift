public import Biometrics
public import CTAP

/// Something that happened in the device an authenticator is part of: to its screen, network, apps or their secrets.
public struct DeviceEvent: Hashable, Sendable {
    /// A name that stays the same between versions, such as `app.kill` or `secret.read`.
    public let name: String
    /// One line for a person.
    public let text: String
    /// Why it came to nothing, in the words of the gate's labels; nil when it did not.
    public let cause: String?

    public init(_ name: String, _ text: String, cause: String? = nil) {
        self.name = name
        self.text = text
        self.cause = cause
    }
}

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
        /// A vendor's command of authenticatorConfig ran.
        case vendorPrototype(Int)
        /// A fault that is on changed an answer.
        case faultApplied(String)
        /// The power went and came back.
        case powerCycled
        /// Everything was erased.
        case wasReset
        /// Something happened in the device around the authenticator.
        case device(DeviceEvent)
    }
}
