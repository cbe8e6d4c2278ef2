import { attach } from "./browser/playwright.js";
import { BlockingDevice } from "./blocking.js";
import { CeremonyError, IdleActsError } from "./errors.js";
import { HandOver, warnOfCounters } from "./hand-over.js";

const nameOf = (device) => device.name ?? device;

/** A device that runs in `touchstone control`. */
export class Device {
    #transport;

    constructor(transport, name, checksActs = true) {
        this.#transport = transport;
        this.name = name;
        this.checksActs = checksActs;
    }

    #ask(method, path = "", options = {}) {
        return this.#transport.request(method, `/v1/devices/${encodeURIComponent(this.name)}${path}`, options);
    }

    state() {
        return this.#ask("GET");
    }

    async delete() {
        // An error here would hide that of a test which deletes its device at the end.
        try {
            await this.checkActs();
        } catch (error) {
            if (error instanceof IdleActsError) Object.assign(this.#transport.idle, error.acts);
        }
        await this.#ask("DELETE");
    }

    // The user.

    async plan(...acts) {
        const person = await this.#ask("POST", "/person/acts", { body: { acts } });
        this.#transport.planned.set(this.name, this);
        return person;
    }

    person() {
        return this.#ask("GET", "/person/acts");
    }

    async acts() {
        const person = await this.person();
        return person.openPrompt ? person.openPrompt.answers : person.possible;
    }

    async forgetPlan() {
        const person = await this.#ask("DELETE", "/person/acts");
        this.#transport.planned.delete(this.name);
        return person;
    }

    async checkActs() {
        if (!this.#transport.planned.delete(this.name) || !this.checksActs) return;
        const person = await this.person();
        if (person.planned.length + person.ignored.length === 0) return;
        await this.forgetPlan();
        throw new IdleActsError({ [this.name]: person });
    }

    // The device.

    act(verb, args = {}) {
        return this.#ask("POST", "/acts", { body: { verb, arguments: args } });
    }

    /** The device for calls that keep the JavaScript thread waiting, as synchronous calls of native modules do. */
    blocking() {
        return new BlockingDevice(this.#transport, this.name);
    }

    secrets() {
        return this.#ask("GET", "/secrets");
    }

    clock() {
        return this.#ask("GET", "/clock");
    }

    advance(span) {
        return this.#ask("POST", "/clock", { body: { advance: span } });
    }

    setBack(span) {
        return this.#ask("POST", "/clock", { body: { setBack: span } });
    }

    setPIN(newPIN, currentPIN) {
        return this.#ask("POST", "/pin", { body: { newPIN, currentPIN } });
    }

    reset() {
        return this.#ask("POST", "/reset");
    }

    connect(action, duringCommand) {
        return this.#ask("POST", "/connection", { body: { action, duringCommand } });
    }

    scan({ code, picture, browser = false }) {
        const bytes = picture && Buffer.from(picture).toString("base64url");
        return this.#ask("POST", "/scan", { body: { code, picture: bytes, at: browser ? "browser" : undefined } });
    }

    takeSnapshot(name) {
        return this.#ask("POST", "/snapshots", { body: { name } });
    }

    restore(snapshot) {
        return this.#ask("POST", "/restore", { body: { snapshot } });
    }

    async exportState() {
        return (await this.#ask("GET", "/state")).state;
    }

    async handOver(context) {
        warnOfCounters(this.name, await this.credentials());
        const { status: { profile } } = await this.state();
        return new HandOver(profile, await this.exportState(), context ? await context.storageState() : null);
    }

    // Credentials.

    credentials() {
        return this.#ask("GET", "/credentials");
    }

    credential(id) {
        return this.#ask("GET", `/credentials/${encodeURIComponent(id)}`);
    }

    changeCredential(id, change) {
        return this.#ask("PATCH", `/credentials/${encodeURIComponent(id)}`, { body: change });
    }

    async deleteCredential(id) {
        await this.#ask("DELETE", `/credentials/${encodeURIComponent(id)}`);
    }

    async deleteCredentials() {
        await this.#ask("DELETE", "/credentials");
    }

    share(to, { account, relyingPartyID } = {}) {
        return this.#ask("POST", "/share", { body: { to: nameOf(to), account, relyingPartyID } });
    }

    replace(by) {
        return this.#ask("POST", "/replace", { body: { by: nameOf(by) } });
    }

    // Ceremonies.

    create(options, origin, settings) {
        return this.#ceremony("create", options, origin, settings);
    }

    get(options, origin, settings) {
        return this.#ceremony("get", options, origin, settings);
    }

    async #ceremony(kind, options, origin, { signal, ...answers } = {}) {
        const body = { options, origin, ...answers };
        return credential(await this.#ask("POST", `/ceremonies/${kind}`, { body, signal }));
    }

    async signInWithPassword(origin) {
        await this.#ask("POST", "/password-sign-ins", { body: { origin } });
    }

    ceremonies() {
        return this.#ask("GET", "/ceremonies");
    }

    installApp(settings = {}) {
        return this.#ask("PUT", "/app", { body: settings });
    }

    app() {
        return this.#ask("GET", "/app");
    }

    async removeApp() {
        await this.#ask("DELETE", "/app");
    }

    openApp({ again = false } = {}) {
        return this.#ask("POST", "/app/open", { body: { again } });
    }

    tap(button, row) {
        return this.#ask("POST", "/app/tap", { body: row === undefined ? { button } : { button, row } });
    }

    enter(field, text) {
        return this.#ask("POST", "/app/enter", { body: { field, text } });
    }

    switchTo(app) {
        return this.#ask("POST", "/app/switch", { body: { app } });
    }

    conditional() {
        return this.#ask("GET", "/ceremonies/conditional");
    }

    offerConditional(isAvailable) {
        return this.#ask("PATCH", "/ceremonies/conditional", { body: { isAvailable } });
    }

    async startConditional(options, origin, passwords) {
        const page = await this.#ask("POST", "/ceremonies/conditional", { body: { options, origin, passwords } });
        if (page.error) throw new CeremonyError(page.error, 0);
        return page;
    }

    async pick(answers = {}) {
        return credential(await this.#ask("POST", "/ceremonies/conditional/pick", { body: answers }));
    }

    abortConditional() {
        return this.#ask("DELETE", "/ceremonies/conditional");
    }

    browserRequests() {
        return this.#ask("GET", "/browser-requests");
    }

    async addBrowserRequest(options, origin, { topOrigin, title, signal } = {}) {
        const picked = await this.#ask("POST", "/browser-requests", { body: { options, origin, topOrigin, title }, signal });
        if (picked.error) throw new CeremonyError(picked.error, 0);
        return picked.credentialId;
    }

    async pickPasskey(request, credentialId) {
        await this.#ask("POST", `/browser-requests/${request}/pick`, { body: { credentialId } });
    }

    async signalUnknownCredential(details) {
        await this.#ask("POST", "/signals/unknown-credential", { body: details });
    }

    async signalAllAcceptedCredentials(details) {
        await this.#ask("POST", "/signals/all-accepted-credentials", { body: details });
    }

    async signalCurrentUserDetails(details) {
        await this.#ask("POST", "/signals/current-user-details", { body: details });
    }

    // Browsers.

    async attach(context, settings) {
        return attach(this, context, await this.#transport.request("GET", "/v1/page-scripts"), settings);
    }

    answerPage(request, { signal } = {}) {
        return this.#ask("POST", "/page-requests", { body: request, signal });
    }

    async pickForPage(pick = {}) {
        const { error, elapsedSeconds } = await this.#ask("POST", "/page-requests/pick", { body: pick });
        if (error) throw new CeremonyError(error, elapsedSeconds);
    }

    // Events.

    events({ since, limit } = {}) {
        return this.#ask("GET", "/events", { query: { since, limit } });
    }

    eventStream(options) {
        return this.#transport.stream(`/v1/devices/${encodeURIComponent(this.name)}/events`, options);
    }
}

function credential(answer) {
    if (answer.error) throw new CeremonyError(answer.error, answer.elapsedSeconds, answer.faces);
    return answer.credential ?? answer.password;
}
