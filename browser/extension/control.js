// The device at the control API. `config.json` names it; the program that writes the extension's folder writes that file.
import { Transport } from "./transport.js";

const config = fetch(chrome.runtime.getURL("config.json")).then((answer) => answer.json());

export const settings = () => config;

// An error for the page: its name, and a message without the device's reasons.
export class PageError extends Error {
    constructor(name) {
        super(name === "NotAllowedError" ? "The operation timed out or was not allowed." : "The operation failed.");
        this.name = name;
    }
}

const transport = config.then(({ control, token }) => new Transport(control, token));

async function request(method, path, options) {
    const answer = await (await transport).send(method, `/v1${path}`, options);
    if (answer === null) return null;
    const { status, json } = answer;
    if (status >= 400) {
        const error = new Error(`${method} ${path}: ${status} ${json?.error?.code}: ${json?.error?.message}`);
        throw Object.assign(error, { status });
    }
    return json;
}

const onDevice = async (method, path, options) =>
    request(method, `/devices/${encodeURIComponent((await config).device)}${path}`, options);

// `kind` is create or get. Aborting the signal ends the request, and with it the prompt on the device.
export async function ceremony(kind, { options, mediation, origin, topOrigin, credentialId, signal }) {
    const { pins, account } = await config;
    const body = { options, mediation, origin, topOrigin, pins, account, credentialId };
    const answer = await onDevice("POST", `/ceremonies/${kind}`, { signal, body });
    if (answer.error) throw new PageError(answer.error.name);
    return answer.credential;
}

// Shows a conditional request in the panel: the ID of the passkey that the user picks there. Null without a WebSocket.
export async function askInPanel({ options, origin, topOrigin, title, signal }) {
    const body = { options, origin, topOrigin, title: title?.slice(0, 200).toWellFormed() };
    const picked = await onDevice("POST", "/browser-requests", { signal, body, needsSocket: true });
    if (picked?.error) throw new PageError(picked.error.name);
    return picked?.credentialId ?? null;
}

// The capabilities of the browser with this device (WebAuthn L3 §5.1.7).
export async function capabilities() {
    const [state, profiles, conditional] = await Promise.all(
        [onDevice("GET", ""), request("GET", "/profiles"), onDevice("GET", "/ceremonies/conditional")]);
    const transports = profiles.find((profile) => profile.name === state.status.profile)?.transports ?? [];
    const isPlatform = transports.includes("internal");
    return {
        conditionalCreate: conditional.isCreateAvailable,
        conditionalGet: conditional.isAvailable,
        hybridTransport: transports.includes("hybrid"),
        passkeyPlatformAuthenticator: isPlatform,
        relatedOrigins: false,
        signalAllAcceptedCredentials: true,
        signalCurrentUserDetails: true,
        signalUnknownCredential: true,
        userVerifyingPlatformAuthenticator: isPlatform && state.gate?.isConfigured === true,
    };
}

const signalPaths = {
    signalUnknownCredential: "unknown-credential",
    signalAllAcceptedCredentials: "all-accepted-credentials",
    signalCurrentUserDetails: "current-user-details",
};

export async function signal(name, options) {
    await onDevice("POST", `/signals/${signalPaths[name]}`, { body: options });
}

export async function hasPasskey(rpId) {
    const stored = await onDevice("GET", "/credentials");
    return stored.some((entry) => entry.rpId === rpId && entry.isDiscoverable);
}

// Chromium ends a service worker that has used none of the browser's interfaces for 30 seconds, though a user may take longer.
const KEEP_ALIVE = 20_000;
let pending = 0;
let timer = null;

export async function staysAwake(work) {
    if (pending++ === 0) timer = setInterval(() => chrome.runtime.getPlatformInfo(), KEEP_ALIVE);
    try {
        return await work();
    } finally {
        if (--pending === 0) clearInterval(timer);
    }
}
