// The compiler checks the declarations with this file, which is not run.
import * as LocalAuthentication from "../src/expo/local-authentication.js";
import * as SecureStore from "../src/expo/secure-store.js";
import { CeremonyError, Control, Device, HandOver } from "../src/index.js";
import { passkeyFixtures } from "../src/playwright/index.js";
import ReactNativeBiometrics, { BiometryTypes } from "../src/react-native/biometrics.js";
import { alias, setPhone } from "../src/react-native/index.js";
import * as Keychain from "../src/react-native/keychain.js";
import { Passkey } from "../src/react-native/passkey.js";
import * as passkeys from "../src/react-native/passkeys.js";

export async function use(): Promise<number> {
    const control = await Control.start({ allowOrigins: ["https://example.org"] });
    const phone = await control.startDevice("iphone-face-id", { clock: "simulated", person: "ask" });
    const state = await phone.state();
    const name: string = state.status.name;
    // @ts-expect-error
    await phone.act("enroll");
    // @ts-expect-error
    await phone.act("enrol", { tempate: "second face" });
    await phone.act("enrol", { template: "second face" });
    // @ts-expect-error
    await control.startDevice("iphone-face-id", { clock: "none" });
    await phone.get({ rpId: "example.org" }, "https://example.org", { signal: new AbortController().signal }).catch((error) => {
        if (error instanceof CeremonyError) return error.deviceReason;
        throw error;
    });
    for await (const event of phone.eventStream()) return event.id + name.length;
    return 0;
}

export async function useModules(phone: Device): Promise<void> {
    await setPhone(phone, { associatedDomains: ["example.org"] });
    // @ts-expect-error
    await setPhone(phone, { domains: [] });
    const rnBiometrics = new ReactNativeBiometrics({ allowDeviceCredentials: true });
    const { available, biometryType } = await rnBiometrics.isSensorAvailable();
    if (available && biometryType === BiometryTypes.FaceID) await rnBiometrics.createKeys();
    const credentials = await Keychain.getGenericPassword({ authenticationPrompt: { title: "Authenticate" } });
    if (credentials) await Keychain.setGenericPassword(credentials.username, "secret", { accessControl: Keychain.ACCESS_CONTROL.BIOMETRY_ANY });
    // @ts-expect-error
    await Keychain.setGenericPassword("ada", "secret", { accessControl: "any" });
    const result = await LocalAuthentication.authenticateAsync({ promptMessage: "Unlock" });
    if (!result.success) console.log(result.error, result.warning);
    const value: string | null = SecureStore.getItem("key", { keychainAccessible: SecureStore.AFTER_FIRST_UNLOCK });
    const made = await Passkey.create({
        rp: { id: "example.org", name: "Example" }, challenge: "AAEC", user: { id: "AQID", name: "ada", displayName: value ?? "Ada" },
        pubKeyCredParams: [{ type: "public-key", alg: -7 }],
    });
    const created = await passkeys.create({ rp: { id: made.id } });
    console.log(created.response.getPublicKey(), alias[0]?.replacement);
}

export async function handOver(control: Control, phone: Device): Promise<Device> {
    const made = await phone.handOver();
    await made.write("ada.json");
    // @ts-expect-error
    await HandOver.read("ada.json", { maxAge: 60 });
    const read = await HandOver.read("ada.json", { maxAgeSeconds: 60 });
    // @ts-expect-error
    read.state = "";
    const scope: "worker" = passkeyFixtures.touchstoneControl[1].scope;
    if (scope !== "worker") return phone;
    return control.startDevice(read, { name: "copy" });
}
