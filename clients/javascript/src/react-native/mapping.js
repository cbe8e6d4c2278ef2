/** The packages that have a module here, and its name. */
export const packages = {
    "react-native-passkey": "touchstone-bench/react-native/passkey",
    "react-native-passkeys": "touchstone-bench/react-native/passkeys",
    "react-native-biometrics": "touchstone-bench/react-native/biometrics",
    "react-native-keychain": "touchstone-bench/react-native/keychain",
    "expo-local-authentication": "touchstone-bench/expo/local-authentication",
    "expo-secure-store": "touchstone-bench/expo/secure-store",
};

/** For Jest's configuration. */
export const moduleNameMapper = Object.fromEntries(Object.entries(packages).map(([name, module]) => [`^${name}$`, module]));

/** For Jest's configuration: Babel translates the modules, which are ECMAScript modules, and those of React Native and Expo. */
export const transformIgnorePatterns = ["/node_modules/(?!((jest-)?react-native|@react-native|(@|jest-)?expo|touchstone-bench)[^/]*/)"];

/** For Vitest's configuration, `test.alias`. */
export const alias = Object.entries(packages).map(([name, replacement]) => ({ find: new RegExp(`^${name}$`), replacement }));
