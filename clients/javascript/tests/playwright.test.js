// The fixtures for @playwright/test, run as its runner documents: setup, use, teardown, with the test's status in between.
import assert from "node:assert/strict";
import { test } from "node:test";

import { IdleActsError, ProgramError } from "../src/index.js";
import { passkeyFixtures } from "../src/playwright/index.js";

const LIMIT = { timeout: 60_000 };

async function withControl(use, program) {
    const [fixture, settings] = passkeyFixtures.touchstoneControl;
    assert.equal(settings.scope, "worker");
    await fixture({ touchstoneProgram: program }, use);
}

/** Runs a test with a device factory, and returns its attachments. */
async function runTest(touchstoneControl, body) {
    const info = { status: "passed", expectedStatus: "passed", attachments: {}, async attach(name, options) { this.attachments[name] = options; } };
    await passkeyFixtures.passkeyDevice({ touchstoneControl }, async (start) => {
        try {
            await body(start);
        } catch {
            info.status = "failed";
        }
    }, info);
    return info.attachments;
}

test("devices end with their test, and a passing one has no attachments", LIMIT, () => withControl(async (control) => {
    const attachments = await runTest(control, async (start) => {
        const phone = await start("pixel-fingerprint", { clock: "simulated" });
        await phone.plan("no-match x 5");
        assert.equal((await phone.act("verify")).cause, "lockedOut.timed");
        await (await start("iphone-face-id")).delete();
    });
    assert.deepEqual(attachments, {});
    assert.deepEqual(await control.devices(), []);
}));

test("a failing test has the events of its devices", LIMIT, () => withControl(async (control) => {
    const attachments = await runTest(control, async (start) => {
        const phone = await start("pixel-fingerprint", { name: "phone" });
        await phone.plan("no-match x 5", "match");
        await phone.act("verify");
        throw new Error("the page shows no password");
    });
    const { body, contentType } = attachments["touchstone events of phone"];
    assert.equal(contentType, "text/plain");
    assert.match(body, /cause: lockedOut\.timed/);
    assert.match(body, /BiometricPrompt 7 ERROR_LOCKOUT/);
    assert.deepEqual(await control.devices(), []);
}));

test("a test fails whose planned acts had no effect, and the next one is not blamed", LIMIT, () => withControl(async (control) => {
    await assert.rejects(
        runTest(control, async (start) => { await (await start("iphone-face-id", { name: "phone" })).plan("cancel"); }),
        (error) => error instanceof IdleActsError && /phone: No prompt asked for cancel\./.test(error.message));
    await runTest(control, (start) => start("iphone-face-id"));
    assert.deepEqual(await control.devices(), []);
}));

test("the program of the option is started", LIMIT, async () => {
    await assert.rejects(withControl(async () => undefined, "/missing"), (error) => error instanceof ProgramError);
});
