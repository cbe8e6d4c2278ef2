/** The name of each package with a module here, and the name of its module. */
export const packages = {
    "react-native-passkey": "touchstone-bench/react-native/passkey",
    "react-native-passkeys": "touchstone-bench/react-native/passkeys",
    "react-native-biometrics": "touchstone-bench/react-native/biometrics",
    "react-native-keychain": "touchstone-bench/react-native/keychain",
    "expo-local-authentication": "touchstone-bench/expo/local-authentication",
    "expo-secure-store": "touchstone-bench/expo/secure-store",
};

/** The setting of Jest that replaces the packages with the modules. */
export const moduleNameMapper = Object.fromEntries(Object.entries(packages).map(([name, module]) => [`^${name}$`, module]));

/** The setting of Jest with which Babel translates the ECMAScript modules of this package, React Native and Expo. */
export const transformIgnorePatterns = ["/node_modules/(?!((jest-)?react-native|@react-native|(@|jest-)?expo|touchstone-bench)[^/]*/)"];

/** The setting `test.alias` of Vitest, which replaces the packages with the modules. */
export const alias = Object.entries(packages).map(([name, replacement]) => ({ find: new RegExp(`^${name}$`), replacement }));
