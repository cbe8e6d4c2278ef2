// Answers the browser's own requests for passkeys (chrome.webAuthenticationProxy) with the device.
import { carry, staysAwake } from "./control.js";

const proxy = chrome.webAuthenticationProxy;

const LIMITS = `Touchstone answers the browser's own requests for passkeys in this profile. In this mode:
- conditional requests end at once with NotAllowedError, and isConditionalMediationAvailable() is false; a conditional create()
  shows a prompt;
- signals of pages do not reach the device;
- time-outs are at least three minutes, on the device's clock;
- a virtual authenticator of the DevTools in a tab answers before the device;
- other browser contexts and incognito windows are not reached.`;

// -- Documents that may have made a request.

// The open documents of an origin: those of visible tabs, or all where no visible tab has one.
async function documents(origin) {
    const tabs = await chrome.tabs.query({});
    const found = (await Promise.all(tabs.map(async (tab) => {
        const frames = await chrome.webNavigation.getAllFrames({ tabId: tab.id }) ?? [];
        const top = frames.find((frame) => frame.frameId === 0);
        return frames.filter((frame) => originOf(frame, frames) === origin).map((frame) => ({
            tabId: tab.id, frameId: frame.frameId, documentId: frame.documentId, isVisible: tab.active,
            topOrigin: originOf(top, frames),
        }));
    }))).flat();
    const visible = found.filter((document) => document.isVisible);
    return visible.length > 0 ? visible : found;
}

// about:blank and srcdoc documents have the origin of the document around them.
function originOf(frame, frames) {
    if (!frame) return null;
    if (!frame.url.startsWith("about:")) return new URL(frame.url).origin;
    return originOf(frames.find((other) => other.frameId === frame.parentFrameId), frames);
}

// The browser's statement about a request, as far as its documents agree; empty where they do not. The browser has checked permission
// and gesture itself, and does not name the page around a frame.
function statement({ origin, sameOriginWithAncestors }, candidates) {
    const tops = new Set(candidates.filter((document) => document.frameId !== 0).map((document) => document.topOrigin));
    if (candidates.length === 0 || !sameOriginWithAncestors && tops.size !== 1) return { message: { origin } };
    const topOrigin = sameOriginWithAncestors ? origin : [...tops][0];
    // The documents between a frame and its page are not known either.
    const ancestors = sameOriginWithAncestors ? [] : ["null", topOrigin];
    return { origin, topOrigin, message: { origin, ancestors, permissions: ["create", "get"], hasGesture: true } };
}

// -- Requests.

const running = new Map();

async function serve(kind, { requestId, requestDetailsJson }, complete) {
    const abort = new AbortController();
    const request = { abort, documents: [] };
    running.set(requestId, request);
    const { extensions: { remoteDesktopClientOverride: caller, ...extensions } = {}, ...options } = JSON.parse(requestDetailsJson);
    let answer;
    try {
        request.documents = await documents(caller?.origin);
        const { message, ...stated } = statement(caller ?? { origin: "null" }, request.documents);
        const { value, error, warning } = await carry(
            { ...stated, message: { ...message, kind, options: { ...options, extensions } } }, { signal: abort.signal });
        if (warning) console.warn(warning);
        answer = error ? { error } : { responseJson: JSON.stringify(value) };
    } catch (error) {
        if (!abort.signal.aborted) console.error("Touchstone:", error);
        answer = { error: { name: "NotAllowedError", message: "The device cannot be reached." } };
    }
    // A cancelled request is no longer the browser's.
    if (running.delete(requestId)) await complete.call(proxy, { requestId, ...answer });
}

proxy.onCreateRequest.addListener((request) => staysAwake(() => serve("create", request, proxy.completeCreateRequest)));
proxy.onGetRequest.addListener((request) => staysAwake(() => serve("get", request, proxy.completeGetRequest)));

proxy.onRequestCanceled.addListener((requestId) => {
    const request = running.get(requestId);
    running.delete(requestId);
    request?.abort.abort();
});

proxy.onIsUvpaaRequest.addListener(async ({ requestId }) => {
    let isUvpaa = false;
    try {
        const { value } = await carry({ message: { kind: "capabilities", origin: "null" } });
        isUvpaa = value.userVerifyingPlatformAuthenticator;
    } catch (error) {
        console.error("Touchstone:", error);
    }
    await proxy.completeIsUvpaaRequest({ requestId, isUvpaa });
});

// The browser does not cancel the request of a document that is left, and refuses others until it is answered.
function leave(isLeft) {
    for (const request of running.values()) {
        if (request.documents.length === 0) continue;
        request.documents = request.documents.filter((document) => !isLeft(document));
        if (request.documents.length === 0) request.abort.abort();
    }
}

chrome.webNavigation.onCommitted.addListener(({ tabId, frameId, documentId }) => {
    leave((document) => document.tabId === tabId && document.documentId !== documentId
        && (frameId === 0 || document.frameId === frameId));
});
chrome.tabs.onRemoved.addListener((tabId) => leave((document) => document.tabId === tabId));

// -- The start.

// A failure is the promise's value in some versions of Chromium, and its reason in others. Programs that control the
// browser await the result: earlier requests of pages go to the browser itself.
globalThis.touchstoneAttached = proxy.attach().catch((error) => error.message).then((problem) => {
    if (problem) console.error(`Touchstone: the browser's requests for passkeys cannot be taken over: ${problem}`);
    else console.info(LIMITS);
    return !problem;
});
