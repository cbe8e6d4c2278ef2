// The calls of react-native-biometrics 3.0.1 (README.md, index.ts, ReactNativeBiometrics.m and .java).
import { checkNames, currentPhone, face, isMissing, nativeError, nsError, packageFace, sensors } from "./phone.js";

const LAYER = "react-native-biometrics";

export const TouchID = "TouchID";
export const FaceID = "FaceID";
export const Biometrics = "Biometrics";
export const BiometryTypes = { TouchID, FaceID, Biometrics };

/** The name of the app's only key. */
const keyName = (phone) => phone.isIOS ? "com.rnbiometrics.biometricKey" : "biometric_key";
const laError = (refusal) => nsError("com.apple.LocalAuthentication", face(refusal, "la-error"));
const osStatus = (refusal) => nsError("NSOSStatusErrorDomain", { code: face(refusal, "keychain").code });

/** The outcome of a prompt or a signature that the phone refused: a cancellation is a result where the module knows it. */
function refused(phone, refusal) {
    const { name, message } = packageFace(refusal, LAYER);
    if (name === "User cancellation") return { success: false, error: name };
    if (face(refusal, "keystore")) throw nativeError(`${name}: ${message ?? null}`, `Error generating signature: ${message ?? null}`);
    if (!phone.isIOS) {
        const prompt = face(refusal, "biometric-prompt");
        throw nativeError(prompt.message ?? prompt.name, prompt.message ?? prompt.name);
    }
    // iOS shows the prompt of a signature where the module looks its key up.
    if (name === "signature_error") throw nativeError(name, `Signature error: ${osStatus(refusal)}`);
    throw nativeError(name, face(refusal, "keychain") ? `Key not found: ${message}` : laError(refusal));
}

export default class ReactNativeBiometrics {
    allowDeviceCredentials = false;

    constructor(options) {
        checkNames("ReactNativeBiometrics", options, ["allowDeviceCredentials"]);
        this.allowDeviceCredentials = options?.allowDeviceCredentials ?? false;
    }

    get #verification() {
        const allow = this.allowDeviceCredentials ? "biometrics-or-passcode" : "biometrics";
        return currentPhone().isIOS ? { allow } : { allow, strength: "class3" };
    }

    async isSensorAvailable() {
        const phone = currentPhone();
        const outcome = await phone.ask("can-verify", this.#verification);
        if (!outcome.done) {
            if (phone.isIOS) return { available: false, error: laError(outcome) };
            const error = face(outcome, LAYER)?.name;
            return error ? { available: false, error } : { available: false };
        }
        if (!phone.isIOS) return { available: true, biometryType: Biometrics };
        const hasFace = (await sensors(phone)).some((sensor) => sensor.modality === "face");
        return { available: true, biometryType: hasFace ? FaceID : TouchID };
    }

    async createKeys() {
        const phone = currentPhone();
        const name = keyName(phone);
        await phone.ask("delete-secret", { name });
        const protection = phone.isIOS
            ? { access: this.allowDeviceCredentials ? "biometry-or-passcode" : "any-biometry", accessibility: "when-passcode-set" }
            : { access: "current-set" };
        const outcome = await phone.ask("make-key", { name, algorithm: "RS256", ...protection });
        if (outcome.done) return { publicKey: outcome.answer };
        const { name: code, message } = packageFace(outcome, LAYER);
        throw phone.isIOS
            ? nativeError(code, `Key generation error: ${osStatus(outcome)}`)
            : nativeError(`${code}: ${message}`, code);
    }

    async biometricKeysExist() {
        const phone = currentPhone();
        // On iOS the query finds keys that open; on Android an invalid key keeps its alias.
        if (phone.isIOS) {
            const outcome = await phone.ask("check-secret", { name: keyName(phone) });
            return { keysExist: outcome.done || !isMissing(outcome) };
        }
        const items = await phone.secrets();
        return { keysExist: items.some((item) => item.name === keyName(phone)) };
    }

    async deleteKeys() {
        const phone = currentPhone();
        const { keysExist } = await this.biometricKeysExist();
        if (!keysExist) return { keysDeleted: false };
        const outcome = await phone.ask("delete-secret", { name: keyName(phone) });
        return { keysDeleted: outcome.done };
    }

    async createSignature(options) {
        checkNames("createSignature", options, ["promptMessage", "payload", "cancelButtonText"]);
        const phone = currentPhone();
        const outcome = await phone.ask("sign", { name: keyName(phone), data: options.payload });
        return outcome.done ? { success: true, signature: outcome.answer } : refused(phone, outcome);
    }

    async simplePrompt(options) {
        checkNames("simplePrompt", options, ["promptMessage", "fallbackPromptMessage", "cancelButtonText"]);
        const phone = currentPhone();
        const hasFallback = this.allowDeviceCredentials && options.fallbackPromptMessage !== "";
        const args = { ...this.#verification };
        if (phone.isIOS && !hasFallback) args["fallback-button"] = "no";
        const outcome = await phone.ask("verify", args);
        return outcome.done ? { success: true } : refused(phone, outcome);
    }
}

/** The functions of version 2. */
export const ReactNativeBiometricsLegacy = Object.fromEntries(
    ["isSensorAvailable", "createKeys", "biometricKeysExist", "deleteKeys", "createSignature", "simplePrompt"].map((name) => [
        name, (...args) => new ReactNativeBiometrics()[name](...args),
    ]));
