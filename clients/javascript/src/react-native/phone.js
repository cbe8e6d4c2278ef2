import { createHash } from "node:crypto";

import { TouchstoneError, UnreportedError } from "../errors.js";

// A global symbol survives `jest.resetModules()`, after which the modules are loaded again.
const KEY = Symbol.for("touchstone-bench.react-native");

const PLATFORMS = ["ios", "android"];
const SETTINGS = ["app", "associatedDomains", "apkKeyHash"];

/** The phone on which the app runs, with the settings of `setPhone`. */
class AppPhone {
    constructor(device, platform, { app = "app", associatedDomains = [], apkKeyHash } = {}) {
        this.device = device;
        this.platform = platform;
        this.app = app;
        this.associatedDomains = associatedDomains;
        this.apkKeyHash = apkKeyHash ?? createHash("sha256").update(app).digest("base64url");
    }

    get isIOS() {
        return this.platform === "ios";
    }

    /** The app as the caller of a ceremony for an RP ID. */
    caller(relyingPartyID) {
        const facet = this.isIOS ? `https://${relyingPartyID}` : `android:apk-key-hash:${this.apkKeyHash}`;
        return { facet, associatedDomains: this.associatedDomains };
    }

    /** Performs an act of the app. */
    ask(verb, args) {
        return this.#perform({ verb, args }, this.device);
    }

    /** The app's items in secure storage. */
    secrets() {
        return this.#perform(SECRETS, this.device);
    }

    /** Performs the steps of a generator, each `{ verb, args }` or `SECRETS`, and returns its result. */
    async run(steps) {
        let next = steps.next();
        while (!next.done) next = steps.next(await this.#perform(next.value, this.device));
        return next.value;
    }

    /** The same while the JavaScript thread waits, as in synchronous calls of native modules. */
    runBlocking(steps) {
        const device = this.device.blocking();
        let next = steps.next();
        while (!next.done) next = steps.next(this.#perform(next.value, device));
        return next.value;
    }

    #perform(step, device) {
        if (step === SECRETS) return whenThere(device.secrets(), (items) => items.filter((item) => item.app === this.app));
        const { verb, args } = step;
        return whenThere(device.act(verb, { ...args, app: this.app }), (outcome) => {
            if (!outcome.done && !outcome.cause) throw new TouchstoneError(`${verb} changed nothing: ${outcome.explanation}.`);
            return outcome;
        });
    }
}

/** The step that lists the app's items in secure storage. */
export const SECRETS = Symbol("secrets");

const whenThere = (value, use) => value instanceof Promise ? value.then(use) : use(value);

/** Makes the modules for React Native and Expo answer as this phone does. */
export async function setPhone(device, settings = {}) {
    checkNames("setPhone", settings, SETTINGS);
    const { platform } = await device.state();
    if (!PLATFORMS.includes(platform)) {
        throw new TouchstoneError(`React Native runs on phones, and ${device.name} has the platform ${platform}; start a phone such as iphone-face-id.`);
    }
    globalThis[KEY] = new AppPhone(device, platform, settings);
}

/** Removes the phone: calls of the modules are errors until the next `setPhone`. */
export function clearPhone() {
    delete globalThis[KEY];
}

/** The phone in use. */
export function currentPhone() {
    const phone = globalThis[KEY];
    if (!phone) {
        throw new TouchstoneError("No phone is in use. Call `await setPhone(phone)` of touchstone-bench/react-native before the app's code.");
    }
    return phone;
}

/** Refuses an option that the package does not have; an option without an effect on a platform is ignored there, as in the package. */
export function checkNames(call, options, known) {
    if (options === undefined || options === null) return;
    const unknown = Object.keys(options).find((name) => !known.includes(name));
    if (unknown !== undefined) {
        throw new TouchstoneError(`${call} has no option ${unknown}; its options are ${known.join(", ")}.`);
    }
}

/** Refuses a value that is not one of an option's constants. */
export function checkChoice(call, name, value, known) {
    if (value === undefined || value === null || Object.values(known).includes(value)) return;
    throw new TouchstoneError(`${value} is not a value of the option ${name} of ${call}; use one of ${Object.values(known).join(", ")}.`);
}

/** The error of a refusal at an interface of the error table, such as `la-error`; undefined for none. */
export function face(refusal, layer) {
    return refusal.faces?.find((error) => error.layer === layer);
}

/** The error of a refusal at the package, which the error table must have. */
export function packageFace(refusal, layer) {
    const found = face(refusal, layer);
    if (!found) throw new UnreportedError(layer, refusal.cause);
    return found;
}

/** Whether the app finds no item: the platform has lost it, or never had it. */
export function isMissing(refusal) {
    return face(refusal, "keychain")?.name === "errSecItemNotFound" || face(refusal, "keystore")?.name === "no such alias";
}

/** An error with the code of a native module. */
export function nativeError(code, message) {
    return Object.assign(new Error(message), { code });
}

/** The text that Foundation prints for an error. */
export function nsError(domain, { code, message }) {
    return message
        ? `Error Domain=${domain} Code=${code} "${message}" UserInfo={NSLocalizedDescription=${message}}`
        : `Error Domain=${domain} Code=${code} "(null)"`;
}

/** The sensors that the phone has now, with their modalities. */
export async function sensors(phone) {
    const { gate } = await phone.device.state();
    return (gate?.sensors ?? []).filter((sensor) => sensor.availability !== "absent");
}

/** Whether the user has set a screen lock. */
export async function isSecure(phone) {
    return Boolean((await phone.device.state()).gate?.deviceCredential);
}
