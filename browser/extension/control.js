// The device at the control API. `config.json` names it; the program that writes the extension's folder writes that file.
import { Transport } from "./transport.js";

export const config = fetch(chrome.runtime.getURL("config.json")).then((answer) => answer.json());

const transport = config.then(({ control, token }) => new Transport(control, token));
// The name of this browser at the control API.
const session = crypto.randomUUID();

async function request(path, body, options) {
    const { device, pins, account } = await config;
    const answer = await (await transport).send(
        "POST", `/v1/devices/${encodeURIComponent(device)}/page-requests${path}`,
        { ...options, body: { session, pins, account, ...body } });
    if (answer === null) return null;
    const { status, json } = answer;
    if (status >= 400) {
        throw Object.assign(new Error(`page-requests${path}: ${status} ${json?.error?.code}: ${json?.error?.message}`), { status });
    }
    return json;
}

// Carries a page's request to the device. Aborting the signal ends the request, and with it the prompt on the device.
export const carry = (body, options) => request("", body, options);

// The user picks a suggested passkey of a page, or of the page that asked last.
export const pick = (page) => request("/pick", { page, waitSeconds: 30 });

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
