// Carries requests from the documents' relays to the device, and the answers back.
//
// A port belongs to one document. Its sender is the browser's description of the document; of the relay's messages only the request
// counts. The port disconnects when the document is left or its tab is closed, which ends the document's requests.
import { PageError, askInPanel, capabilities, ceremony, hasPasskey, settings, signal, staysAwake } from "./control.js";

// The conditional requests that wait for the user, the latest last.
const suggestions = [];
// The largest number of them in the panel: each takes one of the 64 requests of the WebSocket.
const MOST_IN_PANEL = 16;
// The time until a request is shown again when the device or the control API is gone.
const PATIENCE = 2_000;
// The statuses of a request that the control API never shows.
const UNFIT = new Set([400, 413, 422]);

chrome.runtime.onConnect.addListener((port) => {
    const running = new Map();
    port.onMessage.addListener((message) => {
        if (message.kind === "cancel") {
            running.get(message.id)?.abort();
            return;
        }
        const abort = new AbortController();
        running.set(message.id, abort);
        staysAwake(() => answer(port, message, abort.signal)).then((result) => {
            running.delete(message.id);
            if (!abort.signal.aborted) port.postMessage({ id: message.id, ...result });
        });
    });
    port.onDisconnect.addListener(() => {
        for (const abort of running.values()) abort.abort();
    });
});

async function answer(port, message, aborted) {
    try {
        return { value: await value(port.sender, message, aborted) };
    } catch (error) {
        if (error instanceof PageError) return { error: { name: error.name, message: error.message } };
        if (!aborted.aborted) console.error("Touchstone:", error);
        return { error: { name: "NotAllowedError", message: "The device cannot be reached." } };
    }
}

async function value(sender, message, aborted) {
    const caller = await origins(sender, message);
    switch (message.kind) {
    case "create":
        return ceremony("create", { ...caller, options: message.options, mediation: message.mediation, signal: aborted });
    case "get": {
        const request = { ...caller, options: message.options, signal: aborted };
        return message.mediation === "conditional" ? suggestion(sender.tab.id, message.title, request) : ceremony("get", request);
    }
    case "capabilities":
        return capabilities();
    case "signal":
        await signal(message.signal, message.options);
        return null;
    default:
        throw new Error(`A document asks for ${message.kind}.`);
    }
}

// The origins for client data (WebAuthn L3 §5.8.1). Refuses a document whose relay names another origin than the browser does.
async function origins({ origin, tab, frameId }, message) {
    if (!/^https?:/.test(origin ?? "") || origin !== message.origin || !tab) throw new PageError("NotAllowedError");
    if (frameId === 0) return { origin };
    const { url } = await chrome.webNavigation.getFrame({ tabId: tab.id, frameId: 0 });
    if (new URL(url).origin !== message.ancestors.at(-1)) throw new PageError("NotAllowedError");
    return message.ancestors.some((ancestor) => ancestor !== origin) ? { origin, topOrigin: message.ancestors.at(-1) } : { origin };
}

// Waits until the user picks the suggestion. A ceremony that the user refuses leaves the request waiting.
function suggestion(tabId, title, request) {
    request.signal.throwIfAborted();
    return new Promise((resolve, reject) => {
        const ended = new AbortController();
        const end = (act, value) => {
            const place = suggestions.indexOf(entry);
            if (place >= 0) suggestions.splice(place, 1);
            ended.abort();
            act(value);
        };
        const entry = {
            tabId, title, request: { ...request, signal: ended.signal }, picking: null, shown: null,
            finish: (credential) => end(resolve, credential),
        };
        suggestions.push(entry);
        request.signal.addEventListener("abort", () => end(reject, request.signal.reason), { once: true });
        serve(entry).catch((error) => end(reject, error));
    });
}

async function serve(entry) {
    const { options, origin, signal } = entry.request;
    await patiently(entry, async () => {
        if ((await settings()).autofill && await hasPasskey(options.rpId ?? new URL(origin).hostname)) await use(entry);
    });
    while (!signal.aborted) {
        if (entry.picking) await entry.picking.catch(() => {});
        else if (suggestions.indexOf(entry) >= MOST_IN_PANEL) await pause();
        else if (!await show(entry)) return;
    }
}

const pause = () => new Promise((resolve) => { setTimeout(resolve, PATIENCE); });

// Shows the request in the panel, and uses the passkey that the user picks there. False where the panel cannot show it.
async function show(entry) {
    entry.shown = new AbortController();
    const signal = AbortSignal.any([entry.shown.signal, entry.request.signal]);
    let credentialId;
    try {
        credentialId = await askInPanel({ ...entry.request, title: entry.title, signal });
    } catch (error) {
        if (error instanceof PageError) throw error;
        if (signal.aborted) return true;
        console.warn("Touchstone:", error.message);
        if (UNFIT.has(error.status)) return false;
        await pause();
        return true;
    } finally {
        entry.shown = null;
    }
    if (credentialId === null) return false;
    await patiently(entry, () => use(entry, credentialId));
    return true;
}

// Leaves the request waiting when the user refuses or the connection is lost.
async function patiently(entry, act) {
    try {
        await act();
    } catch (error) {
        if (error instanceof PageError || entry.request.signal.aborted) return;
        console.warn("Touchstone:", error.message);
        await pause();
    }
}

// The user picks a passkey; without an ID the device asks which one. Meanwhile the panel does not show the request.
function use(entry, credentialId) {
    entry.picking ??= ceremony("get", { ...entry.request, credentialId })
        .then(entry.finish)
        .finally(() => { entry.picking = null; });
    entry.shown?.abort();
    return entry.picking;
}

// The user picks the suggested passkey of a tab, or of the tab that asked last. The promise has the page's error for a refusal.
async function pick(tabId) {
    const entry = suggestions.findLast((entry) => tabId === undefined || entry.tabId === tabId);
    if (!entry) throw new Error("No page waits for a suggestion. The page makes a conditional request first.");
    await use(entry);
}

// For tests that evaluate in the worker.
globalThis.touchstonePick = pick;

chrome.action.onClicked.addListener((tab) => {
    pick(tab.id).catch((error) => console.warn("Touchstone:", error.message));
});
