// The modules for Expo, called as the packages' own documentation calls them.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { TouchstoneError } from "touchstone-bench";
import * as LocalAuthentication from "touchstone-bench/expo/local-authentication";
import * as SecureStore from "touchstone-bench/expo/secure-store";

import { bench } from "./phones.js";

const { AuthenticationType, SecurityLevel } = LocalAuthentication;
const IPHONE = "iphone-face-id";
const PIXEL = "pixel-fingerprint";

let control;
let withPhone;
before(async () => { ({ control, withPhone } = await bench()); });
after(() => control.close());

// expo-local-authentication

test("expo-local-authentication: what the phone has", async () => {
    for (const [profile, types, level] of [
        [IPHONE, [AuthenticationType.FACIAL_RECOGNITION], SecurityLevel.BIOMETRIC_STRONG],
        ["iphone-touch-id", [AuthenticationType.FINGERPRINT], SecurityLevel.BIOMETRIC_STRONG],
        [PIXEL, [AuthenticationType.FINGERPRINT], SecurityLevel.BIOMETRIC_STRONG],
        ["android-face-older", [AuthenticationType.FACIAL_RECOGNITION], SecurityLevel.BIOMETRIC_WEAK],
    ]) {
        await withPhone(profile, async () => {
            assert.equal(await LocalAuthentication.hasHardwareAsync(), true, profile);
            assert.equal(await LocalAuthentication.isEnrolledAsync(), true, profile);
            assert.deepEqual(await LocalAuthentication.supportedAuthenticationTypesAsync(), types);
            assert.equal(await LocalAuthentication.getEnrolledLevelAsync(), level, profile);
        });
    }
    for (const [profile, template] of [[IPHONE, "owner"], [PIXEL, "right index finger"]]) {
        await withPhone(profile, async (phone) => {
            await phone.act("unenrol", { template });
            assert.equal(await LocalAuthentication.hasHardwareAsync(), true);
            assert.equal(await LocalAuthentication.isEnrolledAsync(), false);
            assert.equal(await LocalAuthentication.getEnrolledLevelAsync(), SecurityLevel.SECRET);
            await phone.act("passcode", { change: "remove" });
            assert.equal(await LocalAuthentication.getEnrolledLevelAsync(), SecurityLevel.NONE);
        });
    }
});

test("expo-local-authentication: five wrong faces lock Face ID", () => withPhone(IPHONE, async (phone) => {
    const biometricsOnly = { promptMessage: "Unlock", disableDeviceFallback: true };
    assert.deepEqual(await LocalAuthentication.authenticateAsync(), { success: true });
    await phone.plan("cancel");
    assert.deepEqual(await LocalAuthentication.authenticateAsync({ promptMessage: "Unlock" }), { success: false, error: "user_cancel" });
    for (const [acts, error] of [["no-match x 2", "authentication_failed"], ["no-match x 2", "authentication_failed"], ["no-match", "lockout"]]) {
        await phone.plan(acts);
        assert.deepEqual(await LocalAuthentication.authenticateAsync(biometricsOnly), { success: false, error });
    }
    assert.deepEqual(await LocalAuthentication.authenticateAsync(biometricsOnly), { success: false, error: "lockout" });
    assert.equal(await LocalAuthentication.isEnrolledAsync(), true);
    await phone.plan("passcode");
    assert.deepEqual(await LocalAuthentication.authenticateAsync(), { success: true });
}));

test("expo-local-authentication: the fallback button, which an empty label hides", () => withPhone("iphone-touch-id", async (phone) => {
    const options = { disableDeviceFallback: true };
    await phone.plan("no-match", "fallback");
    assert.deepEqual(await LocalAuthentication.authenticateAsync(options), { success: false, error: "user_fallback" });
    await phone.plan("no-match", "fallback", "match");
    assert.deepEqual(await LocalAuthentication.authenticateAsync({ ...options, fallbackLabel: "" }), { success: true });
    assert.deepEqual((await phone.person()).ignored.map(({ act }) => act), ["fallback"]);
    await phone.forgetPlan();
}));

test("expo-local-authentication: an app without permission has no Face ID", () => withPhone(IPHONE, async (phone) => {
    await phone.act("permission", { state: "off" });
    assert.equal(await LocalAuthentication.hasHardwareAsync(), false);
    assert.deepEqual(await LocalAuthentication.authenticateAsync({ disableDeviceFallback: true }), { success: false, error: "not_available" });
    await assert.rejects(LocalAuthentication.cancelAuthenticate(), { code: "ERR_UNAVAILABLE" });
}));

test("expo-local-authentication: Android's errors come with the prompt's text", () => withPhone(PIXEL, async (phone) => {
    await phone.plan("no-match x 5");
    assert.deepEqual(await LocalAuthentication.authenticateAsync({ disableDeviceFallback: true, cancelLabel: "Cancel" }), {
        success: false, error: "lockout", warning: "Too many attempts. Try again later.",
    });
    await phone.plan("passcode");
    assert.deepEqual(await LocalAuthentication.authenticateAsync(), { success: true });
    await phone.advance("30 s");
    await phone.plan("cancel");
    assert.equal((await LocalAuthentication.authenticateAsync({ biometricsSecurityLevel: "strong" })).error, "user_cancel");
    await phone.act("passcode", { change: "remove" });
    assert.deepEqual(await LocalAuthentication.authenticateAsync(), {
        success: false, error: "not_enrolled", warning: "KeyguardManager#isDeviceSecure() returned false",
    });
}));

test("expo-local-authentication: the screen lock stands in for a sensor that is not available", () => withPhone(PIXEL, async (phone) => {
    await phone.act("sensor", { state: "failed" });
    await phone.plan("passcode");
    assert.deepEqual(await LocalAuthentication.authenticateAsync(), { success: true });
    assert.equal((await LocalAuthentication.authenticateAsync({ disableDeviceFallback: true })).error, "not_available");
}));

test("expo-local-authentication: the app cancels an open prompt on Android, and only that one", async () => {
    await withPhone(PIXEL, async (phone) => {
        await LocalAuthentication.cancelAuthenticate();
        assert.deepEqual((await phone.person()).planned, []);
    });
    await withPhone(PIXEL, async (phone) => {
        const waiting = LocalAuthentication.authenticateAsync();
        for await (const { event } of phone.eventStream()) if (event.text.startsWith("prompt for")) break;
        await LocalAuthentication.cancelAuthenticate();
        assert.equal((await waiting).error, "user_cancel");
    }, { person: "ask" });
});

test("expo-local-authentication: a face that the app confirms itself", () => withPhone("pixel-face-class-3", async (phone) => {
    await phone.plan("match", "decline-confirmation");
    assert.equal((await LocalAuthentication.authenticateAsync({ disableDeviceFallback: true })).success, false);
    await phone.plan("match");
    assert.deepEqual(await LocalAuthentication.authenticateAsync({ disableDeviceFallback: true, requireConfirmation: false }), { success: true });
    await phone.checkActs();
}));

test("expo-local-authentication: wrong options are errors", () => withPhone(IPHONE, async () => {
    await assert.rejects(LocalAuthentication.authenticateAsync({ promptMessage: "" }), /must be a non-empty string/);
    await assert.rejects(LocalAuthentication.authenticateAsync({ prompt: "x" }), /authenticateAsync has no option prompt/);
    await assert.rejects(LocalAuthentication.authenticateAsync({ biometricsSecurityLevel: "best" }), /use one of weak, strong/);
}));

// expo-secure-store

for (const profile of [IPHONE, PIXEL]) {
    test(`expo-secure-store: values are kept on ${profile}`, () => withPhone(profile, async () => {
        assert.equal(await SecureStore.isAvailableAsync(), true);
        assert.equal(await SecureStore.getItemAsync("token"), null);
        await SecureStore.setItemAsync("token", "one");
        await SecureStore.setItemAsync("token", "two", { keychainService: "other", keychainAccessible: SecureStore.AFTER_FIRST_UNLOCK });
        assert.equal(await SecureStore.getItemAsync("token"), "one");
        await SecureStore.setItemAsync("token", "three");
        assert.equal(await SecureStore.getItemAsync("token"), "three");
        await SecureStore.deleteItemAsync("token");
        assert.equal(await SecureStore.getItemAsync("token"), null);
        assert.equal(await SecureStore.getItemAsync("token", { keychainService: "other" }), "two");
        await assert.rejects(SecureStore.setItemAsync("a b", "x"), /Invalid key provided to SecureStore/);
        await assert.rejects(SecureStore.setItemAsync("a", 1), /Invalid value provided to SecureStore/);
        await assert.rejects(SecureStore.setItemAsync("a", ""), TouchstoneError);
        await assert.rejects(SecureStore.getItemAsync("a", { keychainservice: "x" }), /getItemAsync has no option keychainservice/);
    }));

    test(`expo-secure-store: synchronous calls on ${profile}`, () => withPhone(profile, async (phone) => {
        assert.equal(SecureStore.getItem("token"), null);
        SecureStore.setItem("token", "one");
        assert.equal(SecureStore.getItem("token"), "one");
        assert.equal(SecureStore.canUseBiometricAuthentication(), true);
        await phone.act("lock-out", {});
        await SecureStore.setItemAsync("other", "one");
        assert.equal(SecureStore.canUseBiometricAuthentication(), profile === PIXEL);
    }));
}

test("expo-secure-store: iOS prompts to read and to update, and a new face destroys the value", () => withPhone(IPHONE, async (phone) => {
    const options = { requireAuthentication: true, authenticationPrompt: "Unlock" };
    await SecureStore.setItemAsync("token", "one", options);
    await phone.plan("match");
    assert.equal(await SecureStore.getItemAsync("token", options), "one");
    await phone.plan("cancel");
    await assert.rejects(SecureStore.setItemAsync("token", "two", options), {
        code: "ERR_KEY_CHAIN", message: "Calling the 'setValueWithKeyAsync' function has failed\n→ Caused by: User canceled the operation.",
    });
    await phone.plan("cancel");
    assert.throws(() => SecureStore.getItem("token", options), { code: "ERR_KEY_CHAIN", message: /'getValueWithKeySync'/ });
    for (const acts of ["no-match x 2", "no-match x 2", "no-match"]) {
        await phone.plan(acts);
        await assert.rejects(SecureStore.getItemAsync("token", options), { code: "ERR_KEY_CHAIN", message: /Provided passphrase\/PIN is incorrect/ });
    }
    await phone.act("unlock", { by: "passcode" });
    await phone.act("enrol", { template: "second face" });
    assert.equal(await SecureStore.getItemAsync("token", options), null);
}));

test("expo-secure-store: Android prompts for each use, and a new finger invalidates the key", () => withPhone(PIXEL, async (phone) => {
    const options = { requireAuthentication: true };
    await phone.plan("cancel");
    await assert.rejects(SecureStore.setItemAsync("token", "one", options), {
        code: "ERR_AUTHENTICATION",
        message: "Call to function 'ExpoSecureStore.setValueWithKeyAsync' has been rejected.\n→ Caused by: User canceled the authentication. Authentication canceled by user",
    });
    assert.equal(await SecureStore.getItemAsync("token"), null);
    await phone.plan("match");
    await SecureStore.setItemAsync("token", "one", options);
    await phone.checkActs();
    await phone.plan("no-match x 5");
    await assert.rejects(SecureStore.getItemAsync("token", options), { code: "ERR_AUTHENTICATION", message: /Caused by: Lockout\. Too many attempts\. Try again later\.$/ });
    await phone.advance("30 s");
    assert.equal(await SecureStore.getItemAsync("token"), "one");
    await phone.act("enrol", { template: "second finger" });
    assert.equal(await SecureStore.getItemAsync("token", options), null);
    await SecureStore.setItemAsync("token", "two", options);
    assert.equal(await SecureStore.getItemAsync("token", options), "two");
    await phone.act("unenrol", { template: "right index finger" });
    await phone.act("unenrol", { template: "second finger" });
    await assert.rejects(SecureStore.setItemAsync("new", "x", options), { code: "ERR_AUTHENTICATION", message: /No biometrics are currently enrolled$/ });
    assert.equal(SecureStore.canUseBiometricAuthentication(), false);
}));
