// An app that imports the packages by their own names; the test of the mapping runs it.
import * as LocalAuthentication from "expo-local-authentication";
import * as SecureStore from "expo-secure-store";
import ReactNativeBiometrics from "react-native-biometrics";
import * as Keychain from "react-native-keychain";
import { Passkey } from "react-native-passkey";
import * as passkeys from "react-native-passkeys";
import { Control } from "touchstone-bench";
import { setPhone } from "touchstone-bench/react-native";

const control = await Control.start();
await setPhone(await control.startDevice("iphone-face-id"));
await Keychain.setGenericPassword("ada", "secret");
await SecureStore.setItemAsync("key", "value");
console.log(JSON.stringify({
    success: (await new ReactNativeBiometrics().simplePrompt({ promptMessage: "Unlock" })).success,
    password: (await Keychain.getGenericPassword()).password,
    types: await LocalAuthentication.supportedAuthenticationTypesAsync(),
    item: await SecureStore.getItemAsync("key"),
    isSupported: Passkey.isSupported() && passkeys.isSupported(),
    isAvailable: (await new ReactNativeBiometrics().isSensorAvailable()).available,
}));
await control.close();
