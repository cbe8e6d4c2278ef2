public import Biometrics
public import CTAP
public import Causes

/// An event in the device around an authenticator: on its screen, network, apps or their secrets.
public struct DeviceEvent: Hashable, Sendable {
    /// The kinds of device event; the raw value is a stable name.
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
        /// A passkey was exported to a document.
        case passkeyExport = "passkey.export"
        /// A passkey was deleted.
        case passkeyDelete = "passkey.delete"
        /// A passkey's account was renamed.
        case passkeyRename = "passkey.rename"
        /// A QR code was scanned.
        case codeScan = "code.scan"
        /// The device took over from another one.
        case takeover = "device.takeover"
        /// The device was replaced by another one.
        case replaced = "device.replaced"
        /// The device erased itself.
        case erased = "device.erased"
        /// The device identified itself with a light or a sound (CTAPHID_WINK).
        case wink = "wink"
        /// The device's storage failed.
        case storage = "storage"
    }

    /// The kind of event.
    public let kind: Kind
    /// One line for the user.
    public let text: String
    /// The cause of a failure; nil on success.
    public let cause: Cause?
    /// A sentence that says more than the cause, if there is one.
    public let explanation: String?

    /// Describes an event.
    public init(_ kind: Kind, _ text: String, cause: Cause? = nil, explanation: String? = nil) {
        (self.kind, self.text, self.cause, self.explanation) = (kind, text, cause, explanation)
    }
}

/// An event inside an authenticator, for logs, traces and the expectations of scenarios.
public struct AuthenticatorEvent: Hashable, Sendable {
    /// The time, on the environment's clock.
    public let at: Duration
    /// The kind of event, with its data.
    public let kind: Kind

    /// An event at a time.
    public init(at: Duration, kind: Kind) {
        self.at = at
        self.kind = kind
    }

    /// The kinds of event.
    public enum Kind: Hashable, Sendable {
        /// A request arrived; its parameters are omitted, because they may hold secrets.
        case request(CTAPCommand)
        /// The request was answered, with the refusal if it was refused.
        case answer(CTAPCommand, CTAPStatus, Refusal?)
        /// A U2F message was answered; the instruction is nil for an unknown one.
        case u2f(U2FInstruction?, U2FStatus)
        /// The user was asked for a touch.
        case presenceAsked(PresencePrompt)
        /// The user answered, or the question timed out.
        case presenceAnswered(PresenceAnswer)
        /// The state of the user-verification gate changed.
        case gate(GateEvent)
        /// A PIN was compared; the retries that are left.
        case pinChecked(matched: Bool, retriesLeft: Int)
        /// A signature counter has this new value.
        case counter(UInt32)
        /// A credential was made for this relying party.
        case credentialCreated(relyingPartyID: String, discoverable: Bool)
        /// A credential of this relying party signed.
        case credentialUsed(relyingPartyID: String, userVerified: Bool)
        /// An enrolment sample was taken or missed.
        case enrolmentSample(EnrollSampleStatus)
        /// A vendor's command of authenticatorConfig ran.
        case vendorPrototype(Int)
        /// An active fault changed an answer.
        case faultApplied(String)
        /// The device was power-cycled.
        case powerCycled
        /// Everything was erased.
        case wasReset
        /// An event in the device around the authenticator.
        case device(DeviceEvent)
    }
}
