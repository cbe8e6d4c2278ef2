// Requests to the control API: on a WebSocket, because a `fetch` costs an extension more than a ceremony.

class RequestSocket {
    #socket;
    #waiting = new Map();
    #lastID = 0;

    // Resolves when the WebSocket is open; rejects when it cannot be opened.
    static async open(url) {
        const socket = new WebSocket(url);
        await new Promise((resolve, reject) => {
            socket.onopen = resolve;
            socket.onclose = () => reject(new Error("The control API opens no WebSocket."));
        });
        return new RequestSocket(socket);
    }

    constructor(socket) {
        this.#socket = socket;
        socket.onmessage = ({ data }) => this.#receive(data);
        socket.onclose = () => {
            for (const { reject } of this.#waiting.values()) reject(new Error("The control API has closed the connection."));
            this.#waiting.clear();
        };
    }

    get isOpen() {
        return this.#socket.readyState === WebSocket.OPEN;
    }

    // The status and the JSON of the answer. Aborting the signal ends the request at the server.
    send(method, path, { body, signal } = {}) {
        signal?.throwIfAborted();
        const id = ++this.#lastID;
        const line = JSON.stringify({ id, method, path });
        this.#socket.send(body ? `${line}\n${JSON.stringify(body)}` : line);
        return new Promise((resolve, reject) => {
            const end = () => {
                this.#waiting.delete(id);
                if (this.isOpen) this.#socket.send(JSON.stringify({ cancel: id }));
                reject(signal.reason);
            };
            const settle = (act) => (value) => {
                signal?.removeEventListener("abort", end);
                act(value);
            };
            this.#waiting.set(id, { resolve: settle(resolve), reject: settle(reject) });
            signal?.addEventListener("abort", end);
        });
    }

    #receive(text) {
        const end = text.indexOf("\n");
        const { id, status } = JSON.parse(text.slice(0, end));
        const request = this.#waiting.get(id);
        this.#waiting.delete(id);
        const body = text.slice(end + 1);
        request?.resolve({ status, json: body ? JSON.parse(body) : null });
    }
}

// A control API at a URL.
export class Transport {
    #url;
    #token;
    #socket = null;
    // A port that is forwarded to this computer may be the only one.
    #hasSockets = true;

    constructor(url, token) {
        this.#url = url;
        this.#token = token;
    }

    async send(method, path, options) {
        const socket = this.#hasSockets ? await this.#open() : null;
        return socket ? socket.send(method, path, options) : this.#fetch(method, path, options);
    }

    async #open() {
        if (this.#socket && (await this.#socket)?.isOpen !== false) return this.#socket;
        this.#socket = this.#fetch("POST", "/v1/sockets").then(({ json }) => RequestSocket.open(json.url)).catch(() => {
            this.#hasSockets = false;
            return null;
        });
        return this.#socket;
    }

    async #fetch(method, path, { body, signal } = {}) {
        const answer = await fetch(this.#url + path, {
            // Credentials stay out of the browser's cache.
            method, signal, cache: "no-store",
            headers: { Authorization: `Bearer ${this.#token}`, ...(body ? { "Content-Type": "application/json" } : {}) },
            body: body && JSON.stringify(body),
        });
        return { status: answer.status, json: answer.status === 204 ? null : await answer.json() };
    }
}
