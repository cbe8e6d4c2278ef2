// Requests to the control API: on a WebSocket, because a `fetch` takes an extension longer than a ceremony takes a device.

// The server ends a WebSocket with a larger message, and each character takes at most three bytes.
const LARGEST_TEXT = 300_000;
const PATIENCE = 5_000;
// The status of a request beyond those that a WebSocket carries at once.
const BUSY = 429;

class RequestSocket {
    #socket;
    #waiting = new Map();
    #lastID = 0;

    // Resolves after the greeting of the server; rejects when the WebSocket cannot be opened, or leads to another program.
    static async open({ url, greeting }) {
        const socket = new WebSocket(url);
        const timer = setTimeout(() => socket.close(), PATIENCE);
        try {
            const first = await new Promise((resolve, reject) => {
                socket.onmessage = ({ data }) => resolve(data);
                socket.onclose = () => reject(new Error("The control API opens no WebSocket."));
            });
            if (first !== greeting) throw new Error("Another program has the port of the control API's WebSockets.");
            return new RequestSocket(socket);
        } catch (error) {
            socket.close();
            throw error;
        } finally {
            clearTimeout(timer);
        }
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
    send(method, path, text, signal) {
        signal?.throwIfAborted();
        const id = ++this.#lastID;
        const line = JSON.stringify({ id, method, path });
        this.#socket.send(text === undefined ? line : `${line}\n${text}`);
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
        try {
            const body = text.slice(end + 1);
            request?.resolve({ status, json: body ? JSON.parse(body) : null });
        } catch (error) {
            request.reject(error);
        }
    }
}

// A control API at a URL.
export class Transport {
    #url;
    #token;
    #socket = null;
    // Whether WebSockets can be opened. Of a server behind a forwarded port, callers reach no other port.
    #hasSockets = true;

    constructor(url, token) {
        this.#url = url;
        this.#token = token;
    }

    // The status and the JSON of the answer. Aborting the signal ends the request at the server. With `needsSocket` the answer is
    // null where no WebSocket can carry the request: Chromium ends a worker whose `fetch` waits for 30 seconds.
    async send(method, path, { body, signal, needsSocket = false } = {}) {
        const text = body && JSON.stringify(body);
        const fits = (text ?? "").length <= LARGEST_TEXT;
        if (this.#hasSockets && fits) {
            const socket = await this.#open();
            const answer = await socket?.send(method, path, text, signal);
            if (answer && answer.status !== BUSY) return answer;
        }
        if (!needsSocket) return this.#fetch(method, path, text, signal);
        if (!this.#hasSockets || !fits) return null;
        throw new Error("The control API cannot be reached, or its WebSocket carries too many requests.");
    }

    // The open WebSocket; null where none can be opened.
    async #open() {
        const current = this.#socket;
        if (current && (await current)?.isOpen !== false) return current;
        // Another request may have opened one in the meantime.
        if (this.#socket === current) this.#socket = this.#connect();
        return this.#socket;
    }

    async #connect() {
        let address;
        try {
            const { status, json } = await this.#fetch("POST", "/v1/sockets", undefined, AbortSignal.timeout(PATIENCE));
            if (status !== 201) throw new Error(`POST /v1/sockets: ${status}`);
            address = json;
        } catch {
            // The server does not answer, so the request itself fails with the cause. A later one tries again.
            this.#socket = null;
            return null;
        }
        return RequestSocket.open(address).catch((error) => {
            console.info(`Touchstone: requests go over HTTP: ${error.message}`);
            this.#hasSockets = false;
            return null;
        });
    }

    async #fetch(method, path, text, signal) {
        const answer = await fetch(this.#url + path, {
            // Credentials stay out of the browser's cache.
            method, signal, cache: "no-store", body: text,
            headers: { Authorization: `Bearer ${this.#token}`, ...(text ? { "Content-Type": "application/json" } : {}) },
        });
        return { status: answer.status, json: answer.status === 204 ? null : await answer.json() };
    }
}
