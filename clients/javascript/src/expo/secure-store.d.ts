export type KeychainAccessibilityConstant = number;

export const AFTER_FIRST_UNLOCK: KeychainAccessibilityConstant;
export const AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY: KeychainAccessibilityConstant;
export const ALWAYS: KeychainAccessibilityConstant;
export const WHEN_PASSCODE_SET_THIS_DEVICE_ONLY: KeychainAccessibilityConstant;
export const ALWAYS_THIS_DEVICE_ONLY: KeychainAccessibilityConstant;
export const WHEN_UNLOCKED: KeychainAccessibilityConstant;
export const WHEN_UNLOCKED_THIS_DEVICE_ONLY: KeychainAccessibilityConstant;

export interface SecureStoreOptions {
    keychainService?: string;
    requireAuthentication?: boolean;
    authenticationPrompt?: string;
    /** iOS only. */
    keychainAccessible?: KeychainAccessibilityConstant;
    /** iOS: an item with a group is visible only to calls with the same group. */
    accessGroup?: string;
}

/** expo-secure-store 15. */
export function isAvailableAsync(): Promise<boolean>;
export function getItemAsync(key: string, options?: SecureStoreOptions): Promise<string | null>;
export function setItemAsync(key: string, value: string, options?: SecureStoreOptions): Promise<void>;
export function deleteItemAsync(key: string, options?: SecureStoreOptions): Promise<void>;
/** Blocks the JavaScript thread; plan the user's acts before the call. */
export function getItem(key: string, options?: SecureStoreOptions): string | null;
/** Blocks the JavaScript thread; plan the user's acts before the call. */
export function setItem(key: string, value: string, options?: SecureStoreOptions): void;
/** Blocks the JavaScript thread. */
export function canUseBiometricAuthentication(): boolean;
