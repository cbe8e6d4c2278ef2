import { spawnSync } from "node:child_process";
import http from "node:http";

import { RequestError, TouchstoneError } from "./errors.js";

/** The milliseconds that a blocking request waits for the device's user. */
const LONGEST_WAIT = 60_000;

/** Sends the request that it reads as JSON, and writes the answer as JSON. */
const SENDER = `
    const read = async (stream) => { let text = ""; for await (const chunk of stream.setEncoding("utf8")) text += chunk; return text; };
    read(process.stdin).then((input) => {
        const { url, body, ...options } = JSON.parse(input);
        require("node:http").request(url, options, async (answer) => {
            process.stdout.write(JSON.stringify({ status: answer.statusCode, text: await read(answer) }));
        }).on("error", (error) => { process.stderr.write(error.message); process.exitCode = 1; }).end(body);
    });`;

/** Sends requests with the token, and turns refusals into `RequestError`. */
export class Transport {
    #agent = new http.Agent({ keepAlive: true });
    /** The devices with a plan that was not checked yet, by name. */
    planned = new Map();
    /** The acts without effect of deleted devices, by their names. */
    idle = {};

    constructor(url, token) {
        this.url = url;
        this.token = token;
    }

    /** The answer's JSON; null for an answer without a body. Aborting `signal` closes the connection. */
    async request(method, path, { body, query, signal } = {}) {
        const text = body === undefined ? undefined : JSON.stringify(body);
        const response = await this.#send(method, withQuery(path, query), text, signal, "application/json");
        const answer = await read(response);
        if (response.statusCode >= 400) throw refusal(response, answer);
        return answer === "" ? null : JSON.parse(answer);
    }

    /** Server-sent events: the kept ones, then each new one. */
    async *stream(path, { since, signal } = {}) {
        const response = await this.#send("GET", withQuery(path, { since }), undefined, signal, "text/event-stream");
        if (response.statusCode >= 400) throw refusal(response, await read(response));
        let rest = "";
        let kind = "message";
        try {
            response.setEncoding("utf8");
            for await (const chunk of response) {
                const lines = (rest + chunk).split("\n");
                rest = lines.pop();
                for (const line of lines) {
                    if (line.startsWith("event:")) kind = line.slice(6).trim();
                    else if (line.startsWith("data:") && kind !== "gap") yield JSON.parse(line.slice(5));
                    else if (line === "") kind = "message";
                }
            }
        } finally {
            response.destroy();
        }
    }

    /** The same as `request` while the JavaScript thread waits; another process sends it. */
    requestBlocking(method, path, body) {
        const order = { url: new URL(path, this.url).href, method, headers: this.#headers("application/json", body), body: body && JSON.stringify(body) };
        const ended = spawnSync(process.execPath, ["-e", SENDER], { input: JSON.stringify(order), encoding: "utf8", timeout: LONGEST_WAIT });
        if (ended.error?.code === "ETIMEDOUT") {
            throw new TouchstoneError(`The call keeps the JavaScript thread waiting, and the phone waits for its user: ${method} ${path}. Plan the user's acts before the call, or use the asynchronous call.`);
        }
        if (ended.status !== 0) throw new TouchstoneError(`The control API at ${this.url} does not answer: ${ended.stderr || ended.error?.message}`);
        const { status, text } = JSON.parse(ended.stdout);
        if (status >= 400) throw refusal({ statusCode: status }, text);
        return JSON.parse(text);
    }

    close() {
        this.#agent.destroy();
    }

    #headers(accept, body) {
        const headers = { Authorization: `Bearer ${this.token}`, Accept: accept };
        return body === undefined ? headers : { ...headers, "Content-Type": "application/json" };
    }

    #send(method, path, text, signal, accept) {
        return new Promise((resolve, reject) => {
            const headers = this.#headers(accept, text);
            const request = http.request(new URL(path, this.url), { method, headers, signal, agent: this.#agent }, resolve);
            request.on("error", (error) => {
                if (signal?.aborted) {
                    reject(signal.reason);
                } else if (request.reusedSocket && error.code === "ECONNRESET") {
                    // The server closed the idle connection before it read the request.
                    this.#send(method, path, text, signal, accept).then(resolve, reject);
                } else {
                    reject(new TouchstoneError(`The control API at ${this.url} does not answer: ${error.message}`, { cause: error }));
                }
            });
            // Headers and body leave in one write.
            request.end(text);
        });
    }
}

function withQuery(path, query = {}) {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

async function read(response) {
    response.setEncoding("utf8");
    let text = "";
    for await (const chunk of response) text += chunk;
    return text;
}

function refusal(response, text) {
    try {
        const { error } = JSON.parse(text);
        return new RequestError(response.statusCode, error.code, error.message);
    } catch {
        return new RequestError(response.statusCode, "unknown", text || response.statusMessage);
    }
}
