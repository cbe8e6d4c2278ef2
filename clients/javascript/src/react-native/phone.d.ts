import type { Device } from "../index.js";

/** The app on the phone on whose behalf the modules call. */
export interface AppSettings {
    /** The app's name on the device, and the default service of its Keychain items on iOS; default: `app`. */
    app?: string;
    /** The RP IDs for which the app may use passkeys; default: none, so that each request fails as for an app without an association. */
    associatedDomains?: string[];
    /** Android: the SHA-256 of the app's signing certificate in base64url, for the origin `android:apk-key-hash:…`; default: that of the app's name. */
    apkKeyHash?: string;
}

/** Makes the modules for React Native and Expo answer as this phone does: as on iOS with an iOS profile, as on Android with an Android profile. */
export function setPhone(phone: Device, settings?: AppSettings): Promise<void>;
/** Removes the phone: calls of the modules are errors until the next `setPhone`. */
export function clearPhone(): void;
