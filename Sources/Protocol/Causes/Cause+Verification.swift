/// The outcomes of user verification at a sensor or with the device credential.
extension Cause {
    /// A sample matched.
    public static let verifiedByBiometric = Cause("verified.biometric")
    /// The device credential was correct.
    public static let verifiedByDeviceCredential = Cause("verified.deviceCredential")
    /// A sample did not match, and the prompt stays.
    public static let notRecognised = Cause("notRecognised")
    /// The user cancelled the prompt.
    public static let userCancelled = Cause("userCancelled")
    /// The system took the screen, or the power was lost.
    public static let systemCancelled = Cause("systemCancelled")
    /// The prompt's app left the screen.
    public static let appLeftScreen = Cause("appLeftScreen")
    /// The app, the page or the platform withdrew its request.
    public static let appCancelled = Cause("appCancelled")
    /// The user chose the fallback that the prompt offered.
    public static let fallbackChosen = Cause("fallbackChosen")
    /// A sample matched, but the user did not confirm.
    public static let confirmationDeclined = Cause("confirmationDeclined")
    /// The power button was pressed during a prompt of the fingerprint sensor inside it.
    public static let powerPressed = Cause("powerPressed")
    /// The prompt reached its limit of failed attempts; the sensor stays unlocked.
    public static let attemptsExhausted = Cause("attemptsExhausted")
    /// The prompt reached its limit of wrong device credentials.
    public static let wrongCredential = Cause("wrongCredential")
    /// The user did not answer in time.
    public static let timedOut = Cause("timedOut")
    /// Failed attempts have locked the sensor for a period.
    public static let lockedOutTimed = Cause("lockedOut.timed")
    /// Failed attempts have locked the sensor until the device credential or a security key's PIN is entered.
    public static let lockedOutPermanently = Cause("lockedOut.permanent")
    /// Wrong entries have locked the device credential for a period.
    public static let credentialLockedOutTimed = Cause("credentialLockedOut.timed")
    /// Wrong entries have locked the device credential permanently.
    public static let credentialLockedOutPermanently = Cause("credentialLockedOut.permanent")
    /// Wrong entries have disabled the device credential until the device is restarted.
    public static let credentialNeedsRestart = Cause("credentialNeedsRestart")
    /// The device credential must be entered before biometrics are accepted again.
    public static let strongAuthenticationDue = Cause("strongAuthDue")
    /// No template is enrolled.
    public static let notEnrolled = Cause("notEnrolled")
    /// No passcode, PIN, pattern or password is set.
    public static let noDeviceCredential = Cause("noDeviceCredential")
    /// Another prompt is open.
    public static let promptInProgress = Cause("promptInProgress")
}

/// The state of a sensor that prevents verification.
extension Cause {
    /// The device has no sensor.
    public static let sensorAbsent = Cause("sensorAbsent")
    /// Another process uses the sensor.
    public static let sensorBusy = Cause("sensorBusy")
    /// The sensor is broken or answered with an error.
    public static let sensorFailed = Cause("sensorFailed")
    /// The accessory with the sensor is unplugged, or the lid is closed.
    public static let sensorDisconnected = Cause("sensorDisconnected")
    /// The accessory with the sensor is not paired with this computer.
    public static let sensorNotPaired = Cause("sensorNotPaired")
    /// The camera or the microphone is switched off for every app.
    public static let sensorPrivacy = Cause("sensorPrivacy")
    /// The sensor cannot take a sample now.
    public static let sensorUnavailable = Cause("sensorUnavailable")
    /// An administrator or a setting forbids the sensor.
    public static let disabledByPolicy = Cause("disabledByPolicy")
    /// The user has denied this app the sensor.
    public static let permissionDenied = Cause("permissionDenied")
    /// The sensor has a vulnerability and is blocked until the system is updated.
    public static let securityUpdateRequired = Cause("securityUpdateRequired")
    /// The sensor is weaker than the class the app asked for.
    public static let strengthInsufficient = Cause("strengthInsufficient")
    /// The sensor could not process the sample.
    public static let unableToProcess = Cause("unableToProcess")
    /// No space is left for the data.
    public static let noSpace = Cause("noSpace")
    /// The sensor reported an error of its vendor.
    public static let vendorError = Cause("vendorError")
    /// The enrolled templates are no longer usable and must be made again.
    public static let reEnrolRequired = Cause("reEnrolRequired")
    /// The sensor or the system reported an unknown error.
    public static let unknownError = Cause("unknownError")
}

/// Changes to the enrolled templates that are not possible.
extension Cause {
    /// No space is left for another template.
    public static let storeFull = Cause("storeFull")
    /// No template has this identifier or name.
    public static let templateUnknown = Cause("templateUnknown")
    /// A template with this identifier or name already exists.
    public static let templateExists = Cause("templateExists")
}
