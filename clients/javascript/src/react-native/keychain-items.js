import { nativeError, packageFace } from "./phone.js";

const LAYER = "react-native-keychain";

/** The rejection of a call that the phone refused. */
export function keychainError(refusal, platformMessage) {
    const { name, message } = packageFace(refusal, LAYER);
    return nativeError(name, message ?? platformMessage ?? name);
}

/** A user name and a password as one secret. */
export const joined = (credentials, storage) => JSON.stringify({ ...credentials, storage });

/** A secret's user name and password; a secret that another part of the app stored is a password without a user name. */
export function split(secret) {
    try {
        const { username, password, storage } = JSON.parse(secret);
        if (typeof username === "string" && typeof password === "string") return { username, password, storage };
    } catch {
        // Another part of the app stored the secret.
    }
    return { username: "", password: secret };
}
