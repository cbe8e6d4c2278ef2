// The calls of react-native-passkeys 0.4 (README.md, index.ts, ReactNativePasskeys.types.ts, ReactNativePasskeysModule.swift and .kt).
import { TouchstoneError } from "../errors.js";
import { ceremony } from "./ceremonies.js";
import { currentPhone, nativeError, packageFace } from "./phone.js";

const LAYER = "react-native-passkeys";

/** The package's error: on iOS the code is that of an exception; on Android the code names the call, and the message is the reason. */
function passkeysError(phone, kind, failure, face) {
    if (phone.isIOS) {
        const platform = failure.faces.find((error) => error.layer === "as-authorization-error");
        return nativeError(face.name, platform
            ? `The operation couldn’t be completed. (com.apple.AuthenticationServices.AuthorizationError error ${platform.code}.)`
            : thrown(kind, face.message));
    }
    const words = face.name === "DomError" ? `DomError: ${failure.pageError} - ${face.message}` : face.name;
    return nativeError(kind === "create" ? "Passkey Create" : "Passkey Get", words);
}

const thrown = (call, message) => `Calling the '${call}' function has failed\n→ Caused by: ${message}`;

async function perform(kind, { signal: _ignoredByTheNativeModules, ...request }) {
    const phone = currentPhone();
    if (phone.isIOS) {
        if (request.authenticatorSelection?.authenticatorAttachment === "cross-platform") {
            throw new TouchstoneError("The request asks for a security key, which the simulated phone does not have; remove authenticatorAttachment.");
        }
        const available = await phone.ask("can-verify");
        if (!available.done) {
            const face = packageFace(available, LAYER);
            throw nativeError(face.name, thrown(kind, face.message));
        }
    }
    return ceremony(phone, kind, request, LAYER, (failure, [face]) => passkeysError(phone, kind, failure, face));
}

export function isSupported() {
    currentPhone();
    return true;
}

export function isAutoFillAvailable() {
    currentPhone();
    return false;
}

// The package's own spelling.
export { isAutoFillAvailable as isAutoFillAvalilable };

export async function create(request) {
    const credential = await perform("create", request);
    return { ...credential, response: { ...credential.response, getPublicKey: () => credential.response.publicKey } };
}

export async function get(request) {
    return perform("get", request);
}
