// Passes requests from page.js to the control API's carrier, and answers back.
//
// The script runs in an isolated world of each document. It states origin, frame and permissions as the browser's own objects
// there have them, which the page cannot change. The carrier applies the rules for callers.
((channel) => {
    "use strict";

    // A browser may run the script twice in a window that a page opens.
    if (globalThis.touchstoneAnswer) return;

    let line = null;
    // The IDs of ceremonies without an answer: one, or none.
    const running = new Set();
    // The IDs of all requests without an answer.
    const unanswered = new Set();
    // The document of the running requests.
    let owner = document;

    // A message without a value and without an error says that no device can be reached. The warning names the device, and stays in
    // this world.
    function answer({ warning, ...message }) {
        if (warning) globalThis.console?.warn(warning);
        running.delete(message.id);
        unanswered.delete(message.id);
        const lost = "value" in message || "error" in message
            ? {} : { error: { name: "NotAllowedError", message: "The device cannot be reached." } };
        line?.dispatchEvent(new CustomEvent("answer", { detail: JSON.stringify({ ...message, ...lost }) }));
    }

    function endAll() {
        for (const id of Array.from(unanswered)) answer({ id });
    }

    // The document's state as the browser has it.
    function statement() {
        const policy = document.permissionsPolicy ?? document.featurePolicy;
        return {
            origin: self.origin,
            ancestors: Array.from(location.ancestorOrigins ?? []),
            permissions: policy && ["create", "get"].filter((kind) => policy.allowsFeature(`publickey-credentials-${kind}`)),
            hasGesture: navigator.userActivation?.isActive ?? false,
            isBusy: running.size > 0,
            title: String(document.title).slice(0, 200).toWellFormed?.(),
        };
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
                        endAll();
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
        for (const id of running) carrier.send({ id, kind: "cancel" });
        running.clear();
        unanswered.clear();
    }

    // A document that was left, and is shown again with its scripts, has lost its carrier and its requests.
    window.addEventListener("pageshow", ({ persisted }) => {
        if (!persisted) return;
        carrier.renew();
        endAll();
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
        const message = { ...request, ...statement() };
        const isCeremony = request.kind === "create" || request.kind === "get";
        if (isCeremony && !message.isBusy) running.add(request.id);
        unanswered.add(request.id);
        carrier.send(message);
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
