// Answers the browser's own requests for passkeys (chrome.webAuthenticationProxy) with the device.
import { PageError, capabilities, ceremony, staysAwake } from "./control.js";

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

// The origins for client data (WebAuthn L3 §5.8.1): the browser's statement about the request, checked against its documents.
function caller({ origin, sameOriginWithAncestors }, candidates) {
    if (candidates.length === 0) throw new PageError("NotAllowedError");
    if (sameOriginWithAncestors) return { origin };
    const tops = new Set(candidates.filter((document) => document.frameId !== 0).map((document) => document.topOrigin));
    // The browser does not name the page around the frame.
    if (tops.size !== 1) throw new PageError("NotAllowedError");
    return { origin, topOrigin: [...tops][0] };
}

// -- Requests.

const running = new Map();

async function serve(kind, { requestId, requestDetailsJson }, complete) {
    const abort = new AbortController();
    const request = { abort, documents: [] };
    running.set(requestId, request);
    const { extensions: { remoteDesktopClientOverride: override, ...extensions } = {}, ...options } = JSON.parse(requestDetailsJson);
    let answer;
    try {
        if (!override) throw new PageError("NotAllowedError");
        request.documents = await documents(override.origin);
        const origins = caller(override, request.documents);
        const credential = await ceremony(kind, { ...origins, options: { ...options, extensions }, signal: abort.signal });
        answer = { responseJson: JSON.stringify(credential) };
    } catch (error) {
        if (!(error instanceof PageError) && !abort.signal.aborted) console.error("Touchstone:", error);
        const name = error instanceof PageError ? error.name : "NotAllowedError";
        const { message } = error instanceof PageError ? error : new PageError(name);
        answer = { error: { name, message } };
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
        isUvpaa = (await capabilities()).userVerifyingPlatformAuthenticator;
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
