// The modules for React Native, called as the packages' own documentation calls them.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { TouchstoneError, UnreportedError } from "touchstone-bench";
import { alias, clearPhone, moduleNameMapper, packages, setPhone } from "touchstone-bench/react-native";
import ReactNativeBiometrics, { BiometryTypes, ReactNativeBiometricsLegacy } from "touchstone-bench/react-native/biometrics";
import * as Keychain from "touchstone-bench/react-native/keychain";
import { Passkey } from "touchstone-bench/react-native/passkey";
import * as passkeys from "touchstone-bench/react-native/passkeys";

import { ANDROID_HASH, bench, relyingParty } from "./phones.js";

const IPHONE = "iphone-face-id";
const PIXEL = "pixel-fingerprint";
const CHALLENGE = "AAECAwQFBgcICQoLDA0ODw";
const CREATION = {
    rp: { id: "example.org", name: "Example" }, challenge: CHALLENGE, user: { id: "AQID", name: "ada", displayName: "Ada" },
    pubKeyCredParams: [{ type: "public-key", alg: -7 }],
};
const REQUEST = { rpId: "example.org", challenge: CHALLENGE, userVerification: "required" };

let control;
let withPhone;
let party;
before(async () => {
    ({ control, withPhone } = await bench());
    party = await relyingParty();
});
after(async () => {
    await party.stop();
    await control.close();
});

test("a call without a phone says how to set one", async () => {
    clearPhone();
    for (const call of [() => Passkey.isSupported(), () => passkeys.isSupported()]) assert.throws(call, /await setPhone\(phone\)/);
    for (const call of [() => Keychain.getGenericPassword(), () => new ReactNativeBiometrics().isSensorAvailable(), () => Passkey.get(REQUEST)]) {
        await assert.rejects(call, (error) => error instanceof TouchstoneError && /await setPhone\(phone\)/.test(error.message));
    }
});

test("a computer, a security key and an unknown setting are refused", async () => {
    for (const profile of ["macbook-touch-id", "security-key-pin"]) {
        const device = await control.startDevice(profile);
        await assert.rejects(setPhone(device), /React Native runs on phones/);
        await device.delete();
    }
    await withPhone(IPHONE, (phone) => assert.rejects(setPhone(phone, { domains: [] }), /setPhone has no option domains; its options are app, /));
});

// react-native-passkey

for (const profile of [IPHONE, PIXEL]) {
    test(`react-native-passkey: the relying party verifies a passkey of ${profile}`, () => withPhone(profile, async () => {
        assert.equal(Passkey.isSupported(), true);
        await party.post("/accounts", { username: `passkey-${profile}`, displayName: "Ada" });
        const result = await Passkey.create((await party.post("/passkeys/register/begin")).json);
        const registered = await party.post("/passkeys/register/complete", result);
        assert.equal(registered.status, 201, JSON.stringify(registered.json));
        const signedIn = await party.post("/passkeys/authenticate/complete", await Passkey.get((await party.post("/passkeys/authenticate/begin")).json));
        assert.equal(signedIn.status, 200, JSON.stringify(signedIn.json));
        const { origin } = JSON.parse(Buffer.from(result.response.clientDataJSON, "base64url"));
        assert.equal(origin, profile === IPHONE ? "https://example.org" : `android:apk-key-hash:${ANDROID_HASH}`);
    }));

    test(`react-native-passkey: errors on ${profile} are plain objects with the package's words`, () => withPhone(profile, async (phone) => {
        await assert.rejects(Passkey.getImmediate(REQUEST), { error: "NoCredentials" });
        await assert.rejects(Passkey.get(REQUEST), { error: profile === IPHONE ? "UserCancelled" : "NoCredentials" });
        await Passkey.createPlatformKey(CREATION);
        await phone.plan("cancel");
        await assert.rejects(Passkey.getPlatformKey(REQUEST), (error) => {
            assert.ok(!(error instanceof Error));
            assert.deepEqual(error, {
                error: "UserCancelled",
                message: profile === IPHONE
                    ? "The operation couldn’t be completed. (com.apple.AuthenticationServices.AuthorizationError error 1001.)"
                    : "The user cancelled the request.",
            });
            return true;
        });
        const excludeCredentials = [{ type: "public-key", id: (await phone.credentials())[0].credentialId }];
        await assert.rejects(Passkey.create({ ...CREATION, excludeCredentials }), { error: "CredentialAlreadyExists" });
        await assert.rejects(Passkey.create({ ...CREATION, challenge: "%" }), { error: "InvalidChallenge" });
        await setPhone(phone);
        await assert.rejects(Passkey.get(REQUEST), { error: "RequestFailed" });
    }));
}

test("react-native-passkey: the platform's forms of extensions", async () => {
    const first = new Uint8Array(32).fill(7);
    const withPRF = { ...CREATION, extensions: { prf: { eval: { first } }, largeBlob: { support: "preferred" } } };
    await withPhone(IPHONE, async () => {
        const made = await Passkey.create(withPRF);
        assert.equal(made.clientExtensionResults.prf.enabled, true);
        assert.equal(made.clientExtensionResults.largeBlob.supported, true);
        const allowCredentials = [{ type: "public-key", id: made.id }];
        const wrote = await Passkey.get({ ...REQUEST, allowCredentials, extensions: { largeBlob: { write: new Uint8Array([1, 2, 3]) } } });
        assert.equal(wrote.clientExtensionResults.largeBlob.written, true);
        const read = await Passkey.get({ ...REQUEST, allowCredentials, extensions: { largeBlob: { read: true }, prf: { evalByCredential: [{ [made.id]: { first } }] } } });
        assert.deepEqual(read.clientExtensionResults.largeBlob.blob, [1, 2, 3]);
        assert.match(read.clientExtensionResults.prf.results.first, /^[A-Za-z0-9+/]{43}=$/);
    });
    await withPhone(PIXEL, async () => {
        await Passkey.create(withPRF);
        const answer = await Passkey.get({ ...REQUEST, extensions: { prf: { eval: { first: [...first] } } } });
        assert.match(answer.clientExtensionResults.prf.results.first, /^[A-Za-z0-9_-]{43}$/);
    });
});

test("react-native-passkey: a security key is refused on iOS, and ignored on Android; signals reach the phone", async () => {
    await withPhone(IPHONE, async () => {
        await assert.rejects(Passkey.createSecurityKey(CREATION), /asks for a security key, which the simulated phone does not have; call create/);
        await assert.rejects(Passkey.getSecurityKey(REQUEST), TouchstoneError);
    });
    await withPhone(PIXEL, async (phone) => {
        const { id } = await Passkey.createSecurityKey(CREATION);
        assert.equal((await Passkey.getSecurityKey(REQUEST)).id, id);
        await Passkey.signalAllAcceptedCredentials({ rpId: "example.org", userId: "AQID", allAcceptedCredentialIds: [id] });
        assert.equal((await phone.credentials()).length, 1);
        await Passkey.signalUnknownCredential({ rpId: "example.org", credentialId: id });
        assert.deepEqual(await phone.credentials(), []);
    });
});

test("a cause without a public code is an error of its own", () => withPhone(IPHONE, async (phone) => {
    await phone.act("airplane-mode", { state: "on" });
    await assert.rejects(Passkey.create(CREATION), (error) => error instanceof UnreportedError && error.cause === "offline");
}));

// react-native-passkeys

for (const profile of [IPHONE, PIXEL]) {
    test(`react-native-passkeys: the relying party verifies a passkey of ${profile}`, () => withPhone(profile, async (phone) => {
        assert.deepEqual([passkeys.isSupported(), passkeys.isAutoFillAvalilable()], [true, false]);
        await party.post("/accounts", { username: `passkeys-${profile}`, displayName: "Ada" });
        const created = await passkeys.create((await party.post("/passkeys/register/begin")).json);
        assert.equal(created.response.getPublicKey(), created.response.publicKey);
        assert.equal((await party.post("/passkeys/register/complete", created)).status, 201);
        const answer = await passkeys.get((await party.post("/passkeys/authenticate/begin")).json);
        assert.equal((await party.post("/passkeys/authenticate/complete", answer)).status, 200);
        await phone.plan("cancel");
        await assert.rejects(passkeys.get(REQUEST), profile === IPHONE
            ? { name: "Error", code: "ERR_USER_CANCELLED", message: /AuthorizationError error 1001/ }
            : { name: "Error", code: "Passkey Get", message: "UserCancelled" });
        const excludeCredentials = [{ type: "public-key", id: created.id }];
        await assert.rejects(passkeys.create({ ...CREATION, excludeCredentials }), profile === IPHONE
            ? { code: "ERR_UNKNOWN" }
            : { code: "Passkey Create", message: "DomError: InvalidStateError - One of the excluded credentials exists on the local device" });
        await setPhone(phone);
        await assert.rejects(passkeys.create(CREATION), profile === IPHONE
            ? { code: "ERR_PASSKEY_REQUEST_FAILED" }
            : { code: "Passkey Create", message: "DomError: SecurityError - RP ID cannot be validated." });
    }));
}

test("react-native-passkeys: five wrong faces end its passkeys on iOS, where it needs biometrics", () => withPhone(IPHONE, async (phone) => {
    await passkeys.create(CREATION);
    await failFiveFaces(phone);
    await assert.rejects(passkeys.get(REQUEST), { code: "ERR_BIOMETRIC", message: "Calling the 'get' function has failed\n→ Caused by: Biometrics must be enabled" });
}));

/** Two prompts with two wrong faces each, and one with a fifth. */
async function failFiveFaces(phone, prompt = () => new ReactNativeBiometrics().simplePrompt({ promptMessage: "Unlock" })) {
    await phone.plan("no-match x 2");
    await assert.rejects(prompt(), { code: "biometric_error", message: /com\.apple\.LocalAuthentication Code=-1 / });
    await phone.plan("no-match x 2");
    await assert.rejects(prompt(), { code: "biometric_error" });
    await phone.plan("no-match");
    await assert.rejects(prompt(), { code: "biometric_error", message: /com\.apple\.LocalAuthentication Code=-8 "Biometry is locked out\."/ });
}

// react-native-biometrics

test("react-native-biometrics: the sensor of each phone", async () => {
    for (const [profile, biometryType] of [[IPHONE, BiometryTypes.FaceID], ["iphone-touch-id", BiometryTypes.TouchID], [PIXEL, BiometryTypes.Biometrics]]) {
        await withPhone(profile, async () => {
            assert.deepEqual(await new ReactNativeBiometrics().isSensorAvailable(), { available: true, biometryType });
            assert.deepEqual(await ReactNativeBiometricsLegacy.isSensorAvailable(), { available: true, biometryType });
        });
    }
    await withPhone(IPHONE, async (phone) => {
        await phone.act("unenrol", { template: "owner" });
        const { available, error } = await new ReactNativeBiometrics().isSensorAvailable();
        assert.equal(available, false);
        assert.match(error, /^Error Domain=com\.apple\.LocalAuthentication Code=-7 "No identities are enrolled\."/);
        assert.equal((await new ReactNativeBiometrics({ allowDeviceCredentials: true }).isSensorAvailable()).available, true);
    });
    await withPhone(PIXEL, async (phone) => {
        await phone.act("unenrol", { template: "right index finger" });
        assert.deepEqual(await new ReactNativeBiometrics().isSensorAvailable(), { available: false, error: "BIOMETRIC_ERROR_NONE_ENROLLED" });
    });
});

for (const profile of [IPHONE, PIXEL]) {
    test(`react-native-biometrics: a signature of ${profile} verifies with the public key`, () => withPhone(profile, async (phone) => {
        const rnBiometrics = new ReactNativeBiometrics();
        assert.deepEqual(await rnBiometrics.biometricKeysExist(), { keysExist: false });
        const { publicKey } = await rnBiometrics.createKeys();
        assert.deepEqual(await rnBiometrics.biometricKeysExist(), { keysExist: true });
        const payload = "1700000000some message";
        const { success, signature } = await rnBiometrics.createSignature({ promptMessage: "Sign in", payload });
        assert.equal(success, true);
        const key = createPublicKey({ key: Buffer.from(publicKey, "base64"), format: "der", type: "spki" });
        assert.equal(key.asymmetricKeyDetails.modulusLength, 2048);
        assert.ok(verify("sha256", Buffer.from(payload), key, Buffer.from(signature, "base64")));
        await phone.plan("cancel");
        const cancelled = rnBiometrics.createSignature({ promptMessage: "Sign in", payload });
        if (profile === IPHONE) await assert.rejects(cancelled, { code: "storage_error", message: "Key not found: -128" });
        else assert.deepEqual(await cancelled, { success: false, error: "User cancellation" });
        await phone.plan("cancel");
        assert.deepEqual(await rnBiometrics.simplePrompt({ promptMessage: "Confirm" }), { success: false, error: "User cancellation" });
        assert.deepEqual(await rnBiometrics.simplePrompt({ promptMessage: "Confirm", cancelButtonText: "No" }), { success: true });
        assert.deepEqual(await rnBiometrics.deleteKeys(), { keysDeleted: true });
        assert.deepEqual(await rnBiometrics.deleteKeys(), { keysDeleted: false });
        await assert.rejects(rnBiometrics.createSignature({ promptMessage: "Sign in", payload }), profile === IPHONE
            ? { code: "storage_error", message: "Key not found: error item not found" }
            : { message: /^Error generating signature: / });
        await assert.rejects(rnBiometrics.simplePrompt({ promptMessage: "x", promptMesage: "y" }), /simplePrompt has no option promptMesage/);
    }));
}

test("react-native-biometrics: five wrong faces lock Face ID, and the passcode opens it", () => withPhone(IPHONE, async (phone) => {
    const rnBiometrics = new ReactNativeBiometrics();
    await rnBiometrics.createKeys();
    await failFiveFaces(phone);
    const { available, error } = await rnBiometrics.isSensorAvailable();
    assert.equal(available, false);
    assert.match(error, /Code=-8/);
    await assert.rejects(rnBiometrics.createSignature({ promptMessage: "Sign in", payload: "x" }), {
        code: "storage_error", message: "Key not found: error item authentication failed",
    });
    assert.deepEqual(await new ReactNativeBiometrics({ allowDeviceCredentials: true }).simplePrompt({ promptMessage: "Unlock" }), { success: true });
    assert.equal((await rnBiometrics.createSignature({ promptMessage: "Sign in", payload: "x" })).success, true);
}));

test("react-native-biometrics: a key that stays closed after the prompt signs nothing", () => withPhone(IPHONE, async (phone) => {
    const rnBiometrics = new ReactNativeBiometrics();
    await rnBiometrics.createKeys();
    await phone.act("fault", { name: "key-stays-closed" });
    await assert.rejects(rnBiometrics.createSignature({ promptMessage: "Sign in", payload: "x" }), {
        code: "signature_error", message: /^Signature error: Error Domain=NSOSStatusErrorDomain Code=-25293/,
    });
}));

test("react-native-biometrics: five wrong fingers lock the sensor for thirty seconds", () => withPhone(PIXEL, async (phone) => {
    const rnBiometrics = new ReactNativeBiometrics();
    const message = "Too many attempts. Try again later.";
    await phone.plan("no-match x 5");
    await assert.rejects(rnBiometrics.simplePrompt({ promptMessage: "Unlock" }), { code: message, message });
    await phone.advance("30 s");
    assert.deepEqual(await rnBiometrics.simplePrompt({ promptMessage: "Unlock" }), { success: true });
}));

test("react-native-biometrics: a new finger invalidates the Android key, and the iOS key takes a new face", async () => {
    await withPhone(PIXEL, async (phone) => {
        const rnBiometrics = new ReactNativeBiometrics();
        await rnBiometrics.createKeys();
        await phone.act("enrol", { template: "second finger" });
        await assert.rejects(rnBiometrics.createSignature({ promptMessage: "Sign in", payload: "x" }), {
            code: "Error signing payload: Key permanently invalidated", message: "Error generating signature: Key permanently invalidated",
        });
        assert.deepEqual(await rnBiometrics.biometricKeysExist(), { keysExist: true });
    });
    await withPhone(IPHONE, async (phone) => {
        const rnBiometrics = new ReactNativeBiometrics();
        await rnBiometrics.createKeys();
        await phone.act("enrol", { template: "second face" });
        assert.equal((await rnBiometrics.createSignature({ promptMessage: "Sign in", payload: "x" })).success, true);
        await phone.act("passcode", { change: "remove" });
        assert.deepEqual(await rnBiometrics.biometricKeysExist(), { keysExist: false });
        await assert.rejects(rnBiometrics.createKeys(), { code: "storage_error", message: /^Key generation error: Error Domain=NSOSStatusErrorDomain Code=-25293/ });
    });
});

test("react-native-biometrics: Android makes no key without a finger", () => withPhone(PIXEL, async (phone) => {
    await phone.act("unenrol", { template: "right index finger" });
    await assert.rejects(new ReactNativeBiometrics().createKeys(), { code: /^Error generating public private keys: /, message: "Error generating public private keys" });
}));

// react-native-keychain

for (const [profile, service, storage] of [[IPHONE, "app", "keychain"], [PIXEL, "", Keychain.STORAGE_TYPE.AES_GCM_NO_AUTH]]) {
    test(`react-native-keychain: credentials are kept on ${profile}`, () => withPhone(profile, async (phone) => {
        assert.equal(await Keychain.getGenericPassword(), false);
        assert.deepEqual(await Keychain.setGenericPassword("zuck", "poniesRgr8"), { service, storage });
        assert.deepEqual(await Keychain.getGenericPassword(), { service, username: "zuck", password: "poniesRgr8", storage });
        assert.equal(await Keychain.hasGenericPassword(), true);
        await Keychain.setGenericPassword("ada", "secret", { service: "other" });
        assert.equal((await Keychain.getAllGenericPasswordServices()).includes("other"), true);
        assert.equal(await Keychain.resetGenericPassword(), true);
        assert.equal(await Keychain.getGenericPassword(), false);
        assert.equal((await Keychain.getGenericPassword({ service: "other" })).username, "ada");
        const server = "https://example.org";
        await Keychain.setInternetCredentials(server, "ada", "secret");
        assert.equal(await Keychain.hasInternetCredentials({ server }), true);
        assert.equal((await Keychain.getInternetCredentials(server)).password, "secret");
        await Keychain.resetInternetCredentials({ server });
        assert.equal(await Keychain.getInternetCredentials(server), false);
        await phone.act("store-secret", { name: "of-native-code", value: "token", access: "none" });
        assert.deepEqual((await Keychain.getGenericPassword({ service: "of-native-code" })).password, "token");
        await assert.rejects(Keychain.setGenericPassword("a", "b", { acessible: "x" }), /setGenericPassword has no option acessible/);
        await assert.rejects(Keychain.setGenericPassword("a", "b", { accessControl: "Biometry" }), /Biometry is not a value of the option accessControl/);
    }));
}

test("react-native-keychain: a new face destroys the item of the current set", () => withPhone(IPHONE, async (phone) => {
    const options = { accessControl: Keychain.ACCESS_CONTROL.BIOMETRY_CURRENT_SET, accessible: Keychain.ACCESSIBLE.WHEN_PASSCODE_SET_THIS_DEVICE_ONLY };
    await Keychain.setGenericPassword("ada", "secret", options);
    assert.deepEqual(await Keychain.getAllGenericPasswordServices({ skipUIAuth: true }), []);
    await phone.plan("match");
    assert.equal((await Keychain.getGenericPassword({ authenticationPrompt: { title: "Authenticate" } })).password, "secret");
    await phone.plan("cancel");
    await assert.rejects(Keychain.getGenericPassword(), { code: Keychain.ERROR_CODE.AUTH_CANCELED, message: "User canceled the operation." });
    await phone.act("enrol", { template: "second face" });
    assert.equal(await Keychain.hasGenericPassword(), false);
    assert.equal(await Keychain.getGenericPassword(), false);
}));

test("react-native-keychain: five wrong faces are an authentication error of the Keychain", () => withPhone(IPHONE, async (phone) => {
    await Keychain.setGenericPassword("ada", "secret", { accessControl: Keychain.ACCESS_CONTROL.BIOMETRY_ANY });
    for (const acts of ["no-match x 2", "no-match x 2", "no-match"]) {
        await phone.plan(acts);
        await assert.rejects(Keychain.getGenericPassword(), { code: Keychain.ERROR_CODE.AUTH_ERROR });
    }
    assert.equal(await Keychain.getSupportedBiometryType(), null);
    await phone.act("lock", {});
    await Keychain.setGenericPassword("ada", "secret", { service: "background" });
    await assert.rejects(Keychain.setGenericPassword("ada", "secret", { service: "x", accessible: Keychain.ACCESSIBLE.WHEN_UNLOCKED }), { code: Keychain.ERROR_CODE.AUTH_INTERACTION_NOT_ALLOWED });
}));

test("react-native-keychain: a phone without a passcode protects no item", () => withPhone(IPHONE, async (phone) => {
    await phone.act("passcode", { change: "remove" });
    assert.equal(await Keychain.isPasscodeAuthAvailable(), false);
    assert.equal(await Keychain.canImplyAuthentication({ authenticationType: Keychain.AUTHENTICATION_TYPE.BIOMETRICS }), false);
    await assert.rejects(Keychain.setGenericPassword("ada", "secret", { accessControl: Keychain.ACCESS_CONTROL.USER_PRESENCE }), {
        code: Keychain.ERROR_CODE.PASSCODE_NOT_SET, message: "Passcode not set.",
    });
}));

test("react-native-keychain: an Android key opens for five seconds after a prompt", () => withPhone(PIXEL, async (phone) => {
    const options = { accessControl: Keychain.ACCESS_CONTROL.BIOMETRY_CURRENT_SET };
    await phone.advance("1 min");
    await phone.plan("match");
    assert.equal((await Keychain.setGenericPassword("ada", "secret", options)).storage, Keychain.STORAGE_TYPE.AES_GCM);
    assert.equal((await Keychain.getGenericPassword(options)).password, "secret");
    await phone.checkActs();
    await phone.advance("6 s");
    await phone.plan("no-match x 5");
    await assert.rejects(Keychain.getGenericPassword(options), { code: Keychain.ERROR_CODE.BIOMETRIC_LOCKOUT, message: "Too many attempts. Try again later." });
    await phone.advance("30 s");
    await phone.plan("cancel");
    await assert.rejects(Keychain.getGenericPassword(options), { code: Keychain.ERROR_CODE.AUTH_CANCELED });
    await phone.act("enrol", { template: "second finger" });
    await phone.plan("match");
    assert.equal((await Keychain.getGenericPassword(options)).password, "secret");
    await phone.act("passcode", { change: "remove" });
    await assert.rejects(Keychain.getGenericPassword(options), { code: Keychain.ERROR_CODE.AUTH_INVALIDATED });
}));

test("react-native-keychain: what the phone has", async () => {
    for (const [profile, type, level] of [
        [IPHONE, Keychain.BIOMETRY_TYPE.FACE_ID, null], ["iphone-touch-id", Keychain.BIOMETRY_TYPE.TOUCH_ID, null],
        [PIXEL, Keychain.BIOMETRY_TYPE.FINGERPRINT, Keychain.SECURITY_LEVEL.SECURE_HARDWARE],
        ["pixel-face-class-3", Keychain.BIOMETRY_TYPE.FACE, Keychain.SECURITY_LEVEL.SECURE_HARDWARE],
    ]) {
        await withPhone(profile, async (phone) => {
            const isIOS = level === null;
            assert.equal(await Keychain.getSupportedBiometryType(), type);
            assert.equal(await Keychain.getSecurityLevel(), level);
            assert.equal(await Keychain.isPasscodeAuthAvailable(), true);
            assert.equal(await Keychain.canImplyAuthentication(), isIOS);
            if (isIOS) {
                await assert.rejects(Keychain.requestSharedWebCredentials(), TouchstoneError);
                await assert.rejects(Keychain.setGenericPassword("a", "b", { cloudSync: true }), /needs iCloud/);
            } else {
                await assert.rejects(Keychain.requestSharedWebCredentials(), { message: "requestSharedWebCredentials() is not supported on android yet" });
                await assert.rejects(Keychain.setGenericPassword("", "b"), { code: Keychain.ERROR_CODE.INVALID_PARAMETERS });
            }
            assert.equal((await phone.secrets()).length, 0);
        });
    }
});

// The mapping

test("Node's own hooks load the modules in place of the packages", async () => {
    const script = fileURLToPath(new URL("mapped-app.mjs", import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, ["--import", "touchstone-bench/react-native/register", script], {
        cwd: fileURLToPath(new URL("..", import.meta.url)),
    });
    assert.deepEqual(JSON.parse(stdout), { success: true, password: "secret", types: [2], item: "value", isSupported: true, isAvailable: true });
});

test("the mappings of Jest and Vitest name the packages exactly", () => {
    for (const name of Object.keys(packages)) {
        const jest = Object.entries(moduleNameMapper).filter(([pattern]) => new RegExp(pattern).test(name));
        assert.deepEqual(jest.map(([, module]) => module), [packages[name]]);
        assert.deepEqual(alias.filter(({ find }) => find.test(name)).map(({ replacement }) => replacement), [packages[name]]);
        assert.ok(!alias.some(({ find }) => find.test(`${name}/lib`)));
    }
});

test("the declarations name every export of the modules", async () => {
    for (const module of ["react-native/index", ...Object.values(packages).map((name) => name.replace("touchstone-bench/", ""))]) {
        const declared = readFileSync(new URL(`../src/${module}.d.ts`, import.meta.url), "utf8");
        const exported = Object.keys(await import(`../src/${module}.js`)).filter((name) => name !== "default");
        const listed = [...declared.matchAll(/^export (?:class|function|const|enum) (\w+)/gm), ...declared.matchAll(/^export \{ (\w+), (\w+) \}/gm)]
            .flatMap(([, ...names]) => names.filter(Boolean));
        assert.deepEqual([...exported].sort(), [...new Set(listed)].sort(), module);
    }
});
