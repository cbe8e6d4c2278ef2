import { ACCESS_CONTROL, ERROR_CODE, STORAGE_TYPE } from "./keychain-enums.js";
import { joined, keychainError, split } from "./keychain-items.js";
import { face, isMissing, isSecure, nativeError, sensors } from "./phone.js";

const BIOMETRIC = [
    ACCESS_CONTROL.BIOMETRY_ANY, ACCESS_CONTROL.BIOMETRY_CURRENT_SET, ACCESS_CONTROL.BIOMETRY_ANY_OR_DEVICE_PASSCODE,
    ACCESS_CONTROL.BIOMETRY_CURRENT_SET_OR_DEVICE_PASSCODE,
];
const PASSCODE = [
    ACCESS_CONTROL.DEVICE_PASSCODE, ACCESS_CONTROL.BIOMETRY_ANY_OR_DEVICE_PASSCODE,
    ACCESS_CONTROL.BIOMETRY_CURRENT_SET_OR_DEVICE_PASSCODE,
];
const AUTHENTICATED = [STORAGE_TYPE.AES_GCM, STORAGE_TYPE.RSA];
const DEFAULT = "react-native-keychain";
const OTHER_MODULES = "expo-secure-store:";

/** The seconds after a verification in which the package's keys open. */
const VALIDITY = 5;

/** The means of verification that a prompt for these options accepts, as far as the phone has them. */
async function means(phone, { accessControl }) {
    const biometry = BIOMETRIC.includes(accessControl) && (await phone.ask("can-verify", { strength: "class3" })).done;
    const passcode = PASSCODE.includes(accessControl) && await isSecure(phone);
    return { biometry, passcode };
}

/** Performs an act with an item's key; the package shows a prompt when the key needs a more recent verification. */
async function withKey(phone, verb, args, { biometry, passcode }) {
    const outcome = await phone.ask(verb, args);
    if (face(outcome, "keystore")?.name !== "UserNotAuthenticatedException") return outcome;
    const prompt = { allow: passcode ? (biometry ? "biometrics-or-passcode" : "passcode") : "biometrics" };
    if (biometry) prompt.strength = "class3";
    const hasFace = (await sensors(phone)).some((sensor) => sensor.modality === "face");
    if (prompt.allow !== "passcode" && hasFace) prompt.confirmation = "no";
    const verified = await phone.ask("verify", prompt);
    if (!verified.done) throw keychainError(verified, face(verified, "biometric-prompt")?.message);
    return phone.ask(verb, args);
}

/** Preferences encrypted with a key of the Keystore; a service and a server of the same name are the same item. */
export const android = {
    generic: (service) => service || DEFAULT,
    internet: (server) => server || DEFAULT,

    async store(phone, name, credentials, options) {
        if (!credentials.username || !credentials.password) {
            throw nativeError(ERROR_CODE.INVALID_PARAMETERS, "you passed empty or null username/password");
        }
        const accepted = await means(phone, options);
        const hasMeans = accepted.biometry || accepted.passcode;
        const storage = options.storage ?? (hasMeans ? STORAGE_TYPE.AES_GCM : STORAGE_TYPE.AES_GCM_NO_AUTH);
        const args = { name, value: joined(credentials, storage), access: "none" };
        if (AUTHENTICATED.includes(storage)) {
            args.access = accepted.passcode ? (accepted.biometry ? "biometry-or-passcode" : "passcode") : "any-biometry";
            args.validity = VALIDITY;
            // RSA encrypts with the public key.
            if (storage === STORAGE_TYPE.AES_GCM) args.prompts = "yes";
        }
        const outcome = await withKey(phone, "store-secret", args, accepted);
        if (!outcome.done) throw keychainError(outcome);
        return storage;
    },

    async read(phone, name, options) {
        const items = await phone.secrets();
        const item = items.find((item) => item.name === name);
        if (!item) return false;
        const outcome = await withKey(phone, "read-secret", { name }, await means(phone, options));
        if (outcome.done) {
            const { username, password, storage } = split(outcome.answer);
            return { username, password, storage: storage ?? STORAGE_TYPE.AES_GCM_NO_AUTH };
        }
        if (isMissing(outcome)) return false;
        throw keychainError(outcome, face(outcome, "keystore")?.name);
    },

    async has(phone, name) {
        const items = await phone.secrets();
        return items.some((item) => item.name === name);
    },

    services: (items) => items.filter((item) => !item.isKey && !item.name.startsWith(OTHER_MODULES)).map((item) => item.name),
};
