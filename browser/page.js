// Answers a page's requests for passkeys with a simulated device.
//
// The script runs in the page's own world before the page's scripts. It changes the methods of the browser's objects, and
// sends requests to relay.js, which runs in a world that the page cannot reach. The carrier puts options.js and refusals.js in
// front of it, in one block with it, and a random name in the place of __TOUCHSTONE_CHANNEL__.
((channel) => {
    "use strict";

    // WebAuthn exists in secure contexts only.
    if (!self.isSecureContext || !self.PublicKeyCredential || !self.CredentialsContainer) return;

    const { apply } = Reflect;

    const stringify = JSON.stringify;
    const parse = JSON.parse;

    // -- Messages to the relay, on an element that the page never gets.

    // The page may replace the browser's methods later, and would see their objects.
    const { CustomEvent, Event, FocusEvent } = self;
    const { addEventListener, dispatchEvent, removeEventListener } = EventTarget.prototype;
    const { adoptNode } = Document.prototype;
    const detail = Object.getOwnPropertyDescriptor(CustomEvent.prototype, "detail").get;
    const listen = (target, type, listener) => apply(addEventListener, target, [type, listener]);
    const send = (target, event) => apply(dispatchEvent, target, [event]);

    // A browser may run the script twice in a window that a page opens.
    if (!send(document, new Event(channel + "!", { cancelable: true }))) return;
    listen(document, channel + "!", (event) => event.preventDefault());

    const line = document.createElement("i");
    const waiting = new Map();
    let isLinked = false;
    let unsent = [];
    let lastId = 0;

    // A window keeps this world when its first, empty document is replaced by one of the same origin, and an element of the
    // old document receives no more events.
    function follow() {
        apply(adoptNode, document, [line]);
    }

    function announce() {
        follow();
        send(document, new FocusEvent(channel, { relatedTarget: line }));
    }

    // The relay may start later. document.open() removes the listeners of a document, so each unsent message tries again.
    function link() {
        listen(document, channel + "?", announce);
        announce();
    }

    function post(message) {
        const text = stringify(message);
        if (isLinked) {
            follow();
            send(line, new CustomEvent("request", { detail: text }));
        } else {
            unsent.push({ text, owner: document });
            link();
        }
    }

    listen(line, "linked", () => {
        isLinked = true;
        apply(removeEventListener, document, [channel + "?", announce]);
        const requests = unsent;
        unsent = [];
        for (const { text, owner } of requests) {
            if (owner === document) send(line, new CustomEvent("request", { detail: text }));
        }
    });
    listen(line, "answer", (event) => {
        const answer = parse(apply(detail, event, []));
        const request = waiting.get(answer.id);
        if (!request) return;
        waiting.delete(answer.id);
        if (answer.error) request.reject(failure(answer.error));
        else request.resolve(answer.value);
    });
    link();
    // In a window that the browser holds until its debuggers are ready, no listener runs before it goes on.
    setTimeout(() => {
        if (!isLinked) link();
    }, 0);

    const [aborted, reason] = ["aborted", "reason"].map((name) => Object.getOwnPropertyDescriptor(AbortSignal.prototype, name).get);
    const { failure } = refusals;

    function requireRunning(signal) {
        if (signal && apply(aborted, signal, [])) throw apply(reason, signal, []);
    }

    function ask(message, signal) {
        return new Promise((resolve, reject) => {
            const id = ++lastId;
            const onAbort = () => {
                if (!waiting.delete(id)) return;
                post({ id, kind: "cancel" });
                reject(apply(reason, signal, []));
            };
            const end = (settle) => (value) => {
                if (signal) apply(removeEventListener, signal, ["abort", onAbort]);
                settle(value);
            };
            waiting.set(id, { resolve: end(resolve), reject: end(reject) });
            if (signal) listen(signal, "abort", onAbort);
            post({ id, ...message });
        });
    }

    function buffer(base64url) {
        const binary = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
        return Uint8Array.from(binary, (character) => character.charCodeAt(0)).buffer;
    }

    // -- Credentials: objects of the browser's own classes, whose members are read from this table.

    const made = new WeakMap();

    function outputs(json) {
        const results = { ...json };
        const prf = json.prf?.results;
        if (prf) {
            results.prf = {
                ...json.prf,
                results: Object.fromEntries(Object.entries(prf).map(([name, value]) => [name, buffer(value)])),
            };
        }
        if (typeof json.largeBlob?.blob === "string") {
            results.largeBlob = { ...json.largeBlob, blob: buffer(json.largeBlob.blob) };
        }
        if (typeof json.getCredBlob === "string") results.getCredBlob = buffer(json.getCredBlob);
        return results;
    }

    function credential(json, responseClass) {
        const response = Object.create(responseClass.prototype);
        const members = { json: json.response };
        for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "publicKey", "userHandle"]) {
            members[name] = json.response[name] === undefined ? null : buffer(json.response[name]);
        }
        made.set(response, members);
        const result = Object.create(PublicKeyCredential.prototype);
        made.set(result, { json, response, rawId: buffer(json.rawId) });
        return result;
    }

    // Replaces a member of a class: `own` reads it for objects of this script, the browser's code for all others.
    function override(prototype, name, own) {
        const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
        if (!descriptor) return;
        const kind = descriptor.get ? "get" : "value";
        // A proxy keeps the function's name, length and text.
        descriptor[kind] = new Proxy(descriptor[kind], {
            apply: (native, self, values) => {
                const members = made.get(self);
                return members ? own(members) : apply(native, self, values);
            },
        });
        Object.defineProperty(prototype, name, descriptor);
    }

    override(Credential.prototype, "id", (own) => own.json.id);
    override(Credential.prototype, "type", () => "public-key");
    override(PublicKeyCredential.prototype, "rawId", (own) => own.rawId);
    override(PublicKeyCredential.prototype, "response", (own) => own.response);
    override(PublicKeyCredential.prototype, "authenticatorAttachment", (own) => own.json.authenticatorAttachment ?? null);
    override(PublicKeyCredential.prototype, "getClientExtensionResults", (own) => outputs(own.json.clientExtensionResults));
    override(PublicKeyCredential.prototype, "toJSON", (own) => structuredClone(own.json));
    override(AuthenticatorResponse.prototype, "clientDataJSON", (own) => own.clientDataJSON);
    for (const name of ["authenticatorData", "signature", "userHandle"]) {
        override(AuthenticatorAssertionResponse.prototype, name, (own) => own[name]);
    }
    const attestation = AuthenticatorAttestationResponse.prototype;
    override(attestation, "attestationObject", (own) => own.attestationObject);
    override(attestation, "getAuthenticatorData", (own) => own.authenticatorData);
    override(attestation, "getPublicKey", (own) => own.publicKey);
    override(attestation, "getPublicKeyAlgorithm", (own) => own.json.publicKeyAlgorithm);
    override(attestation, "getTransports", (own) => [...own.json.transports]);

    // -- Requests.

    function intercept(target, name, own) {
        const descriptor = Object.getOwnPropertyDescriptor(target, name);
        if (!descriptor) return;
        descriptor.value = new Proxy(descriptor.value, { apply: (native, self, values) => own(native, self, values) });
        Object.defineProperty(target, name, descriptor);
    }

    const { credentials: container } = navigator;
    // Options that no browser refuses, for requests that the browser only reads.
    const anyBytes = new Uint8Array(16);
    const blank = {
        challenge: anyBytes, pubKeyCredParams: [], rp: { name: "" }, user: { id: anyBytes, name: "", displayName: "" },
    };

    // The options, whose members were read once; the other members of the page's object stand behind them.
    function again(given, read, changes = {}) {
        const copy = Object.create(given);
        for (const [name, value] of [...Object.entries(read), ...Object.entries(changes)]) {
            Object.defineProperty(copy, name, { value, enumerable: true, configurable: true });
        }
        return copy;
    }

    // Refuses members of other credential types that the browser cannot convert. An aborted request shows no prompt.
    async function requireReadable(native, self, given) {
        const error = await apply(native, self, [again(given, { publicKey: blank, signal: AbortSignal.abort() })])
            .catch((error) => error);
        if (error instanceof TypeError) throw error;
    }

    // hmacCreateSecret is Chromium's older name of prf in create(), without its results.
    const asksSecret = ({ extensions, user }) => user && extensions?.hmacCreateSecret;

    function withPRF(asked) {
        return asksSecret(asked) ? { ...asked, extensions: { prf: {}, ...asked.extensions } } : asked;
    }

    function withSecret(json, asked) {
        if (!asksSecret(asked)) return json;
        const { prf, ...results } = json.clientExtensionResults;
        const own = { ...results, hmacCreateSecret: prf?.enabled ?? false };
        return { ...json, clientExtensionResults: asked.extensions.prf ? { ...own, prf } : own };
    }

    function ceremony(kind, responseClass) {
        const members = options.members(kind);
        const isOther = (name) => !["publicKey", "mediation", "signal"].includes(name);
        intercept(CredentialsContainer.prototype, kind, (native, self, values) => {
            const given = values[0];
            if (self !== container || !options.isObject(given)) return apply(native, self, values);
            return (async () => {
                const read = options.ceremony(kind, given);
                const all = Object.fromEntries(members.map((name) => [name, read[name]]));
                if (!read.publicKey) return apply(native, self, [again(given, all)]);
                const others = Object.keys(read).filter(isOther);
                if (read.digital !== undefined && "DigitalCredential" in self) {
                    return apply(native, self, [again(given, all, { publicKey: blank })]);
                }
                if (others.length > 0) await requireReadable(native, self, Object.fromEntries(others.map((name) => [name, read[name]])));
                requireRunning(read.signal);
                const error = kind === "create" && refusals.several(others) || refusals.find(kind, read.publicKey);
                if (error) throw error;
                const asked = refusals.simplify(read.publicKey);
                const json = await ask({ kind, mediation: read.mediation ?? "optional", options: withPRF(asked) }, read.signal);
                return credential(withSecret(json, asked), responseClass);
            })();
        });
    }

    ceremony("create", AuthenticatorAttestationResponse);
    ceremony("get", AuthenticatorAssertionResponse);

    const capabilities = () => ask({ kind: "capabilities" });
    intercept(PublicKeyCredential, "isUserVerifyingPlatformAuthenticatorAvailable",
        async () => (await capabilities()).userVerifyingPlatformAuthenticator);
    intercept(PublicKeyCredential, "isConditionalMediationAvailable", async () => (await capabilities()).conditionalGet);
    intercept(PublicKeyCredential, "getClientCapabilities", () => capabilities());

    for (const name of ["signalUnknownCredential", "signalAllAcceptedCredentials", "signalCurrentUserDetails"]) {
        // Firefox 153 has none of these.
        if (!PublicKeyCredential[name]) {
            const { [name]: value } = { [name](options) {} };
            Object.defineProperty(PublicKeyCredential, name, { value, writable: true, enumerable: true, configurable: true });
        }
        intercept(PublicKeyCredential, name, async (native, self, values) => {
            await ask({ kind: "signal", signal: name, options: options.signal(name, values) });
        });
    }

    // The browser stores its own objects only.
    intercept(CredentialsContainer.prototype, "store", async (native, self, values) => {
        if (!made.has(values[0])) return apply(native, self, values);
        throw failure({ name: "NotSupportedError", message: "Store operation not permitted for this credential type." });
    });
})("__TOUCHSTONE_CHANNEL__");
