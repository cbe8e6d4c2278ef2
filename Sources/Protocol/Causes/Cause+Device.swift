/// The reasons why secure storage does not hand out a secret.
extension Cause {
    /// The enrolled templates changed, and the key bound to them was destroyed.
    public static let keyInvalidated = Cause("keyInvalidated")
    /// The app has stored no item under this name.
    public static let itemMissing = Cause("itemMissing")
    /// The last verification is too old for the key.
    public static let userNotAuthenticated = Cause("userNotAuthenticated")
    /// The app's own password for the item is wrong.
    public static let applicationPasswordWrong = Cause("applicationPasswordWrong")
    /// A key cannot be read, and a secret cannot sign.
    public static let keyNotExportable = Cause("keyNotExportable")
    /// The device's storage reported an error.
    public static let storageFailed = Cause("storageFailed")
}

/// The states of a device, its screen and its apps that prevent an operation.
extension Cause {
    /// The screen is locked.
    public static let deviceLocked = Cause("deviceLocked")
    /// The device has not been unlocked since it started.
    public static let beforeFirstUnlock = Cause("beforeFirstUnlock")
    /// The app is not running.
    public static let appNotRunning = Cause("appNotRunning")
    /// Another app is in the foreground.
    public static let appInBackground = Cause("appInBackground")
    /// The app is not installed.
    public static let notInstalled = Cause("notInstalled")
    /// No prompt can be shown, or the app has forbidden it.
    public static let uiUnavailable = Cause("uiUnavailable")
    /// The app has invalidated the context it uses.
    public static let contextInvalid = Cause("contextInvalid")
    /// The app demands a companion, such as a watch, and none is nearby.
    public static let companionUnavailable = Cause("companionUnavailable")
    /// The app demands an Identity Check, which is off.
    public static let identityCheckInactive = Cause("identityCheckInactive")
    /// The change must wait for Stolen Device Protection's delay.
    public static let securityDelay = Cause("securityDelay")
    /// The device has no network.
    public static let offline = Cause("offline")
    /// The device was replaced by another one and erased.
    public static let deviceReplaced = Cause("deviceReplaced")
    /// The device is a security key, which has no screen, network or apps.
    public static let noScreen = Cause("noScreen")
    /// The platform does not have this operation.
    public static let notOnThisPlatform = Cause("notOnThisPlatform")
    /// The devices cannot be combined.
    public static let devicesUnsuitable = Cause("devicesUnsuitable")
    /// The passkey is device-bound and cannot leave its device.
    public static let deviceBound = Cause("deviceBound")
    /// A document of passkeys is damaged, or not one.
    public static let documentDamaged = Cause("documentDamaged")
    /// The account has no such passkey.
    public static let noSuchPasskey = Cause("noSuchPasskey")
}

/// The states of a system or of its passkey provider, which apps meet.
extension Cause {
    /// The system cannot tell whether the user can be verified (androidx: BIOMETRIC_STATUS_UNKNOWN).
    public static let statusUnknown = Cause("statusUnknown")
    /// The app requests means of verification that this version of the system does not support.
    public static let authenticatorsUnsupported = Cause("authenticatorsUnsupported")
    /// The device has no account at its passkey provider.
    public static let googleSignInMissing = Cause("googleSignInMissing")
    /// The account that keeps passkeys cannot be reached.
    public static let syncAccountUnavailable = Cause("syncAccountUnavailable")
}
