import { ACCESS_CONTROL, ACCESSIBLE } from "./keychain-enums.js";
import { joined, keychainError, split } from "./keychain-items.js";
import { face, isMissing } from "./phone.js";

const STORAGE = "keychain";
const INTERNET = "internet:";
const OTHER_MODULES = "expo-secure-store:";

const ACCESS = {
    [ACCESS_CONTROL.USER_PRESENCE]: "biometry-or-passcode",
    [ACCESS_CONTROL.BIOMETRY_ANY]: "any-biometry",
    [ACCESS_CONTROL.BIOMETRY_CURRENT_SET]: "current-set",
    [ACCESS_CONTROL.DEVICE_PASSCODE]: "passcode",
    [ACCESS_CONTROL.BIOMETRY_ANY_OR_DEVICE_PASSCODE]: "biometry-or-passcode",
    [ACCESS_CONTROL.BIOMETRY_CURRENT_SET_OR_DEVICE_PASSCODE]: "current-set-or-passcode",
};

const AVAILABLE = {
    [ACCESSIBLE.WHEN_UNLOCKED]: { accessibility: "when-unlocked", migrates: "yes" },
    [ACCESSIBLE.AFTER_FIRST_UNLOCK]: { accessibility: "after-first-unlock", migrates: "yes" },
    [ACCESSIBLE.ALWAYS]: { accessibility: "always", migrates: "yes" },
    [ACCESSIBLE.WHEN_PASSCODE_SET_THIS_DEVICE_ONLY]: { accessibility: "when-passcode-set" },
    [ACCESSIBLE.WHEN_UNLOCKED_THIS_DEVICE_ONLY]: { accessibility: "when-unlocked" },
    [ACCESSIBLE.AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY]: { accessibility: "after-first-unlock" },
};

const inGroup = (name, { accessGroup }) => accessGroup === undefined ? name : `${name} in ${accessGroup}`;

/** The Keychain: an item for each service, and one for each server. */
export const ios = {
    generic: (service, options) => inGroup(service, options),
    internet: (server, options) => inGroup(INTERNET + server, options),

    async store(phone, name, credentials, { accessControl, accessible = ACCESSIBLE.AFTER_FIRST_UNLOCK }) {
        await phone.ask("delete-secret", { name });
        const { accessibility, migrates } = AVAILABLE[accessible];
        const args = { name, value: joined(credentials), access: ACCESS[accessControl] ?? "none", accessibility };
        if (accessControl) {
            const available = await phone.ask("can-verify", { allow: "biometrics-or-passcode" });
            if (!available.done) throw keychainError(available, face(available, "la-error")?.message);
        } else if (migrates) {
            args.migrates = migrates;
        }
        const outcome = await phone.ask("store-secret", args);
        if (!outcome.done) throw keychainError(outcome);
        return STORAGE;
    },

    async read(phone, name) {
        const outcome = await phone.ask("read-secret", { name });
        if (outcome.done) {
            const { username, password } = split(outcome.answer);
            return { username, password, storage: STORAGE };
        }
        if (isMissing(outcome)) return false;
        throw keychainError(outcome);
    },

    async has(phone, name) {
        const outcome = await phone.ask("check-secret", { name });
        return outcome.done || !isMissing(outcome);
    },

    services(items, { skipUIAuth }) {
        return items
            .filter((item) => !item.isKey && ![INTERNET, OTHER_MODULES].some((start) => item.name.startsWith(start)))
            .filter((item) => !skipUIAuth || item.access === "none")
            .map((item) => item.name);
    },
};
