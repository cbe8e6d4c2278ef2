extension OutcomeFaces {
    /// The faces of a cause; a cause without a row of its own is what WebAuthn makes of every other failure.
    public static func of(_ cause: String) -> OutcomeFaces {
        table.first { $0.cause == cause } ?? row(cause, dom: "NotAllowedError")
    }

    /// Every cause that has a row.
    ///
    /// Codes: Apple's LAError.h and ASAuthorizationError.h, Android's BiometricConstants and CredentialManager
    /// exceptions, and WebAuthn L3 §5.1.3, §5.1.4 for the DOM exceptions.
    public static let table: [OutcomeFaces] = [
        row(
            "userCancelled", dom: "NotAllowedError", la: (-2, "userCancel"), asa: (1001, "canceled"),
            bp: (10, "ERROR_USER_CANCELED"), cm: "TYPE_USER_CANCELED"),
        row(
            "systemCancelled", dom: "NotAllowedError", la: (-4, "systemCancel"), asa: (1001, "canceled"),
            bp: (5, "ERROR_CANCELED"), cm: "TYPE_INTERRUPTED"),
        row(
            "appCancelled", dom: "AbortError", la: (-9, "appCancel"), asa: (1001, "canceled"),
            bp: (5, "ERROR_CANCELED"), cm: "TYPE_INTERRUPTED"),
        row(
            "fallbackChosen", dom: "NotAllowedError", la: (-3, "userFallback"), asa: (1001, "canceled"),
            bp: (13, "ERROR_NEGATIVE_BUTTON"), cm: "TYPE_USER_CANCELED"),
        row(
            "attemptsExhausted", dom: "NotAllowedError", la: (-1, "authenticationFailed"), asa: (1001, "canceled"),
            cm: "TYPE_USER_CANCELED"),
        row(
            "wrongCredential", dom: "NotAllowedError", la: (-1, "authenticationFailed"), asa: (1001, "canceled"),
            cm: "TYPE_USER_CANCELED"),
        row(
            "lockedOut.timed", dom: "NotAllowedError", bp: (7, "ERROR_LOCKOUT"), cm: "TYPE_USER_CANCELED"),
        row(
            "lockedOut.permanent", dom: "NotAllowedError", la: (-8, "biometryLockout"), asa: (1001, "canceled"),
            bp: (9, "ERROR_LOCKOUT_PERMANENT"), cm: "TYPE_USER_CANCELED"),
        row(
            "timedOut", dom: "NotAllowedError", la: (-4, "systemCancel"), asa: (1001, "canceled"),
            bp: (3, "ERROR_TIMEOUT"), cm: "TYPE_INTERRUPTED"),
        row(
            "notEnrolled", dom: "NotAllowedError", la: (-7, "biometryNotEnrolled"), asa: (1004, "failed"),
            bp: (11, "ERROR_NO_BIOMETRICS"), cm: "TYPE_UNKNOWN"),
        row(
            "noDeviceCredential", dom: "NotAllowedError", la: (-5, "passcodeNotSet"), asa: (1004, "failed"),
            bp: (14, "ERROR_NO_DEVICE_CREDENTIAL"), cm: "TYPE_UNKNOWN"),
        row(
            "sensorAbsent", dom: "NotAllowedError", la: (-6, "biometryNotAvailable"),
            bp: (12, "ERROR_HW_NOT_PRESENT"), cm: "TYPE_UNKNOWN"),
        row(
            "sensorBusy", dom: "NotAllowedError", la: (-6, "biometryNotAvailable"),
            bp: (1, "ERROR_HW_UNAVAILABLE"), cm: "TYPE_UNKNOWN"),
        row(
            "sensorFailed", dom: "NotAllowedError", la: (-6, "biometryNotAvailable"),
            bp: (1, "ERROR_HW_UNAVAILABLE"), cm: "TYPE_UNKNOWN"),
        row(
            "disabledByPolicy", dom: "NotAllowedError", la: (-6, "biometryNotAvailable"),
            bp: (1, "ERROR_HW_UNAVAILABLE"), cm: "TYPE_UNKNOWN"),
        row(
            "noCredentials", dom: "NotAllowedError", asa: (1001, "canceled"), cm: "TYPE_NO_CREDENTIAL"),
        row(
            "credentialExcluded", dom: "InvalidStateError", asa: (1006, "matchedExcludedCredential"),
            cm: "CreatePublicKeyCredentialDomException InvalidStateError"),
        row(
            "keyInvalidated", dom: nil,
            storage: PlatformFaces(
                ios: "errSecItemNotFound (-25300)", android: "KeyPermanentlyInvalidatedException")),
    ]

    private static func row(
        _ cause: String, dom: String?, la: (Int, String)? = nil, asa: (Int, String)? = nil,
        bp: (Int, String)? = nil, cm: String? = nil, storage: PlatformFaces? = nil
    ) -> OutcomeFaces {
        OutcomeFaces(
            cause: cause, domException: dom, laError: la.map { PlatformCode($0, $1) },
            asAuthorizationError: asa.map { PlatformCode($0, $1) },
            biometricPrompt: bp.map { PlatformCode($0, $1) }, credentialManager: cm, secureStorage: storage)
    }
}
