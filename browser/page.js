// Answers a page's requests for passkeys with a simulated device.
//
// The script runs in the page's own world before the page's scripts. It changes the methods of the browser's objects, and
// sends requests to relay.js, which runs in a world that the page cannot reach. The carrier puts a random name in the place
// of __TOUCHSTONE_CHANNEL__.
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

    function ask(message, signal) {
        return new Promise((resolve, reject) => {
            if (signal?.aborted) {
                reject(signal.reason);
                return;
            }
            const id = ++lastId;
            const onAbort = () => {
                if (!waiting.delete(id)) return;
                post({ id, kind: "cancel" });
                reject(signal.reason);
            };
            const end = (settle) => (value) => {
                signal?.removeEventListener("abort", onAbort);
                settle(value);
            };
            waiting.set(id, { resolve: end(resolve), reject: end(reject) });
            signal?.addEventListener("abort", onAbort);
            post({ id, ...message });
        });
    }

    function failure({ name, message }) {
        return name === "TypeError" ? new TypeError(message) : new DOMException(message, name);
    }

    // -- Bytes and base64url.

    function text(bytes) {
        let binary = "";
        for (const byte of bytes) binary += String.fromCharCode(byte);
        return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    }

    function buffer(base64url) {
        const binary = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
        return Uint8Array.from(binary, (character) => character.charCodeAt(0)).buffer;
    }

    // The text of a BufferSource (Web IDL §3.2.26); `member` names it in the error.
    function encoded(source, member) {
        if (ArrayBuffer.isView(source)) return text(new Uint8Array(source.buffer, source.byteOffset, source.byteLength));
        if (source instanceof ArrayBuffer) return text(new Uint8Array(source));
        throw new TypeError(`${member} is not a BufferSource.`);
    }

    function required(dictionary, ...members) {
        for (const member of members) {
            if (dictionary?.[member] === undefined) throw new TypeError(`The required member ${member} is undefined.`);
        }
    }

    // -- Options as JSON (WebAuthn L3 §5.1.8).

    function extensions(inputs) {
        if (!inputs) return undefined;
        const values = (pair) => ({
            first: encoded(pair.first, "prf.first"),
            ...(pair.second === undefined ? {} : { second: encoded(pair.second, "prf.second") }),
        });
        const json = { ...inputs };
        if (inputs.prf) {
            json.prf = { ...inputs.prf };
            if (inputs.prf.eval) json.prf.eval = values(inputs.prf.eval);
            if (inputs.prf.evalByCredential) {
                json.prf.evalByCredential = Object.fromEntries(
                    Object.entries(inputs.prf.evalByCredential).map(([id, pair]) => [id, values(pair)]));
            }
        }
        if (inputs.largeBlob?.write !== undefined) {
            json.largeBlob = { ...inputs.largeBlob, write: encoded(inputs.largeBlob.write, "largeBlob.write") };
        }
        if (inputs.credBlob !== undefined) json.credBlob = encoded(inputs.credBlob, "credBlob");
        return json;
    }

    function descriptors(list) {
        return list && Array.from(list, (entry) => {
            required(entry, "id", "type");
            return {
                id: encoded(entry.id, "id"), type: String(entry.type),
                ...(entry.transports ? { transports: Array.from(entry.transports, String) } : {}),
            };
        });
    }

    function creationJSON(options) {
        required(options, "rp", "user", "challenge", "pubKeyCredParams");
        required(options.rp, "name");
        required(options.user, "id", "name", "displayName");
        return {
            ...options,
            rp: { ...options.rp },
            user: { ...options.user, id: encoded(options.user.id, "user.id") },
            challenge: encoded(options.challenge, "challenge"),
            pubKeyCredParams: Array.from(options.pubKeyCredParams, (entry) => ({ ...entry })),
            excludeCredentials: descriptors(options.excludeCredentials),
            extensions: extensions(options.extensions),
        };
    }

    function requestJSON(options) {
        required(options, "challenge");
        return {
            ...options,
            challenge: encoded(options.challenge, "challenge"),
            allowCredentials: descriptors(options.allowCredentials),
            extensions: extensions(options.extensions),
        };
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

    // CredentialMediationRequirement (Credential Management §2.3.2).
    const mediations = ["silent", "optional", "conditional", "required"];

    function ceremony(kind, toJSON, responseClass) {
        intercept(CredentialsContainer.prototype, kind, (native, self, values) => {
            const options = values[0];
            if (!options?.publicKey) return apply(native, self, values);
            return (async () => {
                const json = toJSON(options.publicKey);
                const mediation = options.mediation === undefined ? "optional" : String(options.mediation);
                if (!mediations.includes(mediation)) throw new TypeError(`${mediation} is not a mediation requirement.`);
                return credential(await ask({ kind, mediation, options: json }, options.signal), responseClass);
            })();
        });
    }

    ceremony("create", creationJSON, AuthenticatorAttestationResponse);
    ceremony("get", requestJSON, AuthenticatorAssertionResponse);

    const capabilities = () => ask({ kind: "capabilities" });
    intercept(PublicKeyCredential, "isUserVerifyingPlatformAuthenticatorAvailable",
        async () => (await capabilities()).userVerifyingPlatformAuthenticator);
    intercept(PublicKeyCredential, "isConditionalMediationAvailable", async () => (await capabilities()).conditionalGet);
    intercept(PublicKeyCredential, "getClientCapabilities", () => capabilities());

    const isBase64url = (value) => /^[A-Za-z0-9_-]*$/.test(value);
    const signals = {
        signalUnknownCredential: ["credentialId"],
        signalAllAcceptedCredentials: ["userId", "allAcceptedCredentialIds"],
        signalCurrentUserDetails: ["userId", "name", "displayName"],
    };
    for (const [name, members] of Object.entries(signals)) {
        // Firefox 153 has none of these.
        if (!PublicKeyCredential[name]) {
            const { [name]: value } = { [name](options) {} };
            Object.defineProperty(PublicKeyCredential, name, { value, writable: true, enumerable: true, configurable: true });
        }
        intercept(PublicKeyCredential, name, async (native, self, [options]) => {
            required(options, "rpId", ...members);
            for (const value of [options.credentialId, options.userId, ...(options.allAcceptedCredentialIds ?? [])]) {
                if (value !== undefined && !isBase64url(value)) throw new TypeError("The value is not base64url.");
            }
            const json = Object.fromEntries(["rpId", ...members].map((member) => [member, options[member]]));
            await ask({ kind: "signal", signal: name, options: json });
        });
    }
})("__TOUCHSTONE_CHANNEL__");
