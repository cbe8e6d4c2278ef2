// react-native-keychain, main branch after 10.0.0.

export enum ACCESSIBLE {
    WHEN_UNLOCKED = "AccessibleWhenUnlocked",
    AFTER_FIRST_UNLOCK = "AccessibleAfterFirstUnlock",
    ALWAYS = "AccessibleAlways",
    WHEN_PASSCODE_SET_THIS_DEVICE_ONLY = "AccessibleWhenPasscodeSetThisDeviceOnly",
    WHEN_UNLOCKED_THIS_DEVICE_ONLY = "AccessibleWhenUnlockedThisDeviceOnly",
    AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY = "AccessibleAfterFirstUnlockThisDeviceOnly",
}

export enum ACCESS_CONTROL {
    USER_PRESENCE = "UserPresence",
    BIOMETRY_ANY = "BiometryAny",
    BIOMETRY_CURRENT_SET = "BiometryCurrentSet",
    DEVICE_PASSCODE = "DevicePasscode",
    APPLICATION_PASSWORD = "ApplicationPassword",
    BIOMETRY_ANY_OR_DEVICE_PASSCODE = "BiometryAnyOrDevicePasscode",
    BIOMETRY_CURRENT_SET_OR_DEVICE_PASSCODE = "BiometryCurrentSetOrDevicePasscode",
}

export enum AUTHENTICATION_TYPE {
    DEVICE_PASSCODE_OR_BIOMETRICS = "AuthenticationWithBiometricsDevicePasscode",
    BIOMETRICS = "AuthenticationWithBiometrics",
}

export enum SECURITY_LEVEL {
    SECURE_SOFTWARE = "SECURE_SOFTWARE",
    SECURE_HARDWARE = "SECURE_HARDWARE",
    ANY = "ANY",
}

export enum BIOMETRY_TYPE {
    TOUCH_ID = "TouchID",
    FACE_ID = "FaceID",
    OPTIC_ID = "OpticID",
    FINGERPRINT = "Fingerprint",
    FACE = "Face",
    IRIS = "Iris",
}

export enum STORAGE_TYPE {
    AES_CBC = "KeystoreAESCBC",
    AES_GCM_NO_AUTH = "KeystoreAESGCM_NoAuth",
    AES_GCM = "KeystoreAESGCM",
    RSA = "KeystoreRSAECB",
}

export enum ERROR_CODE {
    PASSCODE_NOT_SET = "E_PASSCODE_NOT_SET",
    BIOMETRIC_NOT_ENROLLED = "E_BIOMETRIC_NOT_ENROLLED",
    BIOMETRIC_TIMEOUT = "E_BIOMETRIC_TIMEOUT",
    BIOMETRIC_LOCKOUT = "E_BIOMETRIC_LOCKOUT",
    BIOMETRIC_LOCKOUT_PERMANENT = "E_BIOMETRIC_LOCKOUT_PERMANENT",
    BIOMETRIC_TEMPORARILY_UNAVAILABLE = "E_BIOMETRIC_TEMPORARILY_UNAVAILABLE",
    BIOMETRIC_UNAVAILABLE = "E_BIOMETRIC_UNAVAILABLE",
    BIOMETRIC_VENDOR_ERROR = "E_BIOMETRIC_VENDOR_ERROR",
    AUTH_INTERACTION_NOT_ALLOWED = "E_AUTH_INTERACTION_NOT_ALLOWED",
    AUTH_INVALIDATED = "E_AUTH_INVALIDATED",
    AUTH_CANCELED = "E_AUTH_CANCELED",
    AUTH_ERROR = "E_AUTH_ERROR",
    INVALID_PARAMETERS = "E_INVALID_PARAMETERS",
    STORAGE_ACCESS_ERROR = "E_STORAGE_ACCESS_ERROR",
    INTERNAL_ERROR = "E_INTERNAL_ERROR",
}

export interface AuthenticationPrompt {
    title?: string;
    subtitle?: string;
    description?: string;
    cancel?: string;
}

export interface BaseOptions {
    /** Default: the name of the app on iOS, and an empty one on Android. */
    service?: string;
    server?: string;
    /** iOS: with true, a call rejects with a `TouchstoneError`, because the phone does not have iCloud. */
    cloudSync?: boolean;
    /** iOS: an item with a group is visible only to calls with the same group. */
    accessGroup?: string;
}

export interface AccessControlOption {
    accessControl?: ACCESS_CONTROL;
}

export interface SetOptions extends BaseOptions, AccessControlOption {
    /** iOS only. */
    accessible?: ACCESSIBLE;
    /** Android only; each storage has secure hardware. */
    securityLevel?: SECURITY_LEVEL;
    /** Android only. */
    storage?: STORAGE_TYPE;
    authenticationPrompt?: AuthenticationPrompt;
}

export interface GetOptions extends BaseOptions, AccessControlOption {
    authenticationPrompt?: AuthenticationPrompt;
}

export interface Result {
    service: string;
    storage: STORAGE_TYPE | "keychain";
}

export interface UserCredentials extends Result {
    username: string;
    password: string;
}

export interface SharedWebCredentials extends UserCredentials {
    server: string;
}

export function setGenericPassword(username: string, password: string, options?: SetOptions): Promise<false | Result>;
export function getGenericPassword(options?: GetOptions): Promise<false | UserCredentials>;
export function hasGenericPassword(options?: BaseOptions): Promise<boolean>;
export function resetGenericPassword(options?: BaseOptions): Promise<boolean>;
export function getAllGenericPasswordServices(options?: { skipUIAuth?: boolean }): Promise<string[]>;
export function setInternetCredentials(server: string, username: string, password: string, options?: SetOptions): Promise<false | Result>;
export function getInternetCredentials(server: string, options?: GetOptions): Promise<false | UserCredentials>;
export function hasInternetCredentials(options: BaseOptions): Promise<boolean>;
export function resetInternetCredentials(options: BaseOptions): Promise<void>;
export function getSupportedBiometryType(): Promise<null | BIOMETRY_TYPE>;
export function canImplyAuthentication(options?: { authenticationType?: AUTHENTICATION_TYPE }): Promise<boolean>;
export function getSecurityLevel(options?: AccessControlOption): Promise<null | SECURITY_LEVEL>;
export function isPasscodeAuthAvailable(): Promise<boolean>;
/** iOS: rejects with a `TouchstoneError`, because the phone does not have the passwords of iCloud Keychain. */
export function requestSharedWebCredentials(): Promise<false | SharedWebCredentials>;
export function setSharedWebCredentials(server: string, username: string, password?: string): Promise<void>;
