export type BiometryType = "TouchID" | "FaceID" | "Biometrics";

export interface CreateSignatureOptions {
    promptMessage: string;
    payload: string;
    cancelButtonText?: string;
}

export interface SimplePromptOptions {
    promptMessage: string;
    /** iOS: an empty text hides the button. */
    fallbackPromptMessage?: string;
    cancelButtonText?: string;
}

export interface IsSensorAvailableResult {
    available: boolean;
    biometryType?: BiometryType;
    error?: string;
}

export const TouchID: "TouchID";
export const FaceID: "FaceID";
export const Biometrics: "Biometrics";
export const BiometryTypes: { TouchID: "TouchID"; FaceID: "FaceID"; Biometrics: "Biometrics" };

/** react-native-biometrics 3.0.1. */
export default class ReactNativeBiometrics {
    allowDeviceCredentials: boolean;
    constructor(options?: { allowDeviceCredentials?: boolean });
    isSensorAvailable(): Promise<IsSensorAvailableResult>;
    /** The public key is SubjectPublicKeyInfo of RSA 2048 in base64. */
    createKeys(): Promise<{ publicKey: string }>;
    biometricKeysExist(): Promise<{ keysExist: boolean }>;
    deleteKeys(): Promise<{ keysDeleted: boolean }>;
    /** The signature is RSASSA-PKCS1-v1_5 with SHA-256 in base64. */
    createSignature(options: CreateSignatureOptions): Promise<{ success: boolean; signature?: string; error?: string }>;
    simplePrompt(options: SimplePromptOptions): Promise<{ success: boolean; error?: string }>;
}

export const ReactNativeBiometricsLegacy: Omit<ReactNativeBiometrics, "allowDeviceCredentials">;
