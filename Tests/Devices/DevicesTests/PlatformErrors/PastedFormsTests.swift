import Causes
import ErrorSearch
import PlatformErrors
import Testing

/// The forms in which people paste errors, from public reports.
@Suite("What people paste")
struct PastedFormsTests {
    @Test(
        "A number is read after any word and in any notation",
        arguments: [
            ("SecItemDelete status = -25300", "itemMissing Keychain -25300 errSecItemNotFound"),
            ("status = -25300", "itemMissing Keychain -25300 errSecItemNotFound"),
            ("SecItemCopyMatching returned -25300", "itemMissing Keychain -25300 errSecItemNotFound"),
            ("OSStatus error −25300", "itemMissing Keychain -25300 errSecItemNotFound"),
            ("(-25300)", "itemMissing Keychain -25300 errSecItemNotFound"),
            ("Code=-25300", "itemMissing Keychain -25300 errSecItemNotFound"),
            ("Error Domain=NSOSStatusErrorDomain Code=-25300", "itemMissing Keychain -25300 errSecItemNotFound"),
            ("4294941996", "itemMissing Keychain -25300 errSecItemNotFound"),
            ("0xFFFF9D2C", "itemMissing Keychain -25300 errSecItemNotFound"),
            ("0xffffffffffff9d2c", "itemMissing Keychain -25300 errSecItemNotFound"),
            ("18446744073709526316", "itemMissing Keychain -25300 errSecItemNotFound"),
            ("keychain write failed with -25299", "itemExists Keychain -25299 errSecDuplicateItem"),
            ("result: -34018", "entitlementMissing Keychain -34018 errSecMissingEntitlement"),
            ("libfido2 error 60", "lockedOut.timed CTAP 0x3C UV_BLOCKED"),
            ("fido_dev_get_assert: 0x2e", "noCredentials CTAP 0x2E NO_CREDENTIALS"),
            ("CTAP error: 0x31 - PIN_INVALID", "pinMismatch CTAP 0x31 PIN_INVALID"),
            ("(0x7f)", "errorUnspecified CTAP 0x7F OTHER"),
            ("HRESULT 0x80090016", "keysetMissing Windows 0x80090016 NTE_BAD_KEYSET"),
            ("HRESULT: 80090016", "keysetMissing Windows 0x80090016 NTE_BAD_KEYSET"),
            ("-2146893802", "keysetMissing Windows 0x80090016 NTE_BAD_KEYSET"),
            ("0x80098005", "notRecognised WinBio 0x80098005 WINBIO_E_NO_MATCH"),
            ("SW 6985", "touchMissing status word 0x6985 CONDITIONS_NOT_SATISFIED"),
            ("Error Domain=com.apple.LocalAuthentication Code=-8", "lockedOut.permanent LAError -8 biometryLockout"),
            ("ASAuthorizationError 1001", "userCancelled ASAuthorizationError 1001 canceled"),
            (
                "The operation couldn’t be completed. (com.apple.AuthenticationServices.AuthorizationError error 1001.)",
                "userCancelled ASAuthorizationError 1001 canceled"
            ),
            (
                "{\"code\": -111, \"message\": \"BIOMETRIC_LOCKED_OUT\"}",
                "lockedOut.timed cordova-plugin-fingerprint-aio -111 BIOMETRIC_LOCKED_OUT"
            ),
            (
                "[50152] RP ID cannot be validated.",
                "domainNotAssociated Play services passkeys 50152 RP ID cannot be validated"
            ),
            (
                "[50126] Something went wrong",
                "providerError Play services passkeys 50100–50196 a step of the passkey flow failed"
            ),
        ])
    func numbers(text: String, first: String) {
        #expect(Lookup.first(text) == first)
    }

    @Test(
        "A prefix binds a name to its interface",
        arguments: [
            ("FIDO_ERR_PIN_REQUIRED", "pinRequired CTAP 0x36 PUAT_REQUIRED"),
            ("FIDO_ERR_INVALID_CREDENTIAL", "noSuchCredential CTAP 0x22 INVALID_CREDENTIAL"),
            ("FIDO_ERR_ACTION_TIMEOUT", "operationTimedOut CTAP 0x3A ACTION_TIMEOUT"),
            ("FIDO_ERR_NO_CREDENTIALS", "noCredentials CTAP 0x2E NO_CREDENTIALS"),
            ("FIDO_ERR_ERR_OTHER (0x7f)", "errorUnspecified CTAP 0x7F OTHER"),
            ("FIDO_ERR_LARGEBLOB_STORAGE_FULL", "storageFull CTAP 0x18 LARGE_BLOB_STORAGE_FULL"),
            ("FIDO_ERR_UNAUTHORIZED_PERM", "permissionMissing CTAP 0x40 UNAUTHORIZED_PERMISSION"),
            ("CTAP1_ERR_TIMEOUT", "operationTimedOut CTAP 0x05 TIMEOUT"),
            ("CTAP2_ERR_PIN_TOKEN_EXPIRED", "pinUvAuthParamInvalid CTAP 0x38 PIN_TOKEN_EXPIRED"),
            ("kCtap2ErrPinInvalid", "pinMismatch CTAP 0x31 PIN_INVALID"),
            ("FIDO_ERR_TX", "deviceUnreachable libfido2 -1 TX"),
            ("FIDO_ERR_USER_PRESENCE_REQUIRED", "touchMissing libfido2 -8 USER_PRESENCE_REQUIRED"),
            ("FIDO_ERR_INTERNAL", "deviceUnreachable libfido2 -9 INTERNAL"),
            ("LAErrorTouchIDLockout", "lockedOut.permanent LAError -8 biometryLockout"),
            ("LAErrorTouchIDNotEnrolled", "notEnrolled LAError -7 biometryNotEnrolled"),
            ("LAErrorTouchIDNotAvailable", "sensorAbsent LAError -6 biometryNotAvailable"),
            ("kLAErrorTouchIDLockout", "lockedOut.permanent LAError -8 biometryLockout"),
            ("LAError.Code.userCancel", "userCancelled LAError -2 userCancel"),
            ("ASAuthorizationErrorCanceled", "userCancelled ASAuthorizationError 1001 canceled"),
            ("FINGERPRINT_ERROR_LOCKOUT_PERMANENT", "lockedOut.permanent BiometricPrompt 9 ERROR_LOCKOUT_PERMANENT"),
            ("FACE_ERROR_LOCKOUT", "lockedOut.timed BiometricPrompt 7 ERROR_LOCKOUT"),
            ("BiometricPrompt.ERROR_NEGATIVE_BUTTON", "fallbackChosen BiometricPrompt 13 ERROR_NEGATIVE_BUTTON"),
            ("FINGERPRINT_ACQUIRED_PARTIAL", "partial fingerprint acquired 1 PARTIAL"),
            (
                "androidx.credentials.TYPE_SECURITY_ERROR",
                "relyingPartyNotAllowed androidx DOM error TYPE_SECURITY_ERROR"
            ),
            ("androidx.credentials.TYPE_DATA_ERROR", "requestMalformed androidx DOM error TYPE_DATA_ERROR"),
            (
                "androidx.credentials.exceptions.domerrors.InvalidStateError@7337b1",
                "credentialExcluded androidx DOM error TYPE_INVALID_STATE_ERROR"
            ),
            (
                "androidx.credentials.TYPE_CREATE_CREDENTIAL_PROVIDER_CONFIGURATION_EXCEPTION",
                "providerMisconfigured androidx.credentials CreateCredentialProviderConfigurationException"
            ),
            (
                "android.credentials.GetCredentialException.TYPE_NO_CREDENTIAL",
                "noCredentials CredentialManager TYPE_NO_CREDENTIAL"
            ),
            ("NTE_BAD_KEYSET", "keysetMissing Windows 0x80090016 NTE_BAD_KEYSET"),
        ])
    func prefixes(text: String, first: String) {
        #expect(Lookup.first(text) == first)
    }

    @Test func aPrefixedNameIsNeverOneOfAnotherInterface() {
        for name in ["FIDO_ERR_INVALID_CREDENTIAL", "FIDO_ERR_NO_CREDENTIALS", "CTAP2_ERR_NO_CREDENTIALS"] {
            let cells = PlatformErrorSearch.shared.find(name).findings.flatMap(\.cells)
            #expect(Set(cells.map(\.interface)) == ["ctap"], "\(name)")
        }
        #expect(PlatformErrorSearch.shared.find("FIDO_ERR_USER_CANCELED").findings.isEmpty)
        #expect(PlatformErrorSearch.shared.find("errSecUserCanceledTwice").findings.isEmpty)
    }

    @Test(
        "A package's own form leads to its code",
        arguments: [
            ("code: 7, msg: Too many attempts. Try again later.", "lockedOut.timed BiometricPrompt 7 ERROR_LOCKOUT"),
            ("code: 10, msg: Annulla", "userCancelled BiometricPrompt 10 ERROR_USER_CANCELED"),
            ("[Error: code: 13, msg: Cancel]", "fallbackChosen BiometricPrompt 13 ERROR_NEGATIVE_BUTTON"),
            (
                "CryptoFailedException: Wrapped error: User not authenticated",
                "userNotAuthenticated Keystore UserNotAuthenticatedException"
            ),
            ("Wrapped error: User not authenticated", "userNotAuthenticated Keystore UserNotAuthenticatedException"),
            (
                "Wrapped error: Key permanently invalidated",
                "keyInvalidated Keystore KeyPermanentlyInvalidatedException"
            ),
            ("{\"success\":false,\"error\":\"lockout\"}", "lockedOut.timed expo-local-authentication lockout"),
            ("user_cancel", "userCancelled expo-local-authentication user_cancel"),
            ("BIOMETRIC_DISMISSED", "userCancelled cordova-plugin-fingerprint-aio -108 BIOMETRIC_DISMISSED"),
            ("BiometricAuthError 4", "lockedOut.timed capacitor-native-biometric 4 USER_TEMPORARY_LOCKOUT"),
            (
                "E_BIOMETRIC_LOCKOUT_PERMANENT",
                "lockedOut.permanent react-native-keychain E_BIOMETRIC_LOCKOUT_PERMANENT"
            ),
            ("User cancellation", "userCancelled react-native-biometrics User cancellation"),
            ("PendingPasskeyRequestException", "promptInProgress react-native-passkeys ERR_PENDING_PASSKEY_REQUEST"),
            (
                "PlatformException(Unexpected security result code, Code: -25308, Message: User interaction is not allowed.)",
                "uiUnavailable Keychain -25308 errSecInteractionNotAllowed"
            ),
            (
                "WebAuthnError: ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED",
                "credentialExcluded SimpleWebAuthn ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED"
            ),
            (
                "android.security.KeyStoreException: Key user not authenticated (internal Keystore code: -26)",
                "userNotAuthenticated Keystore UserNotAuthenticatedException"
            ),
        ])
    func packages(text: String, first: String) {
        #expect(Lookup.first(text) == first)
    }

    @Test(
        "A sentence leads to its code",
        arguments: [
            (
                "Application with identifier … is not associated with domain …",
                "domainNotAssociated ASAuthorizationError 1004 failed"
            ),
            (
                "Application with identifier ABCDE12345.com.example.app is not associated with domain example.com",
                "domainNotAssociated ASAuthorizationError 1004 failed"
            ),
            ("Unable to verify webcredentials association …", "domainNotAssociated ASAuthorizationError 1004 failed"),
            ("User interaction is not allowed", "uiUnavailable Keychain -25308 errSecInteractionNotAllowed"),
            ("Canceled by another authentication.", "systemCancelled LAError -4 systemCancel"),
            ("Fallback authentication mechanism selected.", "fallbackChosen LAError -3 userFallback"),
            ("User has denied the use of biometry for this app.", "permissionDenied LAError -6 biometryNotAvailable"),
            ("“This request has been cancelled by the user.”", "userCancelled DOMException NotAllowedError"),
            (
                "The request is not allowed by the user agent or the platform in the current context, …",
                "userCancelled DOMException NotAllowedError"
            ),
            (
                "Uncaught (in promise) DOMException: The operation either timed out or was not allowed.",
                "userCancelled DOMException NotAllowedError"
            ),
            (
                "An attempt was made to use an object that is not, or is no longer, usable",
                "credentialExcluded DOMException InvalidStateError"
            ),
            ("The operation is insecure.", "relyingPartyNotAllowed DOMException SecurityError"),
            ("the operation either timed out", "userCancelled DOMException NotAllowedError"),
            (
                "The incoming request cannot be validated",
                "domainNotAssociated androidx.credentials CreatePublicKeyCredentialDomException"
            ),
            (
                "Unable to get sync account",
                "syncAccountUnavailable androidx.credentials CreatePublicKeyCredentialDomException"
            ),
            (
                "Caller has been temporarily blocked due to too many canceled sign-in prompts.",
                "providerPenalty CredentialManager TYPE_UNKNOWN"
            ),
            (
                "Too many attempts. Use screen lock instead.",
                "lockedOut.permanent BiometricPrompt 9 ERROR_LOCKOUT_PERMANENT"
            ),
            (
                "Key enrollment failed: requested feature not supported",
                "noSupportedAlgorithm OpenSSH requested feature not supported"
            ),
            ("Key enrollment failed: device not found", "deviceUnreachable OpenSSH device not found"),
            ("Key enrollment failed: invalid format", "keyErrorUnspecified OpenSSH invalid format"),
            (
                "Key enrollment failed: incorrect passphrase supplied to decrypt private key",
                "pinMismatch OpenSSH incorrect passphrase supplied to decrypt private key"
            ),
            ("Keyset does not exist", "keysetMissing Windows 0x80090016 NTE_BAD_KEYSET"),
        ])
    func sentences(text: String, first: String) {
        #expect(Lookup.first(text) == first)
    }

    @Test(
        "A cause of the control API leads to its row",
        arguments: [
            ("userCancelled", "userCancelled"), ("client.requestPending", "client.requestPending"),
            ("ctap.credentialExcluded", "credentialExcluded"), ("device.deviceLocked", "deviceLocked"),
            ("device.busy", "channelBusy"), ("clientPIN.builtInUV.userCancelled", "userCancelled"),
            ("makeCredential.upFalse", "upFalse"), ("client.noCredential", "noCredentials"),
            (
                """
                {"error": {"name": "NotAllowedError", "cause": "userCancelled", "reason": "ctap.operationDenied",
                 "ctapStatus": 39, "deviceReason": "clientPIN.builtInUV.userCancelled"}, "elapsedSeconds": 0}
                """, "userCancelled"
            ),
        ])
    func causes(text: String, cause: String) {
        #expect(PlatformErrorSearch.shared.find(text).findings.first?.outcome.cause == Cause(cause))
    }
}
