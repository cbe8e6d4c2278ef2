// A device attached to contexts of Playwright. $TEST_PLAYWRIGHT names the folder of the package, $CHROMIUM the browser.
import assert from "node:assert/strict";
import http from "node:http";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";

import { CeremonyError, Control } from "../src/index.js";

const { chromium } = createRequire(import.meta.url)(process.env.TEST_PLAYWRIGHT ?? "playwright-core");
const LIMIT = { timeout: 60_000 };

const create = async (options) => {
    const user = { id: new Uint8Array([1, 2, 3]), name: "ada", displayName: "Ada" };
    try {
        globalThis.made = await navigator.credentials.create({ publicKey: {
            rp: { name: "Test", id: options.rpId }, user, challenge: new Uint8Array(16),
            pubKeyCredParams: [{ type: "public-key", alg: -7 }],
            authenticatorSelection: { residentKey: "required", userVerification: "required" },
        } });
        return { id: made.id, clientData: JSON.parse(new TextDecoder().decode(made.response.clientDataJSON)) };
    } catch (error) {
        return { error: error.name };
    }
};
const get = async ({ rpId, mediation }) => {
    const abortController = globalThis.abortController = new AbortController();
    try {
        const got = await navigator.credentials.get({
            mediation, signal: abortController.signal, publicKey: { rpId, challenge: new Uint8Array(16), userVerification: "required" } });
        return { id: got.id, isOwn: got instanceof PublicKeyCredential };
    } catch (error) {
        return { error: error.name };
    }
};
const begin = (page, request, options) => page.evaluate(
    `(() => { globalThis.ended = (${request})(${JSON.stringify(options)}); })()`);

let control;
let browser;
let server;
let local;
let port;
before(async () => {
    control = await Control.start();
    browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
    server = http.createServer((request, response) => {
        response.setHeader("Content-Type", "text/html");
        const allow = request.url === "/allowing" ? "publickey-credentials-create; publickey-credentials-get" : "";
        const frame = `<iframe src="http://inner.localhost:${port}/inner" allow="${allow}"></iframe>`;
        response.end(`<!doctype html><button>press</button>${/framing|allowing/.test(request.url) ? frame : ""}`);
    });
    await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });
    ({ port } = server.address());
    local = `http://localhost:${port}`;
});
after(async () => {
    await browser.close();
    server.close();
    server.closeAllConnections();
    await control.close();
});

async function attached(profile, settings, attach, use) {
    const phone = await control.startDevice(profile, settings);
    const context = await browser.newContext();
    context.setDefaultTimeout(20_000);
    try {
        const attachment = await phone.attach(context, attach);
        const page = await context.newPage();
        await page.goto(local);
        await use({ phone, context, attachment, page });
        assert.deepEqual(attachment.errors, []);
    } finally {
        await context.close();
        await phone.delete();
    }
}

async function event(phone, since, text) {
    for await (const { event: found } of phone.eventStream({ since })) {
        if (found.text.includes(text)) return;
    }
}

test("a page that has loaded is reported", LIMIT, async () => {
    const phone = await control.startDevice("iphone-face-id");
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(local);
    const attachment = await phone.attach(context);
    assert.equal(attachment.errors.length, 1);
    assert.match(attachment.errors[0].message, /^The page http:.* loaded before/);
    await context.close();
    await phone.delete();
});

test("a context has one device, until it is detached", LIMIT, () =>
    attached("iphone-face-id", { name: "first" }, {}, async ({ context, page, attachment }) => {
        const other = await control.startDevice("pixel-fingerprint", { name: "second" });
        await assert.rejects(other.attach(page), /attach takes a context; use page\.context\(\)\./);
        await assert.rejects(other.attach({}), /attach takes a context of Playwright, found Object/);
        await assert.rejects(other.attach(context), /first answers the requests of this context.*Detach first first/);
        attachment.detach();
        await page.close();
        await other.attach(context);
        const next = await context.newPage();
        await next.goto(local);
        assert.ok((await next.evaluate(create, { rpId: "localhost" })).id);
        assert.equal((await other.credentials()).length, 1);
        await other.delete();
    }));

test("a page registers and signs in, and a cancelled prompt is an error", LIMIT, () =>
    attached("iphone-face-id", {}, {}, async ({ phone, page }) => {
        const made = await page.evaluate(create, { rpId: "localhost" });
        assert.equal(made.clientData.origin, local);
        assert.deepEqual(await page.evaluate(get, { rpId: "localhost" }), { id: made.id, isOwn: true });
        await phone.plan("cancel");
        assert.deepEqual(await page.evaluate(get, { rpId: "localhost" }), { error: "NotAllowedError" });
        assert.deepEqual(await page.evaluate(create, { rpId: "example.org" }), { error: "SecurityError" });
        assert.equal(await page.evaluate(() => PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable()), true);
    }));

test("a locked sensor opens after the lockout", LIMIT, () =>
    attached("pixel-fingerprint", { clock: "simulated" }, {}, async ({ phone, page }) => {
        await page.evaluate(create, { rpId: "localhost" });
        await phone.plan("no-match x 5", "cancel");
        assert.deepEqual(await page.evaluate(get, { rpId: "localhost" }), { error: "NotAllowedError" });
        assert.equal((await phone.state()).gate.lockout, "timed");
        await phone.advance("31 s");
        assert.ok((await page.evaluate(get, { rpId: "localhost" })).id);
    }));

test("a password becomes a passkey without a prompt", LIMIT, () =>
    attached("iphone-face-id", {}, {}, async ({ phone, page }) => {
        const upgrade = () => page.evaluate(async () => {
            const user = { id: new Uint8Array([1]), name: "ada", displayName: "Ada" };
            const publicKey = {
                rp: { name: "Test" }, user, challenge: new Uint8Array(16), pubKeyCredParams: [{ type: "public-key", alg: -7 }] };
            try {
                const made = await navigator.credentials.create({ mediation: "conditional", publicKey });
                return new Uint8Array(made.response.getAuthenticatorData())[32] & 0b101;
            } catch (error) {
                return error.name;
            }
        });
        const { conditionalCreate } = await page.evaluate(() => PublicKeyCredential.getClientCapabilities());
        assert.equal(conditionalCreate, true);
        assert.equal(await upgrade(), "NotAllowedError");
        await phone.signInWithPassword(local);
        assert.equal(await upgrade(), 0);
    }));

test("an abort and leaving the page end the prompt", LIMIT, () =>
    attached("iphone-face-id", { person: "ask" }, {}, async ({ phone, page }) => {
        await phone.plan("match");
        await page.evaluate(create, { rpId: "localhost" });
        for (const leave of [() => page.evaluate(() => { abortController.abort(); }), () => page.goto(`${local}/next`)]) {
            const { lastId } = await phone.events();
            await begin(page, get, { rpId: "localhost" });
            await event(phone, lastId, "prompt for");
            await leave();
            await event(phone, lastId, "KEEPALIVE_CANCEL");
        }
        await phone.plan("match");
        assert.ok((await page.evaluate(get, { rpId: "localhost" })).id);
    }));

test("a suggestion waits for the pick, and a refusal leaves it waiting", LIMIT, () =>
    attached("iphone-face-id", {}, {}, async ({ phone, page, attachment }) => {
        const made = await page.evaluate(create, { rpId: "localhost" });
        await begin(page, get, { rpId: "localhost", mediation: "conditional" });
        await phone.plan("cancel");
        await assert.rejects(attachment.pick(), CeremonyError);
        await attachment.pick();
        assert.equal((await page.evaluate("ended")).id, made.id);
    }));

test("a suggestion is picked at once", LIMIT, () =>
    attached("iphone-face-id", {}, { autofill: true }, async ({ page }) => {
        const made = await page.evaluate(create, { rpId: "localhost" });
        assert.equal((await page.evaluate(get, { rpId: "localhost", mediation: "conditional" })).id, made.id);
    }));

test("a frame of another origin needs permission", LIMIT, () =>
    attached("iphone-face-id", {}, {}, async ({ phone, page }) => {
        for (const path of ["framing", "allowing"]) {
            await page.goto(`${local}/${path}`);
            const inner = page.frames()[1];
            await inner.locator("button").click();
            const { lastId } = await phone.events();
            const made = await inner.evaluate(create, { rpId: "inner.localhost" });
            if (path === "allowing") {
                assert.deepEqual([made.clientData.crossOrigin, made.clientData.topOrigin], [true, local]);
            } else {
                assert.equal(made.error, "NotAllowedError");
                assert.equal((await phone.events()).lastId, lastId);
            }
        }
    }));

test("a foreign page gets nothing", LIMIT, () =>
    attached("iphone-face-id", {}, {}, async ({ phone, page }) => {
        const made = await page.evaluate(create, { rpId: "localhost" });
        await page.goto(`http://127.0.0.1:${port}`);
        assert.deepEqual(await page.evaluate(get, { rpId: "localhost" }), { error: "SecurityError" });
        // A subdomain of localhost may not claim localhost, which is a single label.
        for (const host of ["127.0.0.1", "other.localhost"]) {
            await page.goto(`http://${host}:${port}`);
            assert.equal(await page.evaluate((credentialId) => PublicKeyCredential.signalUnknownCredential(
                { rpId: "localhost", credentialId }).catch((error) => error.name), made.id), "SecurityError");
            assert.equal((await phone.credentials()).length, 1);
        }
        const seen = await page.evaluate(() => Object.getOwnPropertyNames(globalThis).join());
        for (const secret of [control.token, phone.name, "touchstone"]) assert.ok(!seen.includes(secret));
    }));

test("a signal changes both names of the user", LIMIT, () =>
    attached("iphone-face-id", {}, {}, async ({ phone, page }) => {
        await page.evaluate(create, { rpId: "localhost" });
        await page.evaluate(() => PublicKeyCredential.signalCurrentUserDetails(
            { rpId: "localhost", userId: "AQID", name: "ada.l", displayName: "Ada L" }));
        const [{ userName, userDisplayName }] = await phone.credentials();
        assert.deepEqual([userName, userDisplayName], ["ada.l", "Ada L"]);
    }));

test("a browser without conditional mediation says so", LIMIT, () =>
    attached("iphone-face-id", {}, {}, async ({ phone, page }) => {
        await phone.offerConditional(false);
        assert.equal(await page.evaluate(() => PublicKeyCredential.isConditionalMediationAvailable()), false);
        assert.deepEqual(await page.evaluate(get, { rpId: "localhost", mediation: "conditional" }), { error: "TypeError" });
    }));

test("contexts have devices of their own", LIMIT, () =>
    attached("iphone-face-id", {}, {}, (one) => attached("pixel-fingerprint", {}, {}, async (other) => {
        for (const { page, phone } of [one, other]) {
            await page.evaluate(create, { rpId: "localhost" });
            assert.equal((await phone.credentials()).length, 1);
        }
    })));
