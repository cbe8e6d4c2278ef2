import Causes
import Documents
import PlatformErrors
import TestSupport
import Testing
import YAMLFiles

@testable import ErrorSearch

/// The cause that comes first for what people paste, and lines that report no error.
@Suite("The first cause of a pasted error")
struct FirstCauseTests {
    @Test(
        "The likeliest cause comes first",
        arguments: [
            ("set_pin: FIDO_ERR_PIN_POLICY_VIOLATION", "pinPolicyViolation"),
            ("errSecItemNotFound", "itemMissing"),
            ("PlatformException(NotAvailable, Security credentials not available., null, null)", "sensorAbsent"),
            ("Security credentials not available", "sensorAbsent"),
            (
                "PlatformException(NotAvailable, Required security features not enabled, null, null)",
                "noDeviceCredential"
            ),
            ("PlatformException(NotEnrolled, No Biometrics enrolled on this device., null, null)", "notEnrolled"),
            (
                "PlatformException(LockedOut, The operation was canceled because the API is locked out due to "
                    + "too many attempts. This occurs after 5 failed attempts, and lasts for 30 seconds., null, "
                    + "null)",
                "lockedOut.timed"
            ),
            (
                "PlatformException(PermanentlyLockedOut, The operation was canceled because ERROR_LOCKOUT "
                    + "occurred too many times. Biometric authentication is disabled until the user unlocks with "
                    + "strong authentication (PIN/Pattern/Password), null, null)",
                "lockedOut.permanent"
            ),
            (
                "PlatformException(no_fragment_activity, local_auth plugin requires activity to be a "
                    + "FragmentActivity., null, null)",
                "appMisconfigured"
            ),
            ("PlatformException(auth_in_progress, Authentication in progress, null, null)", "promptInProgress"),
            (
                "sign_and_send_pubkey: signing failed for ED25519-SK \"/home/u/.ssh/id_ed25519_sk\" from "
                    + "agent: agent refused operation",
                "pinRequired"
            ),
            (
                "sign_and_send_pubkey: signing failed for ED25519-SK \"/home/u/.ssh/id_ed25519_sk\": invalid "
                    + "format",
                "keyErrorUnspecified"
            ),
            ("ssh-sk-helper: Signing failed: incorrect passphrase supplied to decrypt private key", "pinMismatch"),
            (
                "sign_and_send_pubkey: signing failed for ED25519-SK \"/home/u/.ssh/id_ed25519_sk\": device "
                    + "not found",
                "deviceUnreachable"
            ),
            ("debug1: sshsk_sign: sk_sign failed with code -1", "keyErrorUnspecified"),
            ("debug1: sshsk_enroll: provider \"internal\" failure -2", "noSupportedAlgorithm"),
            ("No FIDO authenticator found.", "deviceUnreachable"),
            ("git@github.com: Permission denied (publickey).", "keysRefused"),
            ("Permission denied (publickey,gssapi-keyex,gssapi-with-mic).", "keysRefused"),
            (
                "The operation couldn’t be completed. (com.apple.AuthenticationServices.AuthorizationError "
                    + "error 1000.)",
                "noReasonGiven"
            ),
            ("AuthorizationError 1000", "noReasonGiven"),
            (
                "ASAuthorizationController credential request failed with error: Error "
                    + "Domain=com.apple.AuthenticationServices.AuthorizationError Code=1004 \"Application with "
                    + "identifier ABCDE.com.example is not associated with domain example.com\"",
                "domainNotAssociated"
            ),
            (
                "Device not configured for passkey requests: Error Domain=com.apple.LocalAuthentication "
                    + "Code=-7 \"(null)\"",
                "notEnrolled"
            ),
            (
                "androidx.credentials.exceptions.NoCredentialException: During begin sign in, failure response "
                    + "from one tap: 16: [28433] Cannot find a matching credential.",
                "noCredentials"
            ),
            (
                "During begin sign in, failure response from one tap: 16: Caller has been temporarily blocked "
                    + "due to too many canceled sign-in prompts.",
                "providerPenalty"
            ),
            ("CreateCredentialUnknownException: The incoming request cannot be validated", "domainNotAssociated"),
            ("An unknown error occurred while talking to the credential manager.", "providerError"),
            ("[Error: androidx.credentials.exceptions.domerrors.SecurityError@d37e6d3]", "relyingPartyNotAllowed"),
            (
                "NotAllowedError: The operation either timed out or was not allowed. See: "
                    + "https://www.w3.org/TR/webauthn-2/#sctn-privacy-considerations-client.",
                "userCancelled"
            ),
            ("Uncaught (in promise) DOMException: A request is already pending.", "client.requestPending"),
            ("OperationError: A request is already pending.", "client.requestPending"),
            (
                "SecurityError: The relying party ID is not a registrable domain suffix of, nor equal to the "
                    + "current domain.",
                "relyingPartyNotAllowed"
            ),
            ("SecurityError: The RP ID \"localhost\" is invalid for this domain", "relyingPartyNotAllowed"),
            ("DOMException: \"The operation is insecure.\"", "relyingPartyNotAllowed"),
            (
                "DOMException: The request is not allowed by the user agent or the platform in the current "
                    + "context, possibly because the user denied permission.",
                "userCancelled"
            ),
            ("AbortError: signal is aborted without reason", "appCancelled"),
            ("NotAllowedError: The document is not focused.", "pageNotFocused"),
            (
                "NotAllowedError: User gesture is not detected. To use the WebAuthn API, call "
                    + "'navigator.credentials.get()' within user activated events.",
                "client.gestureMissing"
            ),
            (
                "InvalidStateError: The user attempted to register an authenticator that contains one of the "
                    + "credentials already registered with the relying party.",
                "credentialExcluded"
            ),
            (
                "NotAllowedError: WebAuthn is not supported on sites with TLS certificate errors.",
                "certificateUntrusted"
            ),
            (
                "NotAllowedError: The 'publickey-credentials-create' feature is not enabled in this document. "
                    + "Permissions Policy may be used to delegate Web Authentication capabilities to cross-origin "
                    + "child frames.",
                "permissionsPolicyMissing"
            ),
            ("TypeError: Cannot read properties of undefined (reading 'create')", "credentialsMissing"),
            ("undefined is not an object (evaluating 'navigator.credentials.create')", "credentialsMissing"),
            ("WebAuthn is not supported in this browser", "credentialsMissing"),
            ("Error: Unexpected registration response challenge \"abc\", expected \"def\"", "challengeUnexpected"),
            (
                "Unexpected registration response origin \"http://localhost:3000\", expected "
                    + "\"http://localhost:3001\"",
                "originUnexpected"
            ),
            ("Unexpected RP ID hash", "relyingPartyIDUnexpected"),
            ("User verification required, but user could not be verified", "userVerificationAbsent"),
            ("Response counter value 0 was lower than expected 5", "counterNotIncreased"),
            ("Error Domain=com.apple.LocalAuthentication Code=-8 \"Biometry is locked out.\"", "lockedOut.permanent"),
            ("Error Domain=com.apple.LocalAuthentication Code=-2 \"Authentication canceled.\"", "userCancelled"),
            ("Error Domain=com.apple.LocalAuthentication Code=-7 \"No identities are enrolled.\"", "notEnrolled"),
            ("Error Domain=com.apple.LocalAuthentication Code=-5 \"Passcode not set.\"", "noDeviceCredential"),
            (
                "Error Domain=com.apple.LocalAuthentication Code=-1004 \"Caller is not running foreground.\"",
                "appInBackground"
            ),
            (
                "SecItemAdd failed: -34018 Client has neither com.apple.application-identifier nor "
                    + "application-identifier nor keychain-access-groups entitlements",
                "entitlementMissing"
            ),
            ("errSecDuplicateItem", "itemExists"),
            ("User interaction is not allowed.", "uiUnavailable"),
            ("The user name or passphrase you entered is not correct.", "lockedOut.permanent"),
            ("code: 7, msg: Too many attempts. Try again later.", "lockedOut.timed"),
            ("code: 13, msg: Cancel", "fallbackChosen"),
            ("BIOMETRIC_ERROR_NONE_ENROLLED", "notEnrolled"),
            (
                "android.security.keystore.KeyPermanentlyInvalidatedException: Key permanently invalidated",
                "keyInvalidated"
            ),
            ("android.security.keystore.UserNotAuthenticatedException: User not authenticated", "userNotAuthenticated"),
            (
                "javax.crypto.IllegalBlockSizeException Caused by: android.security.KeyStoreException: Key "
                    + "user not authenticated (internal Keystore code: -26 message: In KeystoreOperation::update)",
                "userNotAuthenticated"
            ),
            ("com.google.android.gms.common.api.ApiException: 10:", "appMisconfigured"),
            (
                "Passkeys are not supported: NotSupportedError requirement cannot be fulfilled by this device "
                    + "unless the device is secured with a screen lock",
                "noDeviceCredential"
            ),
            ("{\"error\": \"UserCancelled\", \"message\": \"The user cancelled the request.\"}", "userCancelled"),
            (
                "{\"error\":\"RequestFailed\",\"message\":\"The request failed. No Credentials were "
                    + "returned.\"}",
                "domainNotAssociated"
            ),
            ("PasskeyAuthCancelledException", "userCancelled"),
            ("fido2-assert: fido_dev_get_assert: FIDO_ERR_NO_CREDENTIALS", "noCredentials"),
            ("fido2-token: fido_dev_set_pin: FIDO_ERR_PIN_INVALID", "pinMismatch"),
            ("fido_dev_get_assert: FIDO_ERR_PIN_AUTH_BLOCKED", "pinBlockedUntilPowerCycle"),
            ("fido2-cred: fido_dev_make_cred: FIDO_ERR_PIN_NOT_SET", "pinNotSet"),
            ("fido2-token: fido_credman_get_dev_metadata: FIDO_ERR_PIN_REQUIRED", "pinRequired"),
            ("FIDO_ERR_UP_REQUIRED", "touchMissing"),
            ("fido_dev_make_cred: FIDO_ERR_ACTION_TIMEOUT", "operationTimedOut"),
            ("fido_dev_make_cred: FIDO_ERR_UNSUPPORTED_ALGORITHM", "noSupportedAlgorithm"),
            ("fido_dev_make_cred: FIDO_ERR_UNSUPPORTED_OPTION", "optionUnsupported"),
            ("LocalAuthException(code noCredentialsSet, null, null)", "noDeviceCredential"),
            ("LocalAuthException(code temporaryLockout, null, null)", "lockedOut.timed"),
            ("D BiometricService/AuthSession: onErrorReceived sensor: 0 error: 7", "lockedOut.timed"),
            ("Error: [16] Cancelled by user.", "userCancelled"),
            ("android.security.KeyStoreException: Key blob corrupted", "dataUnreadable"),
            ("fido_dev_make_cred: FIDO_ERR_KEY_STORE_FULL", "keyStoreFull"),
            ("fido2-token: fido_dev_open: FIDO_ERR_TX", "deviceUnreachable"),
            ("fido2-token: fido_dev_reset: FIDO_ERR_NOT_ALLOWED", "tooLateAfterPowerUp"),
            ("webauthn.dll 0x800704C7", "userCancelled"),
            ("The operation was canceled by the user. (0x800704c7)", "userCancelled"),
            ("WebAuthNAuthenticatorGetAssertion failed: 0x80090036", "userCancelled"),
            ("NTE_NOT_FOUND 0x80090011", "noCredentials"),
            ("ERROR: PIN verification failed. Error: PIN is invalid", "pinMismatch"),
            ("Passkey creation cancelled: [UserCancelled] The user cancelled the request", "userCancelled"),
            ("BiometricPrompt error 1: Fingerprint hardware not available.", "sensorBusy"),
            ("onAuthenticationError 5 Fingerprint operation canceled.", "systemCancelled"),
            ("BiometricPrompt errorCode=3", "timedOut"),
            ("code: 12, msg: This device does not have a fingerprint sensor", "sensorAbsent"),
            ("BIOMETRIC_ERROR_SECURITY_UPDATE_REQUIRED", "securityUpdateRequired"),
            ("Please sign in with a Google account first to create a new passkey.", "googleSignInMissing"),
            ("CreatePublicKeyCredentialDomException: Unable to get sync account.", "syncAccountUnavailable"),
            (
                "getCredentialAsync no provider dependencies found - please ensure the desired provider "
                    + "dependencies are added",
                "providerMisconfigured"
            ),
            ("Your device doesn't support credential manager", "passkeysUnsupported"),
            ("android.credentials.CreateCredentialException: No create options available.", "noCreateOption"),
            ("Error Domain=NSOSStatusErrorDomain Code=-25293", "lockedOut.permanent"),
            ("Error Domain=NSOSStatusErrorDomain Code=-50 \"query missing class name\"", "queryInvalid"),
            (
                "SecKeyCreateRandomKey failed: Error Domain=NSOSStatusErrorDomain Code=-25308 \"Unable to "
                    + "obtain authenticated context\"",
                "uiUnavailable"
            ),
            (
                "Error Domain=com.apple.LocalAuthentication Code=-4 \"Canceled by another authentication.\"",
                "systemCancelled"
            ),
            (
                "Error Domain=com.apple.LocalAuthentication Code=-9 \"Authentication was cancelled by "
                    + "application.\"",
                "appCancelled"
            ),
            (
                "Error Domain=com.apple.LocalAuthentication Code=-10 \"The context was previously "
                    + "invalidated.\"",
                "contextInvalid"
            ),
            (
                "LocalAuthentication.LAError Code=-6 \"User has denied the use of biometry for this app.\"",
                "permissionDenied"
            ),
            ("FaceID is not available: NSFaceIDUsageDescription missing", "appMisconfigured"),
            (
                "This app has crashed because it attempted to access privacy-sensitive data without a usage "
                    + "description. The app's Info.plist must contain an NSFaceIDUsageDescription key",
                "appMisconfigured"
            ),
            (
                "Error: The operation couldn’t be completed. "
                    + "(com.apple.AuthenticationServices.AuthorizationError error 1004.)",
                "domainNotAssociated"
            ),
            ("Error Domain=WKErrorDomain Code=8", "credentialExcluded"),
            ("Provider \"internal\" returned failure -5", "credentialExcluded"),
            ("sk_enroll: SSH_SK_ERR_PIN_REQUIRED", "pinMismatch"),
            ("ValueError: Invalid signature.", "signatureInvalid"),
            (
                "Traceback (most recent call last):\n  File \"rp.py\", line 7, in <module>\n"
                    + "ValueError: Unknown credential ID.", "credentialUnknownToServer"
            ),
            (
                "ASAuthorizationController credential request failed with error: Error "
                    + "Domain=com.apple.AuthenticationServices.AuthorizationError Code=1001 \"(null)\"",
                "userCancelled"
            ),
            ("Request already in progress for specified application identifier.", "promptInProgress"),
            (
                "The calling process does not have an application identifier. Make sure it is properly "
                    + "configured.",
                "domainNotAssociated"
            ),
            ("The operation couldn’t be completed. No credentials available for login.", "noCredentials"),
            (
                "androidx.credentials.exceptions.GetCredentialCancellationException: [16] Account reauth "
                    + "failed.",
                "appMisconfigured"
            ),
            ("com.google.android.gms.common.api.ApiException: 16: Cannot find a matching credential.", "noCredentials"),
            ("com.google.android.gms.common.api.ApiException: 50152", "domainNotAssociated"),
            (
                "Error Domain=com.apple.AuthenticationServices.WebAuthenticationSession Code=1 \"(null)\"",
                "userCancelled"
            ),
            (
                "The operation couldn’t be completed. (com.apple.AuthenticationServices.WebAuthenticationSession "
                    + "error 3.)", "appMisconfigured"
            ),
            (
                "androidx.credentials.exceptions.publickeycredential.CreatePublicKeyCredentialDomException: "
                    + "androidx.credentials.TYPE_NOT_ALLOWED_ERROR",
                "userCancelled"
            ),
            (
                "androidx.credentials.exceptions.CreateCredentialUnknownException: "
                    + "androidx.credentials.TYPE_CREATE_CREDENTIAL_UNKNOWN_EXCEPTION",
                "unknownError"
            ),
            (
                "GetCredentialProviderConfigurationException: getCredentialAsync no provider dependencies "
                    + "found",
                "providerMisconfigured"
            ),
            ("Fido gms exception - SECURITY_ERR", "relyingPartyNotAllowed"),
            ("[50162] Key pair not found", "providerError"),
            (
                "com.google.android.gms.common.api.ApiException: 17: API: Fido.U2F_ZERO_PARTY_API is not "
                    + "available on this device",
                "playServicesUnavailable"
            ),
            ("com.google.android.gms.common.api.ApiException: 12500:", "appMisconfigured"),
            ("com.google.android.gms.common.api.ApiException: 8: Internal error", "providerError"),
            ("android.security.keystore.KeyPermanentlyInvalidatedException", "keyInvalidated"),
            (
                "java.security.InvalidAlgorithmParameterException: java.lang.IllegalStateException: At least "
                    + "one biometric must be enrolled to create keys requiring user authentication for every use",
                "notEnrolled"
            ),
            ("android.security.KeyStoreException: Invalid key blob (internal Keystore code: -33)", "dataUnreadable"),
            ("javax.crypto.AEADBadTagException", "keyInvalidated"),
            (
                "javax.crypto.BadPaddingException: error:1e000065:Cipher "
                    + "functions:OPENSSL_internal:BAD_DECRYPT",
                "dataUnreadable"
            ),
            ("BiometricPrompt: onAuthenticationError: 11 No fingerprints enrolled.", "notEnrolled"),
            ("errorCode: 9, errString: Too many attempts. Fingerprint sensor disabled.", "lockedOut.permanent"),
            ("onAuthenticationFailed", "notRecognised"),
            ("java.lang.IllegalStateException: Must be called from main thread of fragment host", "appMisconfigured"),
            (
                "java.lang.IllegalArgumentException: Crypto-based authentication is not supported for Class 2 "
                    + "(Weak) biometrics.",
                "appMisconfigured"
            ),
            ("java.lang.IllegalArgumentException: Negative text must be set and non-empty.", "appMisconfigured"),
            ("NotReadableError: The operation failed for an unknown transient reason", "domErrorUnused"),
            (
                "InvalidStateError: At least one credential matches an entry of the excludeCredentials list in "
                    + "the platform attached authenticator.",
                "credentialExcluded"
            ),
            (
                "NotSupportedError: Use of an empty `allowCredentials` list is not supported on this device.",
                "passkeysUnsupported"
            ),
            ("DOMException: The operation failed for an operation-specific reason", "client.requestPending"),
            (
                "UnknownError: The operation failed for an unknown transient reason (e.g. out of memory).",
                "requestMalformed"
            ),
            ("AbortError: The operation was aborted.", "appCancelled"),
            ("NotAllowedError: This request has been cancelled by the user.", "userCancelled"),
            ("NotAllowedError: Operation failed.", "userCancelled"),
            (
                "NotAllowedError: The operation is not allowed at this time because the page does not have "
                    + "focus.",
                "pageNotFocused"
            ),
            ("SecurityError: This is an invalid domain.", "relyingPartyNotAllowed"),
            ("WebAuthnError: The authenticator was previously registered", "credentialExcluded"),
            ("WebAuthnError: localhost:3000 is an invalid domain", "relyingPartyNotAllowed"),
            ("NTE_USER_CANCELLED", "userCancelled"),
            ("0x80090036", "userCancelled"),
            ("0x800704C7", "userCancelled"),
            ("0x8009002D", "requestFailed"),
            ("0x80280921", "tpmLockedOut"),
            ("UserConsentVerificationResult.DeviceNotPresent", "sensorAbsent"),
            ("fido2-token: fido_dev_open /dev/hidraw3: FIDO_ERR_INTERNAL", "deviceUnreachable"),
            ("pam_u2f: fido_dev_open: FIDO_ERR_INTERNAL", "deviceUnreachable"),
            ("fido2-token: fido_dev_get_cbor_info: FIDO_ERR_RX", "deviceUnreachable"),
            ("CTAP error: 0x33 - PIN_AUTH_INVALID", "pinUvAuthParamInvalid"),
            ("CtapError: CTAP error: 0x36 - PUAT_REQUIRED", "pinRequired"),
            ("fido2.ctap.CtapError: CTAP error: 0x27 - OPERATION_DENIED", "userCancelled"),
            ("fido2.client.ClientError: Error code: CONFIGURATION_UNSUPPORTED", "noSupportedAlgorithm"),
            (
                "Client error: 3 - CONFIGURATION_UNSUPPORTED (cause: User verification not configured/supported)",
                "pinNotSet"
            ),
            ("ClientError.ERR.TIMEOUT", "timedOut"),
            ("ClientError: DEVICE_INELIGIBLE", "noCredentials"),
            ("Unable to load resident keys: device not found", "deviceUnreachable"),
            ("sk_api: FIDO_ERR_PIN_REQUIRED", "pinRequired"),
            ("debug1: identity_sign: sshkey_sign: device not found", "deviceUnreachable"),
            (
                "sign_and_send_pubkey: signing failed for ECDSA-SK \"id_ecdsa_sk\": requested feature not "
                    + "supported",
                "noSupportedAlgorithm"
            ),
            ("A resident key scoped to 'ssh:' with user id 'null' already exists.", "credentialExcluded"),
            ("LocalAuthException(code LocalAuthExceptionCode.userCanceled)", "userCancelled"),
            ("LocalAuthException(code noBiometricsEnrolled, User has not enrolled biometrics)", "notEnrolled"),
            ("E_CRYPTO_FAILED", "keyInvalidated"),
            ("User canceled the operation.", "userCancelled"),
            ("Error: user_cancel", "userCancelled"),
            ("ERR_NOT_CONFIGURED: Your Apple app site association is not properly configured", "domainNotAssociated"),
            (
                "{\"code\":\"NotConfigured\",\"message\":\"Your app is not properly configured. Refer to the "
                    + "docs for help\"}",
                "providerMisconfigured"
            ),
            ("{\"error\":\"BadConfiguration\"}", "appMisconfigured"),
            ("Couldn't sign message: invalid format", "keyErrorUnspecified"),
            ("Couldn't sign message: device not found", "deviceUnreachable"),
            ("Signing message failed: invalid format", "keyErrorUnspecified"),
            ("Signing release.tar.gz failed: invalid format", "keyErrorUnspecified"),
            ("ssh-sk-helper: Enrollment failed: bad permissions", "credentialExcluded"),
            ("ssh-sk-helper: Enrollment failed: invalid format", "keyErrorUnspecified"),
            ("debug1: ssh_sk_sign: couldn't find device for key handle", "deviceUnreachable"),
            ("Device initialization failed: No U2F/FIDO2 devices found", "deviceUnreachable"),
            ("Error: Certificate not good after 2026-01-01", "certificateNotValidNow"),
            ("Operation timed out", "timedOut"),
            ("NotAllowedError: Operation timed out.", "timedOut"),
            ("PasskeyError: NotSupported", "passkeysUnsupported"),
        ] as [(String, String)])
    func first(text: String, cause: String) {
        #expect(PlatformErrorSearch.shared.find(text).findings.first?.outcome.cause.rawValue == cause)
    }

    @Test(
        "An ordinary line of a log reports no error",
        arguments: [
            "all good",
            "Build succeeded in 42 seconds",
            "GET /index.html 200 7 ms",
            "User ada signed in",
            "Server listening on port 3000",
            "2026-03-01 10:00:01 INFO request completed status=200",
            "retrying in 5 seconds",
            "Connection established",
            "npm install finished without errors",
            "Loaded 12 passkeys for user 7",
            "session started",
            "debug1: Connecting to github.com [140.82.121.4] port 22.",
            "debug1: identity file /home/test/.ssh/id_ed25519_sk type 12",
            "I/flutter ( 7662): User logged in successfully",
            "D/ViewRootImpl: touch event ACTION_DOWN",
            "11-22 14:55:01.123 1000 5678 I ActivityManager: Start proc 4711:com.example/u0a123",
            "[2026-11-27T10:00:00Z] worker 3 idle",
            "cache hit for key 0x1f",
            "done",
            "Test Suite 'All tests' passed at 2026-11-27",
            "Compiling 31 of 200 files",
            "keychain item saved",
            "Face ID enabled",
            "fingerprint enrolled",
            "biometric prompt shown",
            "the passkey was created",
            "response status 201 Created",
            "exit code 0",
            "process exited with code 0",
            "timeout set to 60000",
            "lockout cleared",
            "error count: 0",
            "0 errors, 2 warnings",
            "unknown host key accepted",
            "cancelled subscription email sent",
            "no errors",
            "hello world",
            "vendor chunk loaded",
            "partial content 206",
            "Starting server",
            "fast refresh",
            "GOOD MORNING",
            "debug2: key: /home/a/.ssh/id_rsa (0x55eebc6c1620)",
        ])
    func ordinary(line: String) {
        let found = PlatformErrorSearch.shared.find(line).findings.map(\.outcome.cause)
        #expect(found.isEmpty, "\(found)")
    }

    /// Lines of programs and interfaces that the table does not have, whose words and numbers resemble its codes.
    @Test(
        "A line of another program or interface reports no error",
        arguments: [
            "error 404",
            "ERROR 500",
            "404 error",
            "ERROR",
            "HTTP/1.1 404 Not Found",
            "HTTP error 13",
            "Request failed with status code 401",
            "TIMEOUT 504",
            "502 Bad Gateway",
            "{\"statusCode\":500,\"error\":\"Internal Server Error\"}",
            "CoreData: error: Failed to load, code=134060",
            "Error Domain=NSPOSIXErrorDomain Code=7 \"Argument list too long\"",
            "Error Domain=NSCocoaErrorDomain Code=4 \"The file doesn’t exist.\"",
            "Error Domain=NSCocoaErrorDomain Code=4",
            "Error Domain=NSURLErrorDomain Code=-1004 \"Could not connect to the server.\"",
            "Error Domain=NSURLErrorDomain Code=-1001 \"The request timed out.\"",
            "The operation couldn’t be completed. (NSURLErrorDomain error -1004.)",
            "The operation couldn’t be completed. (kCLErrorDomain error 0.)",
            "Error Domain=SKErrorDomain Code=2 \"Payment canceled\"",
            "Error Domain=AVFoundationErrorDomain Code=-11800 \"The operation could not be completed\"",
            "Error Domain=com.example Code=1001",
            "com.example Code=1001",
            "Error Domain=kCFErrorDomainCFNetwork Code=31",
            "AVAudioSession setActive failed: OSStatus error -50",
            "Product.PurchaseResult.userCancelled",
            "errno 13 permission denied",
            "errno 13",
            "[Errno 13] Permission denied: '/etc/shadow'",
            "OSError: [Errno 16] Device or resource busy",
            "open /dev/null: Permission denied",
            "bash: ./run.sh: Permission denied",
            "java.io.IOException: error=13, Permission denied",
            "android.database.sqlite.SQLiteException: no such table: users (code 1): , while compiling: SELECT",
            "SQLiteException: no such column (code 1)",
            "android.database.sqlite.SQLiteConstraintException: UNIQUE constraint failed (code 2067)",
            "java.lang.NumberFormatException: For input string: \"7\"",
            "java.lang.IllegalArgumentException: View not attached to window manager",
            "java.net.SocketTimeoutException: failed to connect to /10.0.2.2 (port 3000) after 10000ms",
            "java.net.ConnectException: Operation timed out",
            "MediaPlayer: error (1, -1004)",
            "E/MediaPlayer: Error (1,-19)",
            "E/CameraDevice: camera device not found, error code 3",
            "E/SpeechRecognizer: onError: 7",
            "D/BiometricPrompt: shown for 7 seconds",
            "BiometricManager: 1 sensor found",
            "I/BiometricService: 11 users loaded",
            "INSTALL_FAILED_INSUFFICIENT_STORAGE error 4",
            "System.NotSupportedException: Specified method is not supported.",
            "System.ComponentModel.Win32Exception (5): Access is denied",
            "System.Net.Sockets.SocketException (10060): Operation timed out",
            "The service terminated with error 7",
            "Event ID 13, error code 2",
            "npm ERR! code TIMEOUT",
            "npm ERR! errno 13",
            "Error: connect ETIMEDOUT 10.0.0.1:443",
            "Error: listen EADDRINUSE: address already in use :::3000",
            "rpc error: code = Unknown desc = connection closed",
            "Error: 3 INVALID_ARGUMENT: Request contains an invalid argument.",
            "Error: 14 UNAVAILABLE: No connection established",
            "{\"code\":5,\"error\":\"NOT_FOUND: no such project\"}",
            "stream was reset: INTERNAL_ERROR",
            "TimeoutError: Navigation timeout of 30000 ms exceeded",
            "  timedOut: false,",
            "TypeError: Cannot read properties of undefined (reading 'id')",
            "TypeError: Failed to fetch",
            "TypeError: foo.bar is not a function",
            "SyntaxError: Unexpected token < in JSON at position 0",
            "TypeError: NetworkError when attempting to fetch resource.",
            "InvalidStateError: Failed to execute 'transaction' on 'IDBDatabase': The database "
                + "connection is closing.",
            "Uncaught (in promise) DOMException: Failed to execute 'put' on 'IDBObjectStore'",
            "NotAllowedError: play() failed because the user didn't interact with the document first.",
            "AbortError: The play() request was interrupted by a call to pause().",
            "NotAllowedError: Failed to execute 'writeText' on 'Clipboard': Document is not focused.",
            "NotAllowedError: Permission denied",
            "NotAllowedError: Read permission denied.",
            "NotFoundError: Requested device not found",
            "NotReadableError: Could not start video source",
            "SecurityError: Failed to execute 'toDataURL' on 'HTMLCanvasElement': Tainted canvases may "
                + "not be exported.",
            "SecurityError: Blocked a frame with origin \"http://a.test\" from accessing a cross-origin frame.",
            "SecurityError: Failed to read the 'localStorage' property from 'Window': Access is denied "
                + "for this document.",
            "NotSupportedError: Failed to load because no supported source was found.",
            "InvalidStateError: Failed to execute 'send' on 'WebSocket': Still in CONNECTING state.",
            "UnknownError: Internal error opening backing store for indexedDB.open.",
            "ConstraintError: Unable to add key to index 'email' in IDBObjectStore",
            "DOMException: Failed to execute 'setItem' on 'Storage': Setting the value exceeded the quota.",
            "net::ERR_CONNECTION_TIMED_OUT",
            "libusb: error [op_open] libusb couldn't open USB device, errno=13",
            "libusb: error: device not found",
            "LIBUSB_ERROR_TIMEOUT",
            "libusb_open failed: LIBUSB_ERROR_ACCESS -3",
            "usb 1-1: device descriptor read/64, error -71",
            "adb: error: device not found",
            "fido_tx: dev=0x555ce54c92a0, cmd=0x10", "fido_rx: dev=0x555ce54c92a0, cmd=0x06, ms=-1",
            "error: device 'emulator-5554' not found",
            "ssh: connect to host example.com port 22: Operation timed out",
            "curl: (28) Operation timed out after 30000 milliseconds",
            "curl: (7) Failed to connect to localhost port 3000",
            "Load key \"/home/u/.ssh/id_rsa\": incorrect passphrase supplied to decrypt private key",
            "kex_exchange_identification: read: Connection reset by peer",
            "Download canceled by user",
            "Build error: canceled by user",
            "malloc: failed to allocate memory",
            "S3 error: Object already exists",
            "550 mail.test is an invalid domain",
            "size=4294967295",
            "offset 4294967288",
            "exited with error 1",
            "systemd[1]: app.service: Failed with result 'timeout'.",
            "GET /api/users 401 error 7",
            "error 500",
            "error 13: permission denied",
            "Permission denied",
            "java.security.cert.CertificateException: not trusted",
            "Error Domain=CKErrorDomain Code=9 \"not authenticated\"",
            "finished with error [-1004]",
            "AbortError: Share canceled",
            "NotAllowedError: Fullscreen request denied",
            "usb_submit_urb: error -71",
            "segfault at 7 error 4 in libc.so",
            "MQTT error code 5",
            "E/BluetoothGatt: status=133",
        ])
    func foreign(line: String) {
        let found = PlatformErrorSearch.shared.find(line).findings.map(\.outcome.cause)
        #expect(found.isEmpty, "\(found)")
    }

    @Test(
        "A name or sentence that other programs also write counts alone or beside its interface",
        arguments: [
            ("TypeError", "TypeError", true), ("TypeError: x is undefined", "TypeError", false),
            ("TypeError: Failed to execute 'create' on 'CredentialsContainer'", "TypeError", true),
            ("NotAllowedError: Failed to execute 'get' on 'CredentialsContainer': no", "NotAllowedError", true),
            ("NotAllowedError: Failed to execute 'writeText' on 'Clipboard': no", "NotAllowedError", false),
            ("LAError: Canceled by user", "userCancel", true), ("Canceled by user.", "userCancel", true),
            ("Upload canceled by user", "userCancel", false),
            ("ssh-keygen: device not found", "device not found", true), ("device not found", "device not found", true),
            ("adb: device not found", "device not found", false),
            ("ApiException: 13: ERROR", "ERROR", true), ("Play services ERROR", "ERROR", true),
            ("BiometricPrompt 7", "ERROR_LOCKOUT", true), ("BiometricPrompt error 7", "ERROR_LOCKOUT", true),
            ("BiometricPrompt: 7 sensors", "ERROR_LOCKOUT", false),
            ("BiometricPrompt shows 7 icons", "ERROR_LOCKOUT", false),
            ("biometric authentication failed with error 7", "ERROR_LOCKOUT", true),
            ("payment failed with error 7", "ERROR_LOCKOUT", false),
            (
                "Error Domain=NSPOSIXErrorDomain Code=7 \"?\" UserInfo={NSUnderlyingError={Error Domain=LAErrorDomain Code=-8}}",
                "biometryLockout", true
            ),
            ("java.io.IOException: LAError -8", "biometryLockout", true),
        ] as [(String, String, Bool)])
    func general(line: String, code: String, counts: Bool) {
        let codes = PlatformErrorSearch.shared.find(line).findings.flatMap(\.cells).map(\.code.name)
        #expect(codes.contains(code) == counts, "\(codes)")
    }

    @Test func theAgentsRefusalHasTheCausesThatItHides() {
        let causes = PlatformErrorSearch.shared.find("agent refused operation").findings.map(\.outcome.cause.rawValue)
        #expect(causes == ["pinRequired", "deviceUnreachable", "timedOut", "userCancelled", "noCredentials"])
    }

    @Test(arguments: [
        ("ssh", "agent refused operation"), ("ssh", "invalid format"), ("as-authorization-error", "unknown"),
    ])
    func aCodeWhoseCausesDoNotSayWhatToDoHasAdvice(interface: String, code: String) throws {
        let interface = try #require(PlatformErrorTable.lookup.interface(interface))
        #expect(interface.codes.filter { $0.name == code }.compactMap(interface.advice).count == 1)
    }

    /// The sentences of servers' libraries, and of other programs beside the page.
    @Test(
        "The error of a server leads to the step that failed",
        arguments: [
            (
                "InvalidRegistrationResponse: Unexpected client data origin \"https://a\", expected \"https://b\"",
                "originUnexpected"
            ),
            ("Client data challenge was not expected challenge", "challengeUnexpected"),
            ("Response sign count of 0 was not greater than current count of 5", "counterNotIncreased"),
            ("User verification is required but user was not verified during authentication", "userVerificationAbsent"),
            ("com.webauthn4j.verifier.exception.BadOriginException: The origin does not match", "originUnexpected"),
            ("com.webauthn4j.validator.exception.BadChallengeException", "challengeUnexpected"),
            ("MaliciousCounterValueException: Malicious counter value is detected", "counterNotIncreased"),
            ("UserNotVerifiedException", "userVerificationAbsent"), ("UserNotPresentException", "userPresenceAbsent"),
            ("TrustAnchorNotFoundException: TrustAnchor chain not found", "attestationUntrusted"),
            ("webauthn: Error validating origin", "originUnexpected"),
            ("Error validating challenge", "challengeUnexpected"),
            ("Unable to find the credential for the returned credential ID", "credentialUnknownToServer"),
            ("ID mismatch for User and Session", "serverSessionExpired"),
            ("Backup Eligible flag inconsistency detected during login validation", "backupFlagsInconsistent"),
            ("java.lang.IllegalArgumentException: Incorrect origin: https://x", "originUnexpected"),
            ("com.yubico.webauthn.exception.AssertionFailedException: Unknown credential", "credentialUnknownToServer"),
            ("Signature counter must increase. Expected minimum: 5, received value: 4", "counterNotIncreased"),
            ("ValueError: Wrong challenge in response.", "challengeUnexpected"),
            ("Fido2VerificationException: Hash mismatch RPID", "relyingPartyIDUnexpected"),
            ("webauthn-error-different-user", "passkeyOfOtherUser"),
            ("Failed to authenticate by the Passkey.", "browserReportedFailure"),
            ("Unknown user authenticated by the Passkey.", "credentialUnknownToServer"),
            ("Error: Unexpected public key alg of \"-8\", expected one of \"-7\"", "algorithmUnexpected"),
            ("Error: Credential ID was not base64url-encoded", "responseUnreadable"),
            ("Challenge mismatch", "challengeUnexpected"), ("RP ID hash mismatch", "relyingPartyIDUnexpected"),
            ("passkey challenge expired", "serverSessionExpired"),
            ("Error: Registration was not completed", "credentialAbsent"),
            ("NS_ERROR_DOM_INVALID_STATE_ERR", "credentialExcluded"),
            ("ReferenceError: PublicKeyCredential is not defined", "credentialsMissing"),
            ("TypeError: PublicKeyCredential.parseCreationOptionsFromJSON is not a function", "credentialsMissing"),
            ("EncodingError: 'user.id' contains invalid base64url data", "optionsInvalid"),
            (
                "NotAllowedError: The 'publickey-credentials-get' feature is not enabled in this document.",
                "permissionsPolicyMissing"
            ),
            (
                "fido2.client.PinRequiredError: Error code: 2 - BAD_REQUEST (cause: PIN required but not provided)",
                "pinRequired"
            ),
            ("android.security.keystore.BackendBusyException", "keystoreBusy"),
            ("internal Keystore code: -68", "strongBoxMissing"), ("HRESULT 0x8000FFFF", "requestFailed"),
        ])
    func servers(text: String, cause: String) {
        let found = PlatformErrorSearch.shared.find(text).findings.map(\.outcome.cause.rawValue)
        #expect(found.first == cause, "\(found)")
    }

    private static let small = """
        sources: { s: A source }
        layers:
          one: { name: One, about: first, kind: sdk, sources: [s], codes: { A: 1, B: 2 }, likely: { A: [second] } }
          two: { name: Two, about: next, kind: sdk, sources: [s], codes: { C: 3 } }
        outcomes:
          first: { means: it happened, of: gate, faces: { one: [A, B] }, texts: { one: [it happened] } }
          second: { means: it happened, of: gate, faces: { one: A, two: C } }
        """

    @Test func ofTheCausesOfACodeTheLikelyOneComesFirst() throws {
        let search = PlatformErrorSearch(try PlatformErrorTable(reading: .parse(Self.small, file: "t.yaml")))
        #expect(search.find("One 1").findings.map(\.outcome.cause) == ["second", "first"])
        #expect(search.find("One 2").findings.map(\.outcome.cause) == ["first"])
    }

    @Test(arguments: [
        ("likely: { A: [second] }", "likely: { B: [second] }", 3, "second is not a cause of B"),
        ("likely: { A: [second] }", "likely: { D: [second] }", 3, "there is no code D"),
        ("likely: { A: [second] }", "advice: { D: read the log }", 3, "there is no code D"),
        ("likely: { A: [second] }", "general: [D]", 3, "one has no such name or sentence"),
        ("texts: { one:", "texts: { two:", 6, "a sentence of two finds nothing without a code of two"),
    ])
    func whatHasNoEffectIsAMistake(old: String, new: String, line: Int, says: String) throws {
        let text = Self.small.replacing(old, with: new)
        let error = #expect(throws: SourceError.self) { try PlatformErrorTable(reading: .parse(text, file: "t.yaml")) }
        #expect(error?.line == line)
        #expect(error?.message.contains(says) == true, "\(error?.message ?? "")")
    }
}
