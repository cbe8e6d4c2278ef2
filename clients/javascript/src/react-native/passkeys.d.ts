import type { CredentialJSON, OptionsJSON } from "../index.js";

/** A registration, whose public key is SubjectPublicKeyInfo in base64url. */
export type CreationResponse = CredentialJSON & { id: string; response: Record<string, unknown> & { getPublicKey(): string | undefined } };

/** react-native-passkeys 0.4. */
export function isSupported(): boolean;
export function isAutoFillAvailable(): boolean;
/** The package's own spelling. */
export function isAutoFillAvalilable(): boolean;
/** Rejects with an error: on iOS its `code` is `ERR_…`; on Android its `code` is `Passkey Create`, and its `message` is the reason. */
export function create(request: OptionsJSON & { signal?: AbortSignal }): Promise<CreationResponse>;
export function get(request: OptionsJSON): Promise<CredentialJSON & { id: string }>;
