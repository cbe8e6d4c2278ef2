// The calls of expo-local-authentication 16 (LocalAuthentication.ts, LocalAuthentication.types.ts, LocalAuthenticationModule.swift and .kt).
import { checkChoice, checkNames, currentPhone, face, isSecure, nativeError, packageFace, sensors } from "../react-native/phone.js";

const LAYER = "expo-local-authentication";

export const AuthenticationType = { FINGERPRINT: 1, FACIAL_RECOGNITION: 2, IRIS: 3, 1: "FINGERPRINT", 2: "FACIAL_RECOGNITION", 3: "IRIS" };
export const SecurityLevel = {
    NONE: 0, SECRET: 1, BIOMETRIC_WEAK: 2, BIOMETRIC_STRONG: 3, 0: "NONE", 1: "SECRET", 2: "BIOMETRIC_WEAK", 3: "BIOMETRIC_STRONG",
};

const TYPES = { fingerprint: AuthenticationType.FINGERPRINT, face: AuthenticationType.FACIAL_RECOGNITION, iris: AuthenticationType.IRIS };
const OPTIONS = [
    "promptMessage", "promptSubtitle", "promptDescription", "cancelLabel", "disableDeviceFallback", "requireConfirmation",
    "biometricsSecurityLevel", "fallbackLabel",
];
const STRENGTHS = { weak: "class2", strong: "class3" };

/** Android's errors after which the package asks for the screen lock. */
const FALLBACK = [
    "ERROR_HW_NOT_PRESENT", "ERROR_HW_UNAVAILABLE", "ERROR_NO_BIOMETRICS", "ERROR_UNABLE_TO_PROCESS", "ERROR_NO_SPACE",
];

const canVerify = (phone, args) => phone.ask("can-verify", args);
const weak = (phone) => canVerify(phone, phone.isIOS ? {} : { strength: "class2" });

/** Whether the platform says that the phone has a sensor. */
const hasSensor = (phone, outcome) => outcome.done || (phone.isIOS
    ? face(outcome, "la-error")?.name !== "biometryNotAvailable"
    : face(outcome, "biometric-manager")?.name !== "BIOMETRIC_ERROR_NO_HARDWARE");

export async function hasHardwareAsync() {
    const phone = currentPhone();
    return hasSensor(phone, await weak(phone));
}

export async function supportedAuthenticationTypesAsync() {
    const phone = currentPhone();
    if (!phone.isIOS && !hasSensor(phone, await weak(phone))) return [];
    return [...new Set((await sensors(phone)).map((sensor) => TYPES[sensor.modality]))];
}

export async function isEnrolledAsync() {
    const phone = currentPhone();
    const outcome = await weak(phone);
    return outcome.done || face(outcome, "la-error")?.name === "biometryLockout";
}

export async function getEnrolledLevelAsync() {
    const phone = currentPhone();
    if (phone.isIOS) {
        if ((await canVerify(phone, {})).done) return SecurityLevel.BIOMETRIC_STRONG;
        return (await canVerify(phone, { allow: "biometrics-or-passcode" })).done ? SecurityLevel.SECRET : SecurityLevel.NONE;
    }
    if ((await canVerify(phone, { strength: "class3" })).done) return SecurityLevel.BIOMETRIC_STRONG;
    if ((await weak(phone)).done) return SecurityLevel.BIOMETRIC_WEAK;
    return await isSecure(phone) ? SecurityLevel.SECRET : SecurityLevel.NONE;
}

function failure(phone, refusal) {
    const { name } = packageFace(refusal, LAYER);
    if (!phone.isIOS) return { success: false, error: name, warning: face(refusal, "biometric-prompt")?.message ?? "" };
    if (name !== "unknown") return { success: false, error: name };
    const { code } = face(refusal, "la-error");
    return { success: false, error: `unknown: ${code}, The operation couldn’t be completed. (com.apple.LocalAuthentication error ${code}.)` };
}

async function authenticateOnAndroid(phone, { disableDeviceFallback = false, requireConfirmation = true, biometricsSecurityLevel = "weak" }) {
    if (!await isSecure(phone)) {
        const { name } = packageFace(await canVerify(phone, { allow: "passcode" }), LAYER);
        return { success: false, error: name, warning: "KeyguardManager#isDeviceSecure() returned false" };
    }
    const args = { allow: disableDeviceFallback ? "biometrics" : "biometrics-or-passcode", strength: STRENGTHS[biometricsSecurityLevel] };
    const hasFace = (await sensors(phone)).some((sensor) => sensor.modality === "face");
    if (!requireConfirmation && hasFace) args.confirmation = "no";
    let outcome = await phone.ask("verify", args);
    if (!disableDeviceFallback && FALLBACK.includes(face(outcome, "biometric-prompt")?.name)) {
        outcome = await phone.ask("verify", { allow: "passcode" });
    }
    return outcome.done ? { success: true } : failure(phone, outcome);
}

async function authenticateOnIOS(phone, { disableDeviceFallback = false, fallbackLabel }) {
    const args = { allow: disableDeviceFallback ? "biometrics" : "biometrics-or-passcode" };
    if (fallbackLabel === "") args["fallback-button"] = "no";
    const outcome = await phone.ask("verify", args);
    return outcome.done ? { success: true } : failure(phone, outcome);
}

export async function authenticateAsync(options = {}) {
    checkNames("authenticateAsync", options, OPTIONS);
    checkChoice("authenticateAsync", "biometricsSecurityLevel", options.biometricsSecurityLevel, Object.keys(STRENGTHS));
    if (Object.hasOwn(options, "promptMessage") && (typeof options.promptMessage !== "string" || options.promptMessage === "")) {
        throw new Error("LocalAuthentication.authenticateAsync : `options.promptMessage` must be a non-empty string.");
    }
    const phone = currentPhone();
    return phone.isIOS ? authenticateOnIOS(phone, options) : authenticateOnAndroid(phone, options);
}

export async function cancelAuthenticate() {
    const phone = currentPhone();
    if (phone.isIOS) {
        throw nativeError(
            "ERR_UNAVAILABLE",
            "The method or property expo-local-authentication.cancelAuthenticate is not available on ios, are you sure you've linked all the native dependencies properly?");
    }
    const { openPrompt } = await phone.device.person();
    if (openPrompt) await phone.device.plan("app-cancel");
}
