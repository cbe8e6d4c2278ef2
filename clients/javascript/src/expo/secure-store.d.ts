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
    /** iOS. */
    keychainAccessible?: KeychainAccessibilityConstant;
    /** iOS: an item of a group is found with its group only. */
    accessGroup?: string;
}

/** expo-secure-store 15. */
export function isAvailableAsync(): Promise<boolean>;
export function getItemAsync(key: string, options?: SecureStoreOptions): Promise<string | null>;
export function setItemAsync(key: string, value: string, options?: SecureStoreOptions): Promise<void>;
export function deleteItemAsync(key: string, options?: SecureStoreOptions): Promise<void>;
/** Keeps the JavaScript thread waiting; plan the user's acts before. */
export function getItem(key: string, options?: SecureStoreOptions): string | null;
/** Keeps the JavaScript thread waiting; plan the user's acts before. */
export function setItem(key: string, value: string, options?: SecureStoreOptions): void;
/** Keeps the JavaScript thread waiting. */
export function canUseBiometricAuthentication(): boolean;
