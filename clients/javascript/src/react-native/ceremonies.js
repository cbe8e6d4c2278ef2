import { CeremonyError, UnreportedError } from "../errors.js";

/** Performs a ceremony of the app; `fail` creates the package's error from the failure and the package's rows in the error table. */
export async function ceremony(phone, kind, options, layer, fail) {
    const relyingPartyID = kind === "create" ? options.rp?.id : options.rpId;
    // AuthenticationServices has no option for a discoverable credential, because each passkey is discoverable.
    const selected = kind === "create" && phone.isIOS
        ? { ...options, authenticatorSelection: { ...options.authenticatorSelection, residentKey: "required" } } : options;
    try {
        return await phone.device[kind](selected, phone.caller(relyingPartyID));
    } catch (failure) {
        if (!(failure instanceof CeremonyError)) throw failure;
        const faces = failure.faces.filter((error) => error.layer === layer);
        if (faces.length === 0) throw new UnreportedError(layer, failure.cause);
        throw fail(failure, faces);
    }
}

function base64URL(value) {
    if (value === undefined) return undefined;
    if (typeof value === "string") return value.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
    const bytes = ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
        : value instanceof ArrayBuffer ? new Uint8Array(value)
        : Uint8Array.from(Array.isArray(value) ? value : Object.values(value));
    return Buffer.from(bytes).toString("base64url");
}

const mapValues = (object, use) => object && Object.fromEntries(Object.entries(object).map(([name, value]) => [name, use(value, name)]));

/** The bytes of extensions, which react-native-passkey takes and returns as arrays. */
export const largeBlobAndPRF = {
    /** A request with its bytes in base64url, as in WebAuthn's JSON. */
    encoded(request) {
        const { largeBlob, prf, ...others } = request.extensions ?? {};
        const values = (pair) => mapValues(pair, base64URL);
        const extensions = { ...others };
        if (largeBlob) extensions.largeBlob = { ...largeBlob, ...(largeBlob.write === undefined ? {} : { write: base64URL(largeBlob.write) }) };
        if (prf) {
            const byCredential = Array.isArray(prf.evalByCredential) ? Object.assign({}, ...prf.evalByCredential) : prf.evalByCredential;
            extensions.prf = { ...prf };
            if (prf.eval) extensions.prf.eval = values(prf.eval);
            if (byCredential) extensions.prf.evalByCredential = mapValues(byCredential, values);
        }
        return request.extensions ? { ...request, extensions } : request;
    },

    /** An answer as on iOS: a large blob is an array of numbers, and results of prf are base64. */
    decoded(answer) {
        const { largeBlob, prf, ...others } = answer.clientExtensionResults ?? {};
        const results = { ...others };
        if (largeBlob) {
            results.largeBlob = { ...largeBlob };
            if (largeBlob.blob !== undefined) results.largeBlob.blob = [...Buffer.from(largeBlob.blob, "base64url")];
        }
        if (prf) {
            results.prf = { ...prf };
            if (prf.results) results.prf.results = mapValues(prf.results, (text) => Buffer.from(text, "base64url").toString("base64"));
        }
        return { ...answer, clientExtensionResults: results };
    },
};
