import type { Act, CeremonyFailure, DeviceStartRequest, Operations, Person } from "./models.js";

export * from "./models.js";

type Body<Name extends keyof Operations> = Operations[Name] extends { body: infer Type } ? Type : never;
type Answer<Name extends keyof Operations> = Operations[Name]["answer"];
type Event = Answer<"readEvents">["events"][number];

/** The caller of a ceremony: a page's origin, or an app. */
export type Caller = Body<"createCredential">["origin"];

/** PublicKeyCredentialCreationOptionsJSON or …RequestOptionsJSON (WebAuthn L3 §5.1.8). */
export type OptionsJSON = Record<string, unknown>;

/** RegistrationResponseJSON or AuthenticationResponseJSON (WebAuthn L3 §5.1.8). */
export type CredentialJSON = Record<string, unknown>;

export interface ProgramOptions {
    /** The program's file; default: `$TOUCHSTONE`, `touchstone` on the path, or the build of a checkout. */
    program?: string;
    /** The file that records the devices' traffic. */
    trace?: string;
    /** Pages of these origins may send requests. */
    allowOrigins?: string[];
}

/** The user's answers in a ceremony. */
export interface Answers {
    /** The PINs that the user enters, in order. */
    pins?: string[];
    /** The place of the account that the user chooses among several. */
    account?: number;
}

export interface CeremonySettings extends Answers {
    /** The origin of the top-level page, for a caller in a cross-origin frame. */
    topOrigin?: string;
    /** Aborts the ceremony, as in a page. */
    signal?: AbortSignal;
}

export interface RequestSettings extends CeremonySettings {
    /** The ID of the passkey that the user has picked, in base64url: the device is asked for this one only. */
    credentialId?: string;
}

export interface CreationSettings extends CeremonySettings {
    /** `conditional`: no prompt asks the user, who has to have signed in with a password. */
    mediation?: Body<"createCredential">["mediation"];
}

export interface EventFilter {
    /** Events after this one. */
    since?: number;
    limit?: number;
}

export interface StreamFilter {
    since?: number;
    /** Ends the stream. */
    signal?: AbortSignal;
}

/** The settings of a device, and whether its planned acts must have an effect; default: true. */
export type DeviceSettings = Omit<DeviceStartRequest, "profile"> & { checksActs?: boolean };

/** How the user of an attached device behaves in the browser. */
export interface AttachSettings extends Answers {
    /** Whether the user picks a suggested passkey as soon as a page offers one; otherwise `pick` of the attachment does. */
    autofill?: boolean;
}

/** The members of Playwright's `BrowserContext` (Chromium) that the module uses. */
export interface BrowserContext {
    addInitScript(script: { content?: string }): Promise<unknown>;
    newCDPSession(page: any): Promise<any>;
    pages(): any[];
    on(event: any, listener: (value: any) => any): unknown;
    off(event: any, listener: (value: any) => any): unknown;
}

/** A device's state with its private keys, and the cookies and storage of a browser context, for other tests and workers. */
export class HandOver {
    constructor(profile: string, state: string, storageState?: any, createdAt?: number);
    /** The name of the device's profile. */
    readonly profile: string;
    readonly state: string;
    /** The argument `storageState` of Playwright's `newContext`; null for a hand-over without a context. */
    readonly storageState: any;
    /** Seconds since the Unix epoch. */
    readonly createdAt: number;
    /** Writes a file that only its owner can read. */
    write(file: string): Promise<void>;
    /** Reads a file of `write`. Rejects with `HandOverError` for one that is missing, damaged, of another version, too old, or whose cookies have all expired. */
    static read(file: string, options?: { maxAgeSeconds?: number }): Promise<HandOver>;
}

/** The control API of a running `touchstone control` or `touchstone serve --control`. */
export class Control {
    constructor(url: string, token: string, process?: ControlProcess);
    /** Starts `touchstone control` on a free port. */
    static start(options?: ProgramOptions): Promise<Control>;
    readonly url: string;
    readonly token: string;
    /** The program that `start` started. */
    readonly process?: ControlProcess;
    /** Closes the connections, and ends the program that `start` started. Rejects afterwards, as `checkActs` does. */
    close(): Promise<void>;
    /**
     * Rejects with `IdleActsError` if acts that this client planned on any device, also on one that is deleted, had no effect: a prompt
     * ignored them, or no prompt asked for them. The acts are then forgotten.
     */
    checkActs(): Promise<void>;
    /** The OpenAPI document of the server. */
    openapi(): Promise<Record<string, unknown>>;
    /** The available profiles, and for each wrong profile file its mistake. */
    profiles(): Promise<Answer<"listProfiles">>;
    /** The faults that the act `fault` arms. */
    faults(): Promise<Answer<"listFaults">>;
    /** The scripts that `Device.answerPage` answers, with names that no page can guess. */
    pageScripts(): Promise<Answer<"readPageScripts">>;
    /** Starts a device; `profile` is a profile's name, `{ yaml: text }`, or a hand-over, whose device the new one continues. */
    startDevice(profile: DeviceStartRequest["profile"] | HandOver, settings?: DeviceSettings): Promise<Device>;
    /** A running device, by its name. */
    device(name: string): Device;
    /** The running devices. */
    devices(): Promise<Answer<"listDevices">>;
    /** The accounts that sync passkeys. */
    accounts(): Promise<Answer<"listAccounts">>;
    /** Opens an account that syncs passkeys between devices of one provider, after a `delay` such as `20 s`. */
    openAccount(name: string, devices: Array<Device | string>, delay?: string): Promise<void>;
    /** Closes an account; its devices keep their passkeys. */
    closeAccount(name: string): Promise<void>;
    /** The snapshots in the server's memory. */
    snapshots(): Promise<Answer<"listSnapshots">>;
    deleteSnapshot(name: string): Promise<void>;
    /** The address of the page with the devices, for one visit within a short time. */
    panelURL(): Promise<string>;
    /** The events of all devices. */
    events(filter?: EventFilter): Promise<Answer<"readEvents">>;
    /** The kept events of all devices, then each new event as it happens. */
    eventStream(filter?: StreamFilter): AsyncGenerator<Event>;
    /** The trouble of the relying party of `touchstone serve --control`. */
    server(): Promise<Answer<"readServer">>;
    /** Slows the relying party down, or lets its next requests fail. */
    changeServer(change: Body<"changeServer">): Promise<Answer<"changeServer">>;
    /** A service beside that relying party, such as `bankid` or `gateway`. */
    service(name: string): Promise<Answer<"readService">>;
    /** Changes a service beside that relying party: outage, latency, faults. */
    changeService(name: string, change: Body<"changeService">): Promise<Answer<"changeService">>;
}

/** A device whose calls keep the JavaScript thread waiting; `Device.blocking` gives it. Plan the user's acts before. */
export interface BlockingDevice {
    act(verb: Act["verb"], args?: Record<string, unknown>): Answer<"perform">;
    secrets(): Answer<"listSecrets">;
}

/** A device that runs in `touchstone control`. `Control.startDevice` starts one. */
export class Device {
    private constructor();
    readonly name: string;
    /** Whether planned acts must have an effect. */
    checksActs: boolean;
    /** The device's current state: PIN, retries, lockouts, sensors, faults. */
    state(): Promise<Answer<"readDevice">>;
    /** Switches the device off and deletes it. `Control.checkActs` and `Control.close` then tell its acts without effect. */
    delete(): Promise<void>;
    /** Queues acts of the user for the open prompt or the next prompts, such as `no-match x 2` and `cancel`. */
    plan(...acts: string[]): Promise<Answer<"tellPerson">>;
    /** The open prompt, the planned acts, and those that a prompt ignored. */
    person(): Promise<Answer<"readPlannedActs">>;
    /** The words of `plan` that have an effect now: those that answer the open prompt, or without one those that the device's next prompts can ask for. */
    acts(): Promise<string[]>;
    /** Forgets the planned acts and those that a prompt ignored: `checkActs` then rejects nothing for them. */
    forgetPlan(): Promise<Answer<"forgetPlannedActs">>;
    /** Rejects with `IdleActsError` if planned acts had no effect: a prompt ignored them, or no prompt asked for them. Then forgets them. */
    checkActs(): Promise<void>;
    /** Performs an act on the device. A refusal does not throw: the outcome has `done` false and a cause, or an explanation if nothing changes. */
    act<Verb extends Act["verb"]>(verb: Verb, args?: Extract<Act, { verb: Verb }> extends { arguments?: infer Type } ? Type : never):
        Promise<Answer<"perform">>;
    /** The device for callers that keep the JavaScript thread waiting until a call has ended. */
    blocking(): BlockingDevice;
    /** The items of apps in secure storage, without their values. */
    secrets(): Promise<Answer<"listSecrets">>;
    clock(): Promise<Answer<"readClock">>;
    /** Advances a simulated clock, for example by `30 s`. */
    advance(span: string): Promise<Answer<"moveClock">>;
    /** The user sets the clock back, for example by `1 h`. */
    setBack(span: string): Promise<Answer<"moveClock">>;
    /** Sets the client PIN; with `currentPIN`, changes it. */
    setPIN(newPIN: string, currentPIN?: string): Promise<Answer<"setPIN">>;
    /** Erases the device with authenticatorReset. */
    reset(): Promise<Answer<"reset">>;
    connect(action: Body<"changeConnection">["action"], duringCommand?: number): Promise<Answer<"changeConnection">>;
    /**
     * The phone scans a QR code, and answers the computer that shows it; resolves when the connection ends. `code` is the text FIDO:/…,
     * `picture` the bytes of a PNG file. With `browser` the computer is the browser of `touchstone browser --hybrid`. Without an answer
     * the outcome has `done` false and a cause.
     */
    scan(shown: { code?: string; picture?: Uint8Array; browser?: boolean }): Promise<Answer<"scan">>;
    /** Copies the device's state into the server's memory. */
    takeSnapshot(name: string): Promise<Answer<"takeSnapshot">>;
    restore(snapshot: string): Promise<Answer<"restoreSnapshot">>;
    /** The device's whole state with its private keys, as text; `startDevice({ state })` starts a device that continues it. */
    exportState(): Promise<string>;
    /** The device's state, and the cookies and storage of a Playwright context. Warns of passkeys that count signatures. */
    handOver(context?: { storageState(): Promise<any> }): Promise<HandOver>;
    /** The credentials stored on the device, oldest first. */
    credentials(): Promise<Answer<"listCredentials">>;
    /** A credential by its ID in base64url. */
    credential(id: string): Promise<Answer<"readCredential">>;
    /** Sets a credential's backup flags and signature counter. */
    changeCredential(id: string, change: Body<"changeCredential">): Promise<Answer<"changeCredential">>;
    /** Deletes a credential without telling the relying party. */
    deleteCredential(id: string): Promise<void>;
    deleteCredentials(): Promise<void>;
    /** Copies passkeys to another device. */
    share(to: Device | string, which?: Omit<Body<"sharePasskeys">, "to">): Promise<Answer<"sharePasskeys">>;
    /** Moves the device's backed-up data to another device and erases this one. */
    replace(by: Device | string): Promise<Answer<"replaceDevice">>;
    /** `navigator.credentials.create()` with this device. Rejects with `CeremonyError`. */
    create(options: OptionsJSON, origin: Caller, settings?: CreationSettings): Promise<CredentialJSON>;
    /** `navigator.credentials.get()` with this device. Rejects with `CeremonyError`. */
    get(options: OptionsJSON, origin: Caller, settings?: RequestSettings): Promise<CredentialJSON>;
    /** The user signs in to a page with a password that the browser fills in: for five minutes it may create conditionally. */
    signInWithPassword(origin: Caller): Promise<void>;
    /** The device's ended ceremonies, the latest first. */
    ceremonies(): Promise<Answer<"listCeremonies">>;
    /** Installs the reference app, or replaces it; `serverPort` is the port of its `touchstone serve`. */
    installApp(settings?: Body<"installApp">): Promise<Answer<"installApp">>;

    /** The app as the user sees it. */
    app(): Promise<Answer<"readApp">>;

    /** Removes the app. */
    removeApp(): Promise<void>;

    /** The user opens the app; with `again` the system opens it with the last link of a provider once more. */
    openApp(options?: { again?: boolean }): Promise<Answer<"openApp">>;

    /** The user taps a button of the app's screen, or of the row with this title or number; waits for the user where a prompt follows. */
    tap(button: Body<"tapButton">["button"], row?: string): Promise<Answer<"tapButton">>;

    /** The user fills in a field of the app's screen. */
    enter(field: Body<"enterText">["field"], text: string): Promise<Answer<"enterText">>;

    /** The user switches to another app; `bankid` and `vipps` are the providers' apps. */
    switchTo(app: string): Promise<Answer<"switchApp">>;

    /** Whether the browser offers conditional mediation, and whether a request waits. */
    conditional(): Promise<Answer<"readConditionalRequest">>;
    offerConditional(isAvailable: boolean): Promise<Answer<"changeConditionalMediation">>;
    /** `navigator.credentials.get()` with conditional mediation: it waits until `pick`. */
    startConditional(options: OptionsJSON, origin: Caller, passwords?: Body<"startConditionalRequest">["passwords"]):
        Promise<Answer<"startConditionalRequest">>;
    /** The user picks a passkey, or the stored password of an account. Rejects when the user refuses; the request then waits on. */
    pick(answers?: Body<"pickSuggestion">): Promise<CredentialJSON | { name: string; password: string }>;
    /** The page aborts its conditional request. */
    abortConditional(): Promise<Answer<"abortConditionalRequest">>;
    /** The conditional requests that a browser keeps for its pages, with the passkeys that the user may pick. */
    browserRequests(): Promise<Answer<"listBrowserRequests">>;
    /** Adds a conditional request that a browser keeps, and resolves to the ID of the passkey that the user picks. */
    addBrowserRequest(options: OptionsJSON, origin: Caller, settings?: { topOrigin?: string; title?: string; signal?: AbortSignal }):
        Promise<string>;
    /** The user picks a passkey for the conditional request with this number. */
    pickPasskey(request: number, credentialId: string): Promise<void>;
    signalUnknownCredential(details: Body<"signalUnknownCredential">): Promise<void>;
    signalAllAcceptedCredentials(details: Body<"signalAllAcceptedCredentials">): Promise<void>;
    signalCurrentUserDetails(details: Body<"signalCurrentUserDetails">): Promise<void>;
    /** Answers the requests for passkeys of a Playwright context (Chromium) with this device; each context has one. */
    attach(context: BrowserContext, settings?: AttachSettings): Promise<Attachment>;
    /** Answers a page's request: the message of `relay.js`, and the browser's statement about its document. */
    answerPage(request: Body<"answerPage">, settings?: { signal?: AbortSignal }): Promise<Answer<"answerPage">>;
    /** The user picks a passkey for the newest conditional request of a browser. Rejects when the user refuses; the request waits on. */
    pickForPage(pick?: Body<"pickForPage">): Promise<void>;
    events(filter?: EventFilter): Promise<Answer<"readDeviceEvents">>;
    /** The kept events, then each new event as it happens, until the device is deleted. */
    eventStream(filter?: StreamFilter): AsyncGenerator<Event>;
}

/** A device that answers a context's requests for passkeys. Ends with the context, or with `detach`. */
export class Attachment {
    private constructor();
    /** The failures without an answer of the device: a control API that ended, a page that had loaded before. */
    readonly errors: Error[];
    /** The user picks a suggested passkey, as soon as a page offers one. Rejects when the user refuses; the page waits on. */
    pick(account?: number): Promise<void>;
    /** Ends the requests; the context's pages get no more answers. Another device may then answer the pages that open. */
    detach(): void;
}

/** A running `touchstone control` on a free port of the loopback interface. */
export class ControlProcess {
    private constructor();
    static start(options?: ProgramOptions): Promise<ControlProcess>;
    readonly url: string;
    readonly token: string;
    /** The last lines that the program wrote to standard error. */
    readonly log: string;
    readonly processId: number;
    /** Ends the program and waits for its end. */
    stop(): Promise<void>;
}

/** The program's file. Throws `ProgramError` when there is none. */
export function findProgram(given?: string): string;

/** The base of all errors of this package. */
export class TouchstoneError extends Error {}

/** The program `touchstone` was not found, or its control API did not start. */
export class ProgramError extends TouchstoneError {}

/** The control API refused a request. */
export class RequestError extends TouchstoneError {
    /** The HTTP status. */
    readonly status: number;
    /** A stable name such as `device.notFound`. */
    readonly code: string;
}

/** The file of a hand-over is missing, damaged, stale or of another version. */
export class HandOverError extends TouchstoneError {}

/** Planned acts of the user had no effect. */
export class IdleActsError extends TouchstoneError {
    /** For each device the acts that a prompt `ignored`, with the reason, and the `planned` ones, which no prompt asked for. */
    readonly acts: Record<string, Person>;
}

/** A ceremony failed. */
export class CeremonyError extends TouchstoneError {
    /** The name of the page's error. */
    readonly pageError: string;
    /** The cause, in a word of scenarios such as `userCancelled`. The page does not receive this member and the following ones. */
    readonly cause: NonNullable<CeremonyFailure["error"]>["cause"];
    /** The client's own reason, such as `ctap.operationDenied`. */
    readonly reason: NonNullable<CeremonyFailure["error"]>["reason"];
    readonly clause: string;
    readonly ctapStatus?: number;
    readonly detail?: string;
    readonly deviceReason?: string;
    readonly elapsedSeconds: number;
    /** The errors that an app gets for the cause, from its platform and from SDKs. */
    readonly faces: CeremonyFailure["faces"];
}

/** The phone refused a call of a package for React Native or Expo, and no public source tells the package's code for the cause. */
export class UnreportedError extends TouchstoneError {
    constructor(layer: string, cause: string);
    /** The cause, in a word of scenarios. */
    readonly cause: string;
}
