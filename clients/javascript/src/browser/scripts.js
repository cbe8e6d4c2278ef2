import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";

/** The scripts of one attachment, with names that no page can guess. */
export class Scripts {
    #channel = randomBytes(16).toString("hex");
    // The isolated world of the relay, and the binding that exists in it alone.
    world = `touchstone ${randomBytes(8).toString("hex")}`;
    binding = `touchstone${randomBytes(8).toString("hex")}`;
    page = this.#read("page.js");
    relay = this.#read("relay.js");

    #read(name) {
        return readFileSync(new URL(name, import.meta.url), "utf8")
            .replaceAll("__TOUCHSTONE_CHANNEL__", this.#channel).replaceAll("__TOUCHSTONE_BINDING__", this.binding);
    }

    /** The DevTools commands that prepare a page or a frame with a process of its own. Playwright adds the page's script. */
    get commands() {
        return [
            ["Page.enable", {}],
            ["Runtime.enable", {}],
            ["Runtime.addBinding", { name: this.binding, executionContextName: this.world }],
            ["Page.addScriptToEvaluateOnNewDocument", { source: this.relay, worldName: this.world, runImmediately: true }],
            ["Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: true, flatten: false }],
            ["Runtime.runIfWaitingForDebugger", {}],
        ];
    }
}
