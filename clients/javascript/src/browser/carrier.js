import { CeremonyError, TouchstoneError } from "../errors.js";
import { Scripts } from "./scripts.js";

/** A page, or a frame with a process of its own. `send` sends it a DevTools command. */
class Session {
    // The origins of the relays' execution contexts, by their IDs.
    origins = new Map();
    frames = new Map();
    #lastId = 0;

    constructor(send) {
        this.send = send;
    }

    frame(sessionId) {
        const session = new Session((method, params) => {
            const message = JSON.stringify({ id: ++this.#lastId, method, params });
            this.send("Target.sendMessageToTarget", { sessionId, message });
        });
        this.frames.set(sessionId, session);
        return session;
    }
}

/** Carries requests of a browser's documents to a device, and the answers back. */
export class Carrier {
    scripts = new Scripts();
    /** The failures without an answer of the device, such as a control API that ended. */
    errors = [];
    #device;
    #profiles;
    #settings;
    #running = new Set();
    #waiting = [];

    constructor(device, profiles, settings) {
        this.#device = device;
        this.#profiles = profiles;
        this.#settings = settings;
    }

    /** A page's session, whose events go to `event`. */
    open(send) {
        return new Session(send);
    }

    /** The page is closed, or the session of a frame ended. */
    close(session) {
        for (const frame of session.frames.values()) this.close(frame);
        this.#forget((request) => request.session === session);
    }

    stop() {
        this.#forget(() => true);
    }

    /** A DevTools event of a session. */
    event(session, method, params) {
        switch (method) {
        case "Runtime.executionContextCreated":
            if (params.context.name === this.scripts.world) session.origins.set(params.context.id, params.context.origin);
            break;
        case "Runtime.executionContextDestroyed":
            // The document is left: the browser aborts its requests.
            session.origins.delete(params.executionContextId);
            this.#forget((request) => request.session === session && request.context === params.executionContextId);
            break;
        case "Runtime.executionContextsCleared":
            session.origins.clear();
            this.#forget((request) => request.session === session);
            break;
        case "Runtime.bindingCalled":
            if (params.name === this.scripts.binding) this.#receive(session, params.executionContextId, JSON.parse(params.payload));
            break;
        case "Target.attachedToTarget": {
            const frame = session.frame(params.sessionId);
            for (const [name, values] of this.scripts.commands) frame.send(name, values);
            break;
        }
        case "Target.detachedFromTarget": {
            const frame = session.frames.get(params.sessionId);
            session.frames.delete(params.sessionId);
            if (frame) this.close(frame);
            break;
        }
        case "Target.receivedMessageFromTarget": {
            const frame = session.frames.get(params.sessionId);
            const message = JSON.parse(params.message);
            if (frame && message.method) this.event(frame, message.method, message.params);
            break;
        }
        }
    }

    /** The user picks a suggested passkey. A refusal rejects, and the page's request goes on waiting. */
    async pick(account, howLong) {
        await this.#complete(this.#latest() ?? await this.#nextConditional(howLong), account);
    }

    #latest() {
        return [...this.#running].reverse().find((request) => request.isConditional);
    }

    #nextConditional(howLong) {
        return new Promise((resolve, reject) => {
            const timer = setTimeout(() => {
                this.#waiting = this.#waiting.filter((entry) => entry !== found);
                reject(new TouchstoneError("No page waits for a suggestion. The page makes a conditional request first."));
            }, howLong);
            const found = (request) => {
                clearTimeout(timer);
                resolve(request);
            };
            this.#waiting.push(found);
        });
    }

    #receive(session, context, message) {
        if (message.kind === "cancel") {
            this.#forget((request) => request.session === session && request.context === context && request.id === message.id);
            return;
        }
        const origin = session.origins.get(context);
        if (origin === undefined || origin !== message.origin) {
            // The browser's word for the context is the only one that counts; opaque origins differ.
            const error = { name: "NotAllowedError", message: "The origin of the document is not known." };
            this.#answer({ session, context, id: message.id }, { error });
            return;
        }
        const request = {
            session, context, id: message.id, kind: message.kind, origin, options: message.options ?? {},
            topOrigin: message.ancestors.some((ancestor) => ancestor !== origin) ? message.ancestors.at(-1) : undefined,
            mediation: message.mediation,
            isConditional: message.kind === "get" && message.mediation === "conditional", abort: new AbortController(),
        };
        this.#running.add(request);
        if (!request.isConditional) {
            this.#serve(request, message);
            return;
        }
        const waiting = this.#waiting;
        this.#waiting = [];
        for (const found of waiting) found(request);
        if (this.#settings.autofill) this.#autofill(request);
    }

    #forget(concerns) {
        for (const request of [...this.#running].filter(concerns)) {
            this.#running.delete(request);
            // Closing the connection aborts the ceremony on the device.
            request.abort.abort();
        }
    }

    #answer({ session, context, id }, answer) {
        const expression = `touchstoneAnswer(${JSON.stringify({ id, ...answer })})`;
        session.send("Runtime.evaluate", { expression, contextId: context });
    }

    async #serve(request, message) {
        let answer;
        try {
            answer = { value: await this.#value(request, message) };
        } catch (error) {
            if (request.abort.signal.aborted) return;
            answer = { error: error instanceof CeremonyError ? pageError(error.pageError) : this.#unreachable(error) };
        }
        if (this.#running.delete(request)) this.#answer(request, answer);
    }

    #unreachable(error) {
        this.errors.push(error);
        return { name: "NotAllowedError", message: "The device cannot be reached." };
    }

    async #value(request, message) {
        switch (request.kind) {
        case "create":
        case "get":
            return this.#ceremony(request, this.#settings.account);
        case "capabilities":
            return this.#capabilities();
        case "signal":
            await this.#device[message.signal](request.options);
            return null;
        default:
            throw new TouchstoneError(`A document asks for ${request.kind}.`);
        }
    }

    #ceremony({ kind, mediation, options, origin, topOrigin, abort }, account) {
        const user = { topOrigin, pins: this.#settings.pins, account, signal: abort.signal };
        return this.#device[kind](options, origin, kind === "create" ? { mediation, ...user } : user);
    }

    async #complete(request, account) {
        const value = await this.#ceremony(request, account);
        if (this.#running.delete(request)) this.#answer(request, { value });
    }

    async #autofill(request) {
        try {
            const rpId = request.options.rpId ?? new URL(request.origin).hostname;
            const stored = await this.#device.credentials();
            if (stored.some((entry) => entry.rpId === rpId && entry.isDiscoverable)) {
                await this.#complete(request, this.#settings.account);
            }
        } catch (error) {
            // The page learns nothing of a refusal; the request goes on waiting.
            if (!(error instanceof CeremonyError) && !request.abort.signal.aborted) this.errors.push(error);
        }
    }

    /** What the browser with this device says of itself (WebAuthn L3 §5.1.7). */
    async #capabilities() {
        const [state, profiles, conditional] = await Promise.all(
            [this.#device.state(), this.#profiles(), this.#device.conditional()]);
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
}

/** A page learns the error's name only. */
function pageError(name) {
    const message = name === "NotAllowedError" ? "The operation timed out or was not allowed." : "The operation failed.";
    return { name, message };
}
