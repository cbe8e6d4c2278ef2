import { TouchstoneError } from "../errors.js";
import { Carrier } from "./carrier.js";

const EVENTS = [
    "Runtime.executionContextCreated", "Runtime.executionContextDestroyed", "Runtime.executionContextsCleared",
    "Runtime.bindingCalled", "Target.attachedToTarget", "Target.detachedFromTarget", "Target.receivedMessageFromTarget",
];

// The name of the device that answers a context's requests.
const attached = new WeakMap();

function claim(context, device) {
    if (typeof context?.newCDPSession !== "function") {
        // A page, which knows its context.
        if (typeof context?.context === "function") throw new TypeError("attach takes a context; use page.context().");
        throw new TypeError(`attach takes a context of Playwright, found ${context?.constructor?.name ?? context}.`);
    }
    const other = attached.get(context);
    if (other !== undefined) {
        throw new TouchstoneError(`${other} answers the requests of this context, and each context has one device. Detach ${other} first, `
            + `or attach ${device} to another context.`);
    }
    attached.set(context, device);
}

/** A device that answers a context's requests for passkeys. Ends with the context, or with `detach`. */
export class Attachment {
    #carrier;
    #context;
    #onPage = (page) => {
        this.open(page).catch((error) => this.#carrier.errors.push(error));
    };

    constructor(context, carrier) {
        this.#context = context;
        this.#carrier = carrier;
        context.on("page", this.#onPage);
        context.on("close", () => this.#end());
    }

    /** Prepares a page of the context. */
    async open(page) {
        const carrier = this.#carrier;
        try {
            const devtools = await this.#context.newCDPSession(page);
            // A document or page that is gone takes its requests with it.
            const session = carrier.open((method, params) => { devtools.send(method, params).catch(() => undefined); });
            for (const name of EVENTS) devtools.on(name, (params) => carrier.event(session, name, params));
            page.on("close", () => carrier.close(session));
            await Promise.all(carrier.commands.map(([method, params]) => devtools.send(method, params)));
        } catch (error) {
            if (!page.isClosed()) throw error;
        }
    }

    /** The failures without an answer of the device: a control API that ended, a page that had loaded before. */
    get errors() {
        return this.#carrier.errors;
    }

    async pick(account) {
        await this.#carrier.pick(account);
    }

    detach() {
        this.#context.off("page", this.#onPage);
        this.#end();
    }

    #end() {
        this.#carrier.stop();
        attached.delete(this.#context);
    }
}

/** Attaches a device to a browser context of Playwright (Chromium). */
export async function attach(device, context, scripts, settings = {}) {
    claim(context, device.name);
    try {
        return await opened(context, new Carrier(device, scripts, settings));
    } catch (error) {
        attached.delete(context);
        throw error;
    }
}

async function opened(context, carrier) {
    await context.addInitScript({ content: carrier.scripts.page });
    const attachment = new Attachment(context, carrier);
    for (const url of context.pages().map((page) => page.url()).filter((url) => !url.startsWith("about:"))) {
        const text = `The page ${url} loaded before the device was attached, and does not ask it for passkeys. Attach before the `
            + "page loads, or reload it.";
        process.emitWarning(text, "TouchstoneWarning");
        carrier.errors.push(new TouchstoneError(text));
    }
    await Promise.all(context.pages().map((page) => attachment.open(page)));
    return attachment;
}
