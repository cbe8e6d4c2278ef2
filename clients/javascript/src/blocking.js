/** A device whose calls return when they have ended, and keep the JavaScript thread waiting until then. */
export class BlockingDevice {
    #transport;
    #path;

    constructor(transport, name) {
        this.#transport = transport;
        this.#path = `/v1/devices/${encodeURIComponent(name)}`;
    }

    act(verb, args = {}) {
        return this.#transport.requestBlocking("POST", `${this.#path}/acts`, { verb, arguments: args });
    }

    secrets() {
        return this.#transport.requestBlocking("GET", `${this.#path}/secrets`);
    }
}
