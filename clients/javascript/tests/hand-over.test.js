// Hand-overs in files, and in contexts of Playwright. $TEST_PLAYWRIGHT names the folder of the package, $CHROMIUM the browser.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";

import { Control, findProgram, HandOver, HandOverError, RequestError } from "../src/index.js";

const { chromium } = createRequire(import.meta.url)(process.env.TEST_PLAYWRIGHT ?? "playwright-core");
const LIMIT = { timeout: 60_000 };
const ORIGIN = "https://example.org";
const CREATION = {
    challenge: "AAECAwQFBgcICQoLDA0ODw", rp: { id: "example.org", name: "Example" }, user: { id: "AQID", name: "ada", displayName: "Ada" },
    pubKeyCredParams: [{ type: "public-key", alg: -7 }], authenticatorSelection: { residentKey: "required" },
};
const REQUEST = { challenge: "AAECAwQFBgcICQoLDA0ODw", rpId: "example.org" };

let control;
let folder;
before(async () => {
    control = await Control.start();
    folder = await mkdtemp(path.join(tmpdir(), "hand-over-"));
});
after(async () => {
    await control.close();
    await rm(folder, { recursive: true });
});

async function registered(profile = "iphone-face-id") {
    const phone = await control.startDevice(profile);
    const made = await phone.create(CREATION, ORIGIN);
    const handOver = await phone.handOver();
    await phone.delete();
    return { made, handOver };
}

test("a device in another program signs in with the passkey", LIMIT, async () => {
    const { made, handOver } = await registered();
    const file = path.join(folder, "kept", "ada.json");
    await handOver.write(file);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const read = await HandOver.read(file, { maxAgeSeconds: 60 });
    assert.deepEqual(read, handOver);
    const other = await Control.start();
    const phone = await other.startDevice(read, { name: "copy" });
    assert.equal((await phone.get(REQUEST, ORIGIN)).id, made.id);
    assert.equal((await phone.state()).status.profile, "iphone-face-id");
    await other.close();
});

const edited = (text, changes) => JSON.stringify({ ...JSON.parse(text), ...changes });
const cookie = { name: "session", value: "x", domain: "localhost", path: "/" };
const damages = {
    cut: [(text) => text.slice(0, 200), /is damaged: .*Delete it and register again\./s],
    "another file": [() => "{}", /is not a hand-over of Touchstone/],
    null: [() => "null", /is not a hand-over of Touchstone/],
    "a later version": [(text) => edited(text, { version: 2 }), /has the version 2, and this package reads version 1/],
    "no state": [(text) => edited(text, { state: undefined }), /state is missing or of another type/],
    "another state": [(text) => edited(text, { state: "AAAA" }), /the device's state has changed/],
    expired: [(text) => edited(text, { storageState: { cookies: [{ ...cookie, expires: 1000 }] } }), /is stale: its cookies have expired/],
    old: [(text) => edited(text, { createdAt: 1000 }), /seconds old, and at most 60 are allowed\. Register again\./],
};
for (const [name, [change, message]] of Object.entries(damages)) {
    test(`a damaged or stale file is an error: ${name}`, LIMIT, async () => {
        const file = path.join(folder, "damaged.json");
        await (await registered()).handOver.write(file);
        await writeFile(file, change(await readFile(file, "utf8")));
        await assert.rejects(HandOver.read(file, { maxAgeSeconds: 60 }), (error) => error instanceof HandOverError && message.test(error.message));
    });
}

test("a missing file and a state that is none are errors", LIMIT, async () => {
    await assert.rejects(HandOver.read(path.join(folder, "none.json")), /was not found\. Run the test that writes it first\./);
    await assert.rejects(control.startDevice({ state: "AAAA" }), (error) => error instanceof RequestError && error.code === "state.invalid");
});

test("passkeys that count are warned of", LIMIT, async () => {
    const warned = new Promise((resolve) => { process.once("warning", resolve); });
    await registered("windows-hello-face").then(async ({ handOver }) => {
        const copy = await control.startDevice(handOver);
        await copy.get(REQUEST, ORIGIN);
        await copy.handOver();
        await copy.delete();
    });
    assert.match((await warned).message, /Passkeys of windows-hello-face count signatures: ada/);
});

test("a browser is signed in, and signs in with the passkey", LIMIT, async () => {
    const serving = spawn(findProgram(), ["serve", "--port", "0"], { stdio: ["ignore", "ignore", "pipe"] });
    const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
    try {
        let site;
        for await (const line of createInterface(serving.stderr)) {
            site = line.match(/http:\/\/\S+:(\d+)/);
            if (site) break;
        }
        site = `http://localhost:${site[1]}`;
        serving.stderr.resume();
        const phone = await control.startDevice("iphone-face-id");
        const first = await browser.newContext();
        await phone.attach(first);
        const page = await first.newPage();
        await page.goto(`${site}/sign-in`);
        await page.locator("#new-username").fill("ada");
        await page.getByRole("button", { name: "Create an account" }).click();
        await page.waitForURL("**/passkeys");
        await page.getByRole("button", { name: "Create a passkey" }).click();
        await page.getByRole("status").filter({ hasText: "The passkey is created." }).waitFor();
        const file = path.join(folder, "browser.json");
        await (await phone.handOver(first)).write(file);
        await first.close();
        await phone.delete();

        const ada = await HandOver.read(file);
        const signedIn = await browser.newContext({ storageState: ada.storageState });
        const seeded = await signedIn.newPage();
        await seeded.goto(`${site}/passkeys`);
        await seeded.getByRole("listitem").first().waitFor();
        const other = await browser.newContext();
        const copy = await control.startDevice(ada);
        await copy.attach(other);
        const fresh = await other.newPage();
        await fresh.goto(`${site}/sign-in`);
        await fresh.getByRole("button", { name: "Sign in with a passkey" }).click();
        await fresh.waitForURL("**/passkeys");
        await copy.delete();
    } finally {
        await browser.close();
        serving.kill();
    }
});
