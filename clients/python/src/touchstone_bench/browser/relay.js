// Passes requests from page.js to the carrier, and answers back.
//
// The script runs in an isolated world of each document. It reads origin, frame and permissions from the browser's own
// objects there, which the page cannot change, and applies the rules for callers (WebAuthn L3 §5.1.3, §5.1.4, §5.9).
((channel) => {
    "use strict";

    // A browser may run the script twice in a window that a page opens.
    if (globalThis.touchstoneAnswer) return;

    let line = null;
    const running = new Map();
    // The IDs of all requests without an answer.
    const unanswered = new Set();
    // The document of the running requests.
    let owner = document;

    function answer(message) {
        running.delete(message.id);
        unanswered.delete(message.id);
        line?.dispatchEvent(new CustomEvent("answer", { detail: JSON.stringify(message) }));
    }

    function answerAll(error) {
        for (const id of Array.from(unanswered)) answer({ id, error });
    }

    function caller() {
        const ancestors = Array.from(location.ancestorOrigins ?? []);
        return { origin: self.origin, ancestors };
    }

    // A page signals news of its own passkeys only (WebAuthn L3 §5.1.10). No device has a passkey of a public suffix.
    function isOwn(rpId) {
        return `.${new URL(self.origin).hostname}`.endsWith(`.${rpId}`);
    }

    // The error of a caller that may not make a request; null for one that may.
    function objection(request) {
        const { origin, ancestors } = caller();
        const refuse = (name, message) => ({ name, message });
        if (origin === "null") return refuse("NotAllowedError", "The document has an opaque origin.");
        if (request.kind === "signal") {
            return isOwn(request.options.rpId) ? null : refuse("SecurityError", "The RP ID is not a domain of the document.");
        }
        const feature = `publickey-credentials-${request.kind}`;
        const policy = document.permissionsPolicy ?? document.featurePolicy;
        const isCrossOrigin = ancestors.some((ancestor) => ancestor !== origin);
        if (policy ? !policy.allowsFeature(feature) : isCrossOrigin) {
            return refuse("NotAllowedError", `Permissions Policy does not allow ${feature} in this document.`);
        }
        if (request.kind === "create" && isCrossOrigin && !navigator.userActivation?.isActive) {
            return refuse("NotAllowedError", "A frame of another origin needs a gesture of the user to create a passkey.");
        }
        if (request.mediation === "silent") return refuse("NotSupportedError", "Passkeys cannot be used silently.");
        if (running.size > 0) return refuse("OperationError", "A request is already pending.");
        return null;
    }

    const carrier = globalThis.chrome?.runtime?.connect
        ? throughTheExtension()
        : { send: (message) => globalThis.__TOUCHSTONE_BINDING__(JSON.stringify(message)), renew: () => {} };
    // The carrier calls this from outside of the page, in this world.
    globalThis.touchstoneAnswer = answer;

    function throughTheExtension() {
        let port = null;
        return {
            send: (message) => {
                if (!port) {
                    port = chrome.runtime.connect();
                    port.onMessage.addListener(answer);
                    port.onDisconnect.addListener(() => {
                        port = null;
                        answerAll({ name: "NotAllowedError", message: "The extension ended." });
                    });
                }
                port.postMessage(message);
            },
            renew: () => {
                port?.disconnect();
                port = null;
            },
        };
    }

    // A window's first, empty document is replaced by one of the same origin; its requests end with it, this world lives on.
    function leave() {
        if (owner === document) return;
        owner = document;
        for (const id of running.keys()) carrier.send({ id, kind: "cancel" });
        running.clear();
        unanswered.clear();
    }

    // A document that was left, and is shown again with its scripts, has lost its carrier and its requests.
    window.addEventListener("pageshow", ({ persisted }) => {
        if (!persisted) return;
        carrier.renew();
        answerAll({ name: "NotAllowedError", message: "The document was left." });
    });

    function onRequest(event) {
        leave();
        const request = JSON.parse(event.detail);
        if (request.kind === "cancel") {
            running.delete(request.id);
            unanswered.delete(request.id);
            carrier.send(request);
            return;
        }
        const isCeremony = request.kind === "create" || request.kind === "get";
        const error = isCeremony || request.kind === "signal" ? objection(request) : null;
        if (error) {
            answer({ id: request.id, error });
            return;
        }
        if (isCeremony) running.set(request.id, request);
        unanswered.add(request.id);
        carrier.send({ ...request, ...caller(), ...(request.mediation === "conditional" ? { title: document.title } : {}) });
    }

    function onLink(event) {
        line = event.relatedTarget;
        document.removeEventListener(channel, onLink);
        line.addEventListener("request", onRequest);
        line.dispatchEvent(new CustomEvent("linked"));
    }

    function link() {
        document.addEventListener(channel, onLink);
        document.dispatchEvent(new Event(channel + "?"));
    }

    link();
    // In a window that the browser holds until its debuggers are ready, no listener runs before it goes on.
    setTimeout(() => {
        if (!line) link();
    }, 0);
})("__TOUCHSTONE_CHANNEL__");
