// The calls of react-native-keychain, main branch after 10.0.0 (index.ts, types.ts, enums.ts, RNKeychainManager.mm, KeychainModule.kt).
import { TouchstoneError } from "../errors.js";
import { ACCESS_CONTROL, ACCESSIBLE, AUTHENTICATION_TYPE, BIOMETRY_TYPE, ERROR_CODE, SECURITY_LEVEL, STORAGE_TYPE } from "./keychain-enums.js";
import { android } from "./keychain-android.js";
import { ios } from "./keychain-ios.js";
import { checkChoice, checkNames, currentPhone, isSecure, sensors } from "./phone.js";

export * from "./keychain-enums.js";

const PROMPT = ["title", "subtitle", "description", "cancel"];
const BASE = ["service", "server", "cloudSync", "accessGroup"];
const OPTIONS = {
    set: [...BASE, "accessible", "accessControl", "securityLevel", "storage", "authenticationPrompt"],
    get: [...BASE, "accessControl", "authenticationPrompt"],
    base: BASE,
};

function checked(call, options, known) {
    checkNames(call, options, known);
    checkNames(`authenticationPrompt of ${call}`, options?.authenticationPrompt, PROMPT);
    checkChoice(call, "accessible", options?.accessible, ACCESSIBLE);
    checkChoice(call, "accessControl", options?.accessControl, ACCESS_CONTROL);
    checkChoice(call, "authenticationType", options?.authenticationType, AUTHENTICATION_TYPE);
    checkChoice(call, "securityLevel", options?.securityLevel, SECURITY_LEVEL);
    checkChoice(call, "storage", options?.storage, STORAGE_TYPE);
    const phone = currentPhone();
    if (phone.isIOS && options?.cloudSync) {
        throw new TouchstoneError(`cloudSync of ${call} needs iCloud, which the simulated phone does not have; remove the option.`);
    }
    if (phone.isIOS && options?.accessControl === ACCESS_CONTROL.APPLICATION_PASSWORD) {
        throw new TouchstoneError(`APPLICATION_PASSWORD of ${call} needs a prompt for a password, which is not simulated; use another accessControl.`);
    }
    return { phone, options: options ?? {}, platform: phone.isIOS ? ios : android };
}

const nameOf = (phone, options) => `${options.service ?? (phone.isIOS ? phone.app : "")}`;

export async function setGenericPassword(username, password, given) {
    const { phone, options, platform } = checked("setGenericPassword", given, OPTIONS.set);
    const service = nameOf(phone, options);
    const storage = await platform.store(phone, platform.generic(service, options), { username, password }, options);
    return { service, storage };
}

export async function getGenericPassword(given) {
    const { phone, options, platform } = checked("getGenericPassword", given, OPTIONS.get);
    const service = nameOf(phone, options);
    const found = await platform.read(phone, platform.generic(service, options), options);
    return found && { service, ...found };
}

export async function hasGenericPassword(given) {
    const { phone, options, platform } = checked("hasGenericPassword", given, OPTIONS.base);
    return platform.has(phone, platform.generic(nameOf(phone, options), options));
}

export async function resetGenericPassword(given) {
    const { phone, options, platform } = checked("resetGenericPassword", given, OPTIONS.base);
    await phone.ask("delete-secret", { name: platform.generic(nameOf(phone, options), options) });
    return true;
}

export async function getAllGenericPasswordServices(given) {
    const { phone, options, platform } = checked("getAllGenericPasswordServices", given, ["skipUIAuth"]);
    return platform.services(await phone.secrets(), options);
}

export async function setInternetCredentials(server, username, password, given) {
    const { phone, options, platform } = checked("setInternetCredentials", given, OPTIONS.set);
    const storage = await platform.store(phone, platform.internet(server, options), { username, password }, options);
    return { service: phone.isIOS ? nameOf(phone, options) : server, storage };
}

export async function getInternetCredentials(server, given) {
    const { phone, options, platform } = checked("getInternetCredentials", given, OPTIONS.get);
    const found = await platform.read(phone, platform.internet(server, options), options);
    return found && { [phone.isIOS ? "server" : "service"]: server, ...found };
}

export async function hasInternetCredentials(given) {
    const { phone, options, platform } = checked("hasInternetCredentials", given, OPTIONS.base);
    return platform.has(phone, platform.internet(options.server ?? "", options));
}

export async function resetInternetCredentials(given) {
    const { phone, options, platform } = checked("resetInternetCredentials", given, OPTIONS.base);
    await phone.ask("delete-secret", { name: platform.internet(options.server ?? "", options) });
}

export async function getSupportedBiometryType() {
    const phone = currentPhone();
    const outcome = await phone.ask("can-verify", phone.isIOS ? {} : { strength: "class3" });
    if (!outcome.done) return null;
    const modalities = (await sensors(phone)).map((sensor) => sensor.modality);
    if (phone.isIOS) return modalities.includes("face") ? BIOMETRY_TYPE.FACE_ID : BIOMETRY_TYPE.TOUCH_ID;
    if (modalities.includes("fingerprint")) return BIOMETRY_TYPE.FINGERPRINT;
    return modalities.includes("face") ? BIOMETRY_TYPE.FACE : BIOMETRY_TYPE.IRIS;
}

export async function canImplyAuthentication(given) {
    const { phone, options } = checked("canImplyAuthentication", given, ["authenticationType"]);
    if (!phone.isIOS) return false;
    const isBiometric = options.authenticationType === AUTHENTICATION_TYPE.BIOMETRICS;
    return (await phone.ask("can-verify", { allow: isBiometric ? "biometrics" : "biometrics-or-passcode" })).done;
}

export async function getSecurityLevel(given) {
    const { phone } = checked("getSecurityLevel", given, ["accessControl"]);
    return phone.isIOS ? null : SECURITY_LEVEL.SECURE_HARDWARE;
}

export async function isPasscodeAuthAvailable() {
    const phone = currentPhone();
    return phone.isIOS ? (await phone.ask("can-verify", { allow: "biometrics-or-passcode" })).done : isSecure(phone);
}

const ofIOS = (call) => async () => {
    if (!currentPhone().isIOS) throw new Error(`${call}() is not supported on android yet`);
    throw new TouchstoneError(`${call} needs the passwords of iCloud Keychain, which the simulated phone does not have; replace the call in the test.`);
};

export const requestSharedWebCredentials = ofIOS("requestSharedWebCredentials");
export const setSharedWebCredentials = ofIOS("setSharedWebCredentials");

export default {
    SECURITY_LEVEL, ACCESSIBLE, ACCESS_CONTROL, AUTHENTICATION_TYPE, BIOMETRY_TYPE, STORAGE_TYPE, ERROR_CODE, getSecurityLevel,
    canImplyAuthentication, getSupportedBiometryType, setInternetCredentials, isPasscodeAuthAvailable, getInternetCredentials,
    hasInternetCredentials, resetInternetCredentials, setGenericPassword, getGenericPassword, hasGenericPassword,
    getAllGenericPasswordServices, resetGenericPassword, requestSharedWebCredentials, setSharedWebCredentials,
};
