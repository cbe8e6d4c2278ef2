public import Biometrics
public import CTAP
public import Causes

/// Something that happened in the device an authenticator is part of: to its screen, network, apps or their secrets.
public struct DeviceEvent: Hashable, Sendable {
    /// What can happen to a device; the raw value is a stable name.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The screen was locked.
        case screenLock = "screen.lock"
        /// The screen was unlocked.
        case screenUnlock = "screen.unlock"
        /// The device was switched off and on.
        case reboot = "power.reboot"
        /// The network was switched off.
        case networkOff = "network.off"
        /// The network was switched on.
        case networkOn = "network.on"
        /// An app was installed.
        case appInstall = "app.install"
        /// An app was opened.
        case appLaunch = "app.launch"
        /// An app was started in the background.
        case appWake = "app.wake"
        /// An app left the screen.
        case appBackground = "app.background"
        /// An app came back to the screen.
        case appResume = "app.resume"
        /// An app was ended.
        case appKill = "app.kill"
        /// An app was removed.
        case appUninstall = "app.uninstall"
        /// An app was removed and installed again.
        case appReinstall = "app.reinstall"
        /// An app's data was cleared.
        case appClearData = "app.clear-data"
        /// An app asked for user verification.
        case appVerify = "app.verify"
        /// An app stored a secret.
        case secretStore = "secret.store"
        /// An app read a secret.
        case secretRead = "secret.read"
        /// A key in secure storage was destroyed.
        case keyDestroy = "key.destroy"
        /// A passkey reached the sync account.
        case passkeyUpload = "passkey.upload"
        /// A passkey reached the device.
        case passkeyArrive = "passkey.arrive"
        /// A passkey was deleted.
        case passkeyDelete = "passkey.delete"
        /// A passkey's account was renamed.
        case passkeyRename = "passkey.rename"
        /// The device took over from another one.
        case takeover = "device.takeover"
        /// The device was replaced by another one.
        case replaced = "device.replaced"
        /// The device erased itself.
        case erased = "device.erased"
        /// The device's storage failed.
        case storage = "storage"
    }

    /// What happened.
    public let kind: Kind
    /// One line for the user.
    public let text: String
    /// The cause of a failure; nil on success.
    public let cause: Cause?
    /// A sentence that says more than the cause, if there is one.
    public let explanation: String?

    /// Describes an event.
    public init(_ kind: Kind, _ text: String, cause: Cause? = nil, explanation: String? = nil) {
        self.kind = kind
        self.text = text
        self.cause = cause
        self.explanation = explanation
    }
}

/// Something that happened inside an authenticator, for logs, traces and the expectations of scenarios.
public struct AuthenticatorEvent: Hashable, Sendable {
    /// When, on the environment's clock.
    public let at: Duration
    /// What.
    public let kind: Kind

    /// An event at a time.
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
