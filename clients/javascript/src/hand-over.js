import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";

import { HandOverError } from "./errors.js";

// The Python package writes and reads the same files.
const KIND = "touchstone hand-over";
const VERSION = 1;
const FORM = {
    profile: (value) => typeof value === "string", state: (value) => typeof value === "string",
    digest: (value) => typeof value === "string", createdAt: (value) => typeof value === "number",
    storageState: (value) => typeof value === "object" && !Array.isArray(value),
};

const digest = (state) => createHash("sha256").update(state).digest("hex");

/** A device's state with its private keys, and the cookies and storage of a browser context. */
export class HandOver {
    constructor(profile, state, storageState = null, createdAt = Date.now() / 1000) {
        this.profile = profile;
        this.state = state;
        this.storageState = storageState;
        this.createdAt = createdAt;
        Object.freeze(this);
    }

    /** Writes a file that only its owner can read; a reader sees a whole file or none. */
    async write(file) {
        const { profile, state, storageState, createdAt } = this;
        const text = JSON.stringify({ kind: KIND, version: VERSION, createdAt, profile, state, digest: digest(state), storageState }, null, 2);
        await mkdir(path.dirname(file), { recursive: true });
        const temporary = `${file}.${process.pid}.new`;
        try {
            await writeFile(temporary, text, { mode: 0o600 });
            await rename(temporary, file);
        } catch (error) {
            await rm(temporary, { force: true });
            throw error;
        }
    }

    /** Reads a file of `write`. Rejects with `HandOverError` for one that is missing, damaged, stale or of another version. */
    static async read(file, { maxAgeSeconds } = {}) {
        const found = await parsed(file);
        if (found?.kind !== KIND) throw new HandOverError(`${file} is not a hand-over of Touchstone. Name the file that HandOver.write wrote.`);
        if (found.version !== VERSION) {
            throw new HandOverError(
                `${file} has the version ${found.version}, and this package reads version ${VERSION}. Register again with this package.`);
        }
        for (const [name, fits] of Object.entries(FORM)) {
            if (!(name in found) || !fits(found[name])) {
                throw new HandOverError(`${file} is damaged: ${name} is missing or of another type. Delete it and register again.`);
            }
        }
        if (digest(found.state) !== found.digest) {
            throw new HandOverError(`${file} is damaged: the device's state has changed since it was written. Delete it and register again.`);
        }
        checkAge(file, found, maxAgeSeconds);
        return new HandOver(found.profile, found.state, found.storageState, found.createdAt);
    }
}

async function parsed(file) {
    let text;
    try {
        text = await readFile(file, "utf8");
    } catch (error) {
        if (error.code === "ENOENT") throw new HandOverError(`${file} was not found. Run the test that writes it first.`);
        throw new HandOverError(`${file} is not readable: ${error.message}. Delete it and register again.`);
    }
    try {
        return JSON.parse(text);
    } catch (error) {
        throw new HandOverError(`${file} is damaged: ${error.message}. Delete it and register again.`);
    }
}

function checkAge(file, { createdAt, storageState }, maxAgeSeconds) {
    const now = Date.now() / 1000;
    const age = Math.round(now - createdAt);
    if (maxAgeSeconds !== undefined && age > maxAgeSeconds) {
        throw new HandOverError(`${file} is ${age} seconds old, and at most ${maxAgeSeconds} are allowed. Register again.`);
    }
    // A cookie of a session has no end.
    const ends = (storageState?.cookies ?? []).map((cookie) => cookie.expires ?? -1);
    if (ends.length && ends.every((end) => end > 0 && end < now)) {
        throw new HandOverError(`${file} is stale: its cookies have expired, so that no user is signed in. Register again.`);
    }
}

/** Warns of passkeys whose signatures count. */
export function warnOfCounters(device, credentials) {
    const counting = credentials.filter(({ signCount }) => signCount > 0).map(({ userName, credentialId }) => userName ?? credentialId);
    if (counting.length) {
        process.emitWarning(
            `Passkeys of ${device} count signatures: ${counting.join(", ")}. Start one device with this hand-over: a relying party takes `
                + "the second one for a clone. Passkeys of iphone-face-id or pixel-fingerprint do not count.", "TouchstoneWarning");
    }
}
