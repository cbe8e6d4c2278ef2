// Carries requests from the documents' relays to the device, and the answers back.
//
// A port belongs to one document. Its sender is the browser's statement about the document. The port disconnects when the document
// is left or its tab is closed, which ends the document's requests.
import { carry, config, pick, staysAwake } from "./control.js";

// The conditional requests, the latest last.
const suggestions = [];
// The time until a conditional request is sent again when the device or the control API is gone.
const PATIENCE = 2_000;
// The statuses of a request that the control API never takes.
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
        staysAwake(() => answer(port.sender, message, abort.signal)).then((answer) => {
            running.delete(message.id);
            if (!abort.signal.aborted) port.postMessage({ id: message.id, ...answer });
        });
    });
    port.onDisconnect.addListener(() => {
        for (const abort of running.values()) abort.abort();
    });
});

// An empty answer says that the device cannot be reached.
async function answer(sender, message, signal) {
    try {
        const request = { message, ...await statement(sender) };
        const isConditional = message.kind === "get" && message.mediation === "conditional";
        return await (isConditional ? suggest(request, signal) : carry(request, { signal }));
    } catch (error) {
        if (!signal.aborted) console.error("Touchstone:", error);
        return {};
    }
}

// The browser's statement about a document.
async function statement({ origin, tab, frameId }) {
    if (!tab) return {};
    const page = String(tab.id);
    if (frameId === 0) return { origin, topOrigin: origin, page };
    const { url } = await chrome.webNavigation.getFrame({ tabId: tab.id, frameId: 0 });
    return { origin, topOrigin: new URL(url).origin, page };
}

// Carries a conditional request, again where the device or the control API is gone for a while.
async function suggest(request, signal) {
    const { autofill } = await config;
    signal.throwIfAborted();
    const entry = { page: request.page, pick: () => pick(request.page) };
    suggestions.push(entry);
    try {
        while (true) {
            try {
                const answer = await carry({ ...request, autofill }, { signal, needsSocket: true });
                return answer ?? await suggestForButton(entry, request, autofill, signal);
            } catch (error) {
                if (signal.aborted || UNFIT.has(error.status)) throw error;
                console.warn("Touchstone:", error.message);
                await new Promise((resolve) => { setTimeout(resolve, PATIENCE); });
            }
        }
    } finally {
        suggestions.splice(suggestions.indexOf(entry), 1);
    }
}

// Chromium ends a worker whose `fetch` waits for 30 seconds: without a WebSocket the request waits here, for the button only.
async function suggestForButton(entry, request, autofill, signal) {
    const attempt = () => carry({ ...request, autofill: true, waits: false }, { signal });
    const first = autofill ? await attempt() : {};
    if (first.value) return first;
    return new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        entry.pick = async () => {
            const answer = await attempt();
            if (answer.value) resolve(answer);
            return answer.value ? {} : { error: answer.error ?? { name: "NotAllowedError" } };
        };
    });
}

// The user picks the suggested passkey of a tab, or of the tab that asked last. The promise has the page's error for a refusal.
async function pickFor(tabId) {
    const entry = suggestions.findLast(({ page }) => tabId === undefined || page === String(tabId));
    if (!entry) throw new Error("No page waits for a suggestion. The page makes a conditional request first.");
    const { error } = await entry.pick();
    if (error) throw Object.assign(new Error(`The pick ends with ${error.name}.`), { name: error.name });
}

// For programs that evaluate in the worker.
globalThis.touchstonePick = pickFor;

chrome.action.onClicked.addListener((tab) => {
    pickFor(tab.id).catch((error) => console.warn("Touchstone:", error.message));
});
