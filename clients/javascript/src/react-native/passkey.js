// The calls of react-native-passkey 3.6.1 (README.md, Passkey.ts, PasskeyTypes.ts, PasskeyError.ts).
import { TouchstoneError } from "../errors.js";
import { ceremony, largeBlobAndPRF } from "./ceremonies.js";
import { currentPhone } from "./phone.js";

const LAYER = "react-native-passkey";

/** The error that the package throws, a plain object: `error` is the package's code. */
function passkeyError(phone, failure, face) {
    // On iOS the package passes on the description of AuthenticationServices' error.
    const platform = phone.isIOS && failure.faces.find((error) => error.layer === "as-authorization-error");
    const message = platform
        ? `The operation couldn’t be completed. (com.apple.AuthenticationServices.AuthorizationError error ${platform.code}.)`
        : face.message;
    return { error: face.name, message };
}

async function perform(kind, request, { immediate = false } = {}) {
    const phone = currentPhone();
    const answer = await ceremony(phone, kind, largeBlobAndPRF.encoded(request), LAYER, (failure, faces) => {
        return passkeyError(phone, failure, immediate ? faces.at(-1) : faces[0]);
    });
    return phone.isIOS ? largeBlobAndPRF.decoded(answer) : answer;
}

/** Refuses a request for a security key on iOS; Android ignores the choice of a key. */
function refuseSecurityKey(call) {
    if (!currentPhone().isIOS) return;
    throw new TouchstoneError(`${call} asks for a security key, which the simulated phone does not have; call ${call.replace("SecurityKey", "")}.`);
}

export class Passkey {
    static isSupported() {
        currentPhone();
        return true;
    }

    static async create(request) {
        return perform("create", request);
    }

    static async createPlatformKey(request) {
        return perform("create", request);
    }

    static async createSecurityKey(request) {
        refuseSecurityKey("createSecurityKey");
        return perform("create", request);
    }

    static async get(request) {
        return perform("get", request);
    }

    static async getPlatformKey(request) {
        return perform("get", request);
    }

    static async getSecurityKey(request) {
        refuseSecurityKey("getSecurityKey");
        return perform("get", request);
    }

    static async getImmediate(request) {
        return perform("get", request, { immediate: true });
    }

    static async signalUnknownCredential({ rpId, credentialId }) {
        await currentPhone().device.signalUnknownCredential({ rpId, credentialId });
    }

    static async signalAllAcceptedCredentials({ rpId, userId, allAcceptedCredentialIds }) {
        await currentPhone().device.signalAllAcceptedCredentials({ rpId, userId, allAcceptedCredentialIds });
    }
}
