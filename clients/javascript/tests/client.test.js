// The client of the control API, with a `touchstone control` of its own. $TOUCHSTONE names the program.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";

import * as package_ from "../src/index.js";

const { CeremonyError, Control, Device, IdleActsError, ProgramError, RequestError, TouchstoneError, findProgram } = package_;
const ORIGIN = "https://example.org";
const CHALLENGE = "AAECAwQFBgcICQoLDA0ODw";
const CREATION = {
    rp: { name: "Example", id: "example.org" }, challenge: CHALLENGE, user: { id: "AQID", name: "ada", displayName: "Ada" },
    pubKeyCredParams: [{ type: "public-key", alg: -7 }], authenticatorSelection: { residentKey: "required" },
};
const REQUEST = { rpId: "example.org", challenge: CHALLENGE, userVerification: "required" };

let control;
before(async () => { control = await Control.start(); });
after(() => control.close());

async function withDevice(profile, settings, use) {
    const device = await control.startDevice(profile, settings);
    try {
        return await use(device);
    } finally {
        await device.delete();
    }
}

test("a device registers, signs in and tells the reasons of a refusal", async () => {
    await withDevice("iphone-face-id", { clock: "simulated" }, async (phone) => {
        const made = await phone.create(CREATION, ORIGIN);
        assert.equal((await phone.get(REQUEST, ORIGIN)).id, made.id);
        assert.deepEqual((await phone.credentials()).map((entry) => entry.credentialId), [made.id]);
        assert.deepEqual((await phone.ceremonies()).map((ceremony) => ceremony.kind), ["get", "create"]);
        await phone.plan("no-match x 2", "cancel");
        await assert.rejects(phone.get(REQUEST, ORIGIN), (error) => {
            assert.ok(error instanceof CeremonyError && error instanceof TouchstoneError);
            assert.deepEqual(
                [error.pageError, error.cause, error.reason, error.ctapStatus],
                ["NotAllowedError", "userCancelled", "ctap.operationDenied", 0x27]);
            assert.match(error.message, /userCancelled/);
            return true;
        });
        const before_ = (await phone.clock()).now;
        assert.equal((await phone.advance("30 s")).now - before_, 30);
    });
});

test("the acts that have an effect now are listed", async () => {
    await withDevice("security-key-pin", {}, async (key) => {
        const acts = await key.acts();
        assert.ok(acts.includes("touch") && !acts.includes("match"));
        await assert.rejects(key.plan("match"), (error) => error.code === "person.impossible");
    });
    await withDevice("pixel-fingerprint", { person: "ask" }, async (phone) => {
        const making = phone.create(CREATION, ORIGIN);
        for await (const { event } of phone.eventStream()) {
            if (event.text.startsWith("prompt for")) break;
        }
        const acts = await phone.acts();
        assert.ok(acts.includes("match") && !acts.includes("passcode"));
        await phone.plan("match");
        await making;
    });
});

test("acts without effect are told at the check, and by the end of the control API", async () => {
    const other = await Control.start();
    const phone = await other.startDevice("iphone-face-id", { name: "phone", clock: "simulated" });
    await phone.create(CREATION, ORIGIN);
    await phone.plan("no-match x 3", "cancel", "match");
    await assert.rejects(phone.get(REQUEST, ORIGIN), CeremonyError);
    await assert.rejects(phone.checkActs(), (error) => {
        assert.ok(error instanceof IdleActsError && error instanceof TouchstoneError);
        assert.match(error.message, /phone: The prompt ignored no-match: the prompt asks for the passcode\. No prompt asked for match\./);
        assert.deepEqual(error.acts.phone.planned, ["match"]);
        return true;
    });
    await other.checkActs();
    await phone.plan("cancel");
    await phone.forgetPlan();
    const unchecked = await other.startDevice("iphone-face-id", { checksActs: false });
    await unchecked.plan("cancel");
    await other.checkActs();
    await phone.plan("cancel");
    await phone.delete();
    await assert.rejects(other.close(), { name: "IdleActsError", message: /phone: No prompt asked for cancel/ });
    await assert.rejects(other.devices(), /does not answer/);
});

test("an abort ends the prompt on the device", { timeout: 60_000 }, async () => {
    await withDevice("pixel-fingerprint", { person: "ask" }, async (phone) => {
        const abort = new AbortController();
        const reason = new Error("left");
        const making = phone.create(CREATION, ORIGIN, { signal: abort.signal });
        for await (const { event } of phone.eventStream()) {
            if (event.text.startsWith("prompt for")) break;
        }
        assert.ok((await phone.person()).openPrompt);
        abort.abort(reason);
        await assert.rejects(making, (error) => error.cause === reason || error === reason);
        for await (const { event } of phone.eventStream()) {
            if (event.text.includes("KEEPALIVE_CANCEL")) break;
        }
        assert.equal((await phone.person()).openPrompt, undefined);
    });
});

test("a device's refusal of an act is an answer, and a wrong request an error", async () => {
    await withDevice("pixel-fingerprint", {}, async (phone) => {
        assert.equal((await phone.act("enrol", { template: "second finger" })).done, true);
        await assert.rejects(phone.act("enroll"), (error) => error instanceof RequestError && error.status >= 400);
        await assert.rejects(control.device("absent").state(), { status: 404, code: "device.notFound" });
    });
});

test("a conditional request waits for the pick", async () => {
    await withDevice("iphone-face-id", {}, async (phone) => {
        const made = await phone.create(CREATION, ORIGIN);
        assert.equal((await phone.startConditional(REQUEST, ORIGIN)).isPending, true);
        await phone.plan("cancel");
        await assert.rejects(phone.pick(), CeremonyError);
        assert.equal((await phone.pick()).id, made.id);
        await assert.rejects(phone.startConditional(REQUEST, "https://other.example"), { pageError: "SecurityError" });
        await phone.signalUnknownCredential({ rpId: "example.org", credentialId: made.id });
        assert.deepEqual(await phone.credentials(), []);
    });
});

test("the user picks a passkey for a browser's conditional request", async () => {
    await withDevice("iphone-face-id", {}, async (phone) => {
        const made = await phone.create(CREATION, ORIGIN);
        const picked = phone.addBrowserRequest(REQUEST, ORIGIN);
        let waiting = [];
        while (waiting.length === 0) waiting = await Promise.race([phone.browserRequests(), picked]);
        assert.deepEqual(waiting[0].passkeys.map((passkey) => passkey.credentialId), [made.id]);
        await phone.pickPasskey(waiting[0].number, made.id);
        assert.equal((await phone.get(REQUEST, ORIGIN, { credentialId: await picked })).id, made.id);
    });
});

test("accounts and snapshots are kept", async () => {
    await withDevice("iphone-face-id", {}, async (phone) => {
        await control.openAccount("family", [phone], "20 s");
        assert.deepEqual((await control.accounts()).map((account) => account.devices), [[phone.name]]);
        await control.closeAccount("family");
        await phone.takeSnapshot("fresh");
        await phone.create(CREATION, ORIGIN);
        await phone.restore("fresh");
        assert.deepEqual(await phone.credentials(), []);
        await control.deleteSnapshot("fresh");
        assert.deepEqual(await control.snapshots(), []);
    });
});

test("the address of the panel opens it", async () => {
    const answer = await fetch(await control.panelURL());
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get("content-type"), /^text\/html/);
});

test("a missing program is named", async () => {
    assert.throws(() => findProgram("/absent/touchstone"), ProgramError);
    await assert.rejects(Control.start({ program: "/bin/false" }), ProgramError);
});

test("a control API that ended does not answer", async () => {
    const other = await Control.start();
    await other.close();
    await assert.rejects(other.profiles(), { name: "TouchstoneError", message: /does not answer/ });
});

test("the declarations name every export and every method", () => {
    const declared = readFileSync(new URL("../src/index.d.ts", import.meta.url), "utf8");
    for (const name of Object.keys(package_)) assert.match(declared, new RegExp(`export (class|function) ${name}\\b`));
    const members = (name) => {
        const [, text] = declared.match(new RegExp(`export class ${name} .*?\\{\\n(.*?)\\n\\}`, "s"));
        return [...text.matchAll(/^ {4}(\w+)(?:<.*)?\(/gm)].map(([, member]) => member).filter((member) => member !== "constructor");
    };
    for (const type of [Control, Device]) {
        const own = Object.getOwnPropertyNames(type.prototype).filter((member) => member !== "constructor");
        assert.deepEqual(members(type.name).sort(), own.sort());
    }
});

test("every operation has a method", async () => {
    const source = ["control.js", "device.js"].map((name) => readFileSync(new URL(`../src/${name}`, import.meta.url), "utf8")).join("");
    const { paths } = await control.openapi();
    const missing = [];
    for (const path of Object.keys(paths)) {
        const fixed = path.replace("/v1/devices/{device}", "").replace(/^\/v1/, "").replace(/\{.*/, "").replace(/(create|get)$/, "");
        // WebDriver's clients, the panel's page and transports ask for these themselves.
        if (!/^\/(session|status|v1\/panel\/sessions|v1\/sockets)/.test(path) && fixed !== "" && !source.includes(fixed)) missing.push(path);
    }
    assert.deepEqual(missing, []);
});
