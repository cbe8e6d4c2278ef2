// The calls of expo-secure-store 15 (SecureStore.ts, SecureStoreModule.swift and .kt, SecureStoreAccessible.swift).
import { TouchstoneError } from "../errors.js";
import { SECRETS, checkChoice, checkNames, currentPhone, isMissing, nativeError, packageFace } from "../react-native/phone.js";

const LAYER = "expo-secure-store";

export const AFTER_FIRST_UNLOCK = 0;
export const AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY = 1;
export const ALWAYS = 2;
export const WHEN_PASSCODE_SET_THIS_DEVICE_ONLY = 3;
export const ALWAYS_THIS_DEVICE_ONLY = 4;
export const WHEN_UNLOCKED = 5;
export const WHEN_UNLOCKED_THIS_DEVICE_ONLY = 6;

const AVAILABLE = {
    [AFTER_FIRST_UNLOCK]: { accessibility: "after-first-unlock", migrates: "yes" },
    [AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY]: { accessibility: "after-first-unlock" },
    [ALWAYS]: { accessibility: "always", migrates: "yes" },
    [WHEN_PASSCODE_SET_THIS_DEVICE_ONLY]: { accessibility: "when-passcode-set" },
    [ALWAYS_THIS_DEVICE_ONLY]: { accessibility: "always" },
    [WHEN_UNLOCKED]: { accessibility: "when-unlocked", migrates: "yes" },
    [WHEN_UNLOCKED_THIS_DEVICE_ONLY]: { accessibility: "when-unlocked" },
};

const OPTIONS = ["keychainService", "requireAuthentication", "authenticationPrompt", "keychainAccessible", "accessGroup"];
const FUNCTIONS = { read: "getValueWithKey", store: "setValueWithKey" };

function checked(call, key, options) {
    checkNames(call, options, OPTIONS);
    checkChoice(call, "keychainAccessible", options.keychainAccessible, Object.keys(AVAILABLE).map(Number));
    if (typeof key !== "string" || !/^[\w.-]+$/.test(key)) {
        throw new Error('Invalid key provided to SecureStore. Keys must not be empty and contain only alphanumeric characters, ".", "-", and "_".');
    }
    return currentPhone();
}

function checkValue(value) {
    if (typeof value !== "string") {
        throw new Error("Invalid value provided to SecureStore. Values must be strings; consider JSON-encoding your values if they are serializable.");
    }
    if (value === "") throw new TouchstoneError("The value is empty, and the simulated phone does not keep empty values; store at least one character.");
}

/** The rejection of a call, with the text that Expo's modules add to errors of their functions. */
function failed(phone, kind, suffix, refusal) {
    const { name, message } = packageFace(refusal, LAYER);
    const call = FUNCTIONS[kind] + suffix;
    return nativeError(name, phone.isIOS
        ? `Calling the '${call}' function has failed\n→ Caused by: ${message ?? "Unknown Keychain Error."}`
        : `Call to function 'ExpoSecureStore.${call}' has been rejected.\n→ Caused by: ${message}`);
}

// The steps of a call, which `phone.run` and `phone.runBlocking` perform.

const IOS = {
    name(key, { keychainService = "app", accessGroup }, isAuthenticated) {
        const group = accessGroup === undefined ? "" : ` in ${accessGroup}`;
        return `${LAYER}:${keychainService}:${isAuthenticated ? "auth" : "no-auth"}:${key}${group}`;
    },

    *read(phone, key, options, suffix) {
        for (const isAuthenticated of [false, true]) {
            const outcome = yield { verb: "read-secret", args: { name: this.name(key, options, isAuthenticated) } };
            if (outcome.done) return outcome.answer;
            if (!isMissing(outcome)) throw failed(phone, "read", suffix, outcome);
        }
        return null;
    },

    *store(phone, key, value, options, suffix) {
        const { requireAuthentication = false, keychainAccessible = WHEN_UNLOCKED } = options;
        const name = this.name(key, options, requireAuthentication);
        const { accessibility, migrates } = AVAILABLE[keychainAccessible];
        const access = requireAuthentication ? "current-set" : "none";
        const args = { name, value, access, accessibility, ...(migrates && !requireAuthentication ? { migrates } : {}) };
        const existing = (yield SECRETS).find((item) => item.name === name);
        if (existing) {
            // An update opens the item, and keeps its protection.
            const opened = yield { verb: "read-secret", args: { name } };
            if (!opened.done && !isMissing(opened)) throw failed(phone, "store", suffix, opened);
            if (opened.done) {
                args.accessibility = existing.accessibility;
                delete args.migrates;
                if (existing.migrates) args.migrates = "yes";
            }
        }
        const outcome = yield { verb: "store-secret", args };
        if (!outcome.done) throw failed(phone, "store", suffix, outcome);
        yield { verb: "delete-secret", args: { name: this.name(key, options, !requireAuthentication) } };
    },

    *delete(key, options) {
        for (const isAuthenticated of [true, false]) yield { verb: "delete-secret", args: { name: this.name(key, options, isAuthenticated) } };
    },
};

const ANDROID = {
    name: (key, { keychainService = "key_v1" }) => `${LAYER}:${keychainService}-${key}`,

    *read(phone, key, options, suffix) {
        const name = this.name(key, options);
        const checked = yield { verb: "check-secret", args: { name } };
        if (!checked.done && isLost(checked)) return null;
        const outcome = yield { verb: "read-secret", args: { name } };
        if (outcome.done) return outcome.answer;
        if (isLost(outcome)) return null;
        throw failed(phone, "read", suffix, outcome);
    },

    *store(phone, key, value, options, suffix) {
        const args = { name: this.name(key, options), value, access: "none" };
        if (options.requireAuthentication) Object.assign(args, { access: "current-set", prompts: "yes" });
        const outcome = yield { verb: "store-secret", args };
        if (!outcome.done) throw failed(phone, "store", suffix, outcome);
    },

    *delete(key, options) {
        yield { verb: "delete-secret", args: { name: this.name(key, options) } };
    },
};

/** Whether the package reads `null`: the item is missing, or its key was invalidated. */
const isLost = (refusal) => isMissing(refusal) || refusal.faces?.some((error) => error.name === "KeyPermanentlyInvalidatedException");
const stepsOf = (phone) => phone.isIOS ? IOS : ANDROID;

export async function isAvailableAsync() {
    currentPhone();
    return true;
}

export async function getItemAsync(key, options = {}) {
    const phone = checked("getItemAsync", key, options);
    return phone.run(stepsOf(phone).read(phone, key, options, "Async"));
}

export async function setItemAsync(key, value, options = {}) {
    const phone = checked("setItemAsync", key, options);
    checkValue(value);
    await phone.run(stepsOf(phone).store(phone, key, value, options, "Async"));
}

export async function deleteItemAsync(key, options = {}) {
    const phone = checked("deleteItemAsync", key, options);
    await phone.run(stepsOf(phone).delete(key, options));
}

export function getItem(key, options = {}) {
    const phone = checked("getItem", key, options);
    return phone.runBlocking(stepsOf(phone).read(phone, key, options, "Sync"));
}

export function setItem(key, value, options = {}) {
    const phone = checked("setItem", key, options);
    checkValue(value);
    phone.runBlocking(stepsOf(phone).store(phone, key, value, options, "Sync"));
}

export function canUseBiometricAuthentication() {
    const phone = currentPhone();
    return phone.runBlocking(function* () {
        return (yield { verb: "can-verify", args: phone.isIOS ? {} : { strength: "class3" } }).done;
    }());
}
