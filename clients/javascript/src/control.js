import { Device } from "./device.js";
import { IdleActsError } from "./errors.js";
import { HandOver } from "./hand-over.js";
import { ControlProcess } from "./program.js";
import { Transport } from "./transport.js";

const part = encodeURIComponent;

/** The control API of a running `touchstone control` or `touchstone serve --control`. */
export class Control {
    #transport;

    constructor(url, token, process) {
        this.url = url;
        this.token = token;
        this.process = process;
        this.#transport = new Transport(url, token);
    }

    static async start(options) {
        const process = await ControlProcess.start(options);
        return new Control(process.url, process.token, process);
    }

    async close() {
        try {
            await this.checkActs();
        } finally {
            this.#transport.close();
            await this.process?.stop();
        }
    }

    async checkActs() {
        const acts = this.#transport.idle;
        this.#transport.idle = {};
        for (const device of [...this.#transport.planned.values()]) {
            try {
                await device.checkActs();
            } catch (error) {
                // Any other error means that the device is gone, and its plan with it.
                if (error instanceof IdleActsError) Object.assign(acts, error.acts);
            }
        }
        if (Object.keys(acts).length) throw new IdleActsError(acts);
    }

    openapi() {
        return this.#transport.request("GET", "/openapi.json");
    }

    profiles() {
        return this.#transport.request("GET", "/v1/profiles");
    }

    faults() {
        return this.#transport.request("GET", "/v1/faults");
    }

    pageScripts() {
        return this.#transport.request("GET", "/v1/page-scripts");
    }

    // Devices.

    async startDevice(profile, { checksActs, ...settings } = {}) {
        const begun = profile instanceof HandOver ? { state: profile.state } : profile;
        const state = await this.#transport.request("POST", "/v1/devices", { body: { profile: begun, ...settings } });
        return new Device(this.#transport, state.status.name, checksActs);
    }

    device(name) {
        return new Device(this.#transport, name);
    }

    devices() {
        return this.#transport.request("GET", "/v1/devices");
    }

    // Accounts and snapshots.

    accounts() {
        return this.#transport.request("GET", "/v1/accounts");
    }

    async openAccount(name, devices, delay) {
        const names = devices.map((device) => device.name ?? device);
        await this.#transport.request("PUT", `/v1/accounts/${part(name)}`, { body: { devices: names, delay } });
    }

    async closeAccount(name) {
        await this.#transport.request("DELETE", `/v1/accounts/${part(name)}`);
    }

    snapshots() {
        return this.#transport.request("GET", "/v1/snapshots");
    }

    async deleteSnapshot(name) {
        await this.#transport.request("DELETE", `/v1/snapshots/${part(name)}`);
    }

    // Events, the panel and the relying party.

    async panelURL() {
        const { path } = await this.#transport.request("POST", "/v1/panel/links");
        return new URL(path, this.url).href;
    }

    events({ since, limit } = {}) {
        return this.#transport.request("GET", "/v1/events", { query: { since, limit } });
    }

    eventStream(options) {
        return this.#transport.stream("/v1/events", options);
    }

    server() {
        return this.#transport.request("GET", "/v1/server");
    }

    changeServer(change) {
        return this.#transport.request("PATCH", "/v1/server", { body: change });
    }

    service(name) {
        return this.#transport.request("GET", `/v1/services/${part(name)}`);
    }

    changeService(name, change) {
        return this.#transport.request("PATCH", `/v1/services/${part(name)}`, { body: change });
    }
}
