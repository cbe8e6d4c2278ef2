/** Bytes of an extension. */
export type BinaryInput = Uint8Array | ArrayBuffer | number[] | string;

export interface AuthenticationExtensionsPRFValues {
    first: BinaryInput;
    second?: BinaryInput;
}

export interface PasskeyExtensions {
    largeBlob?: { support?: "preferred" | "required"; read?: boolean; write?: BinaryInput };
    prf?: {
        eval?: AuthenticationExtensionsPRFValues;
        evalByCredential?: Record<string, AuthenticationExtensionsPRFValues> | Array<Record<string, AuthenticationExtensionsPRFValues>>;
    };
}

export interface PublicKeyCredentialDescriptor {
    type: string;
    id: string;
    transports?: string[];
}

export interface PasskeyCreateRequest {
    challenge: string;
    rp: { id: string; name: string };
    user: { id: string; name: string; displayName: string };
    pubKeyCredParams: Array<{ type: string; alg: number }>;
    timeout?: number;
    excludeCredentials?: PublicKeyCredentialDescriptor[];
    authenticatorSelection?: {
        authenticatorAttachment?: string;
        requireResidentKey?: boolean;
        residentKey?: string;
        userVerification?: string;
    };
    attestation?: string;
    extensions?: PasskeyExtensions;
}

export interface PasskeyGetRequest {
    challenge: string;
    rpId: string;
    timeout?: number;
    allowCredentials?: PublicKeyCredentialDescriptor[];
    userVerification?: string;
    extensions?: PasskeyExtensions;
}

export interface PasskeyExtensionResults {
    largeBlob?: { supported?: boolean; blob?: number[] | string; written?: boolean };
    prf?: { enabled?: boolean; results?: { first: string; second?: string } };
}

export interface PasskeyCreateResult {
    id: string;
    rawId: string;
    type?: string;
    authenticatorAttachment?: string;
    response: { clientDataJSON: string; attestationObject: string };
    clientExtensionResults?: PasskeyExtensionResults;
}

export interface PasskeyGetResult {
    id: string;
    rawId: string;
    type?: string;
    authenticatorAttachment?: string;
    response: { authenticatorData: string; clientDataJSON: string; signature: string; userHandle: string };
    clientExtensionResults?: PasskeyExtensionResults;
}

/** The rejection of a call, a plain object. */
export interface PasskeyError {
    error: string;
    message: string;
}

/** react-native-passkey 3.6.1. */
export class Passkey {
    static isSupported(): boolean;
    static create(request: PasskeyCreateRequest): Promise<PasskeyCreateResult>;
    static createPlatformKey(request: PasskeyCreateRequest): Promise<PasskeyCreateResult>;
    /** iOS: rejects with a `TouchstoneError`, because the phone does not have a security key. */
    static createSecurityKey(request: PasskeyCreateRequest): Promise<PasskeyCreateResult>;
    static get(request: PasskeyGetRequest): Promise<PasskeyGetResult>;
    static getPlatformKey(request: PasskeyGetRequest): Promise<PasskeyGetResult>;
    /** iOS: rejects with a `TouchstoneError`, because the phone does not have a security key. */
    static getSecurityKey(request: PasskeyGetRequest): Promise<PasskeyGetResult>;
    static getImmediate(request: PasskeyGetRequest): Promise<PasskeyGetResult>;
    static signalUnknownCredential(options: { rpId: string; credentialId: string }): Promise<void>;
    static signalAllAcceptedCredentials(options: { rpId: string; userId: string; allAcceptedCredentialIds: string[] }): Promise<void>;
}
