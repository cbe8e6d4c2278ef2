import { randomBytes } from "node:crypto";

// The time in which a page makes a conditional request, in seconds.
const HOW_LONG = 30;

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

/** Carries requests of a browser's documents to the control API, and the answers back. */
export class Carrier {
    /** The failures without an answer of the device, such as a control API that ended. */
    errors = [];
    #device;
    scripts;
    #settings;
    #running = new Set();
    #isStopped = false;

    constructor(device, scripts, { pins, account, autofill }) {
        this.#device = device;
        this.scripts = scripts;
        this.#settings = { session: randomBytes(16).toString("hex"), pins, account, autofill };
    }

    /** The DevTools commands that prepare a page or a frame with a process of its own. Playwright adds the page's script. */
    get commands() {
        const { relay, world, binding } = this.scripts;
        return [
            ["Page.enable", {}],
            ["Runtime.enable", {}],
            ["Runtime.addBinding", { name: binding, executionContextName: world }],
            ["Page.addScriptToEvaluateOnNewDocument", { source: relay, worldName: world, runImmediately: true }],
            ["Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: true, flatten: false }],
            ["Runtime.runIfWaitingForDebugger", {}],
        ];
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
        this.#isStopped = true;
        this.#forget(() => true);
    }

    /** A DevTools event of a session. */
    event(session, method, params) {
        // The pages of a detached context still send events.
        if (this.#isStopped) return;
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
            for (const [name, values] of this.commands) frame.send(name, values);
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
    async pick(account) {
        const { session, pins } = this.#settings;
        await this.#device.pickForPage({ session, pins, account, waitSeconds: HOW_LONG });
    }

    #receive(session, context, message) {
        const { id } = message;
        if (message.kind === "cancel") {
            this.#forget((request) => request.session === session && request.context === context && request.id === id);
            return;
        }
        const request = { session, context, id, abort: new AbortController() };
        this.#running.add(request);
        this.#serve(request, { ...this.#settings, message, origin: session.origins.get(context) });
    }

    #forget(concerns) {
        for (const request of [...this.#running].filter(concerns)) {
            this.#running.delete(request);
            // Closing the connection ends the request, and with it the prompt on the device.
            request.abort.abort();
        }
    }

    async #serve(request, body) {
        const { session, context, id, abort } = request;
        let answer;
        try {
            answer = await this.#device.answerPage(body, { signal: abort.signal });
        } catch (error) {
            if (!abort.signal.aborted) this.errors.push(error);
        }
        if (!this.#running.delete(request)) return;
        const expression = `touchstoneAnswer(${JSON.stringify({ id, ...answer })})`;
        session.send("Runtime.evaluate", { expression, contextId: context });
    }
}
