export type LocalAuthenticationResult = { success: true } | { success: false; error: string; warning?: string };

export enum AuthenticationType {
    FINGERPRINT = 1,
    FACIAL_RECOGNITION = 2,
    IRIS = 3,
}

export enum SecurityLevel {
    NONE = 0,
    SECRET = 1,
    BIOMETRIC_WEAK = 2,
    BIOMETRIC_STRONG = 3,
}

export type BiometricsSecurityLevel = "weak" | "strong";

export interface LocalAuthenticationOptions {
    promptMessage?: string;
    /** Android only. */
    promptSubtitle?: string;
    /** Android only. */
    promptDescription?: string;
    cancelLabel?: string;
    disableDeviceFallback?: boolean;
    /** Android only. */
    requireConfirmation?: boolean;
    /** Android only. */
    biometricsSecurityLevel?: BiometricsSecurityLevel;
    /** iOS only; an empty text hides the button. */
    fallbackLabel?: string;
}

/** expo-local-authentication 16. */
export function hasHardwareAsync(): Promise<boolean>;
export function supportedAuthenticationTypesAsync(): Promise<AuthenticationType[]>;
export function isEnrolledAsync(): Promise<boolean>;
export function getEnrolledLevelAsync(): Promise<SecurityLevel>;
export function authenticateAsync(options?: LocalAuthenticationOptions): Promise<LocalAuthenticationResult>;
/** Android only. */
export function cancelAuthenticate(): Promise<void>;
