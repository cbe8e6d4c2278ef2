"""A table of options in pages: Chromium's own virtual authenticator and the page script agree on each."""

import contextlib
import json
import subprocess
from pathlib import Path

import pytest

TABLE = json.loads((Path(__file__).parent / "options.json").read_text(encoding="utf-8"))
# The cases in which the page script or the authenticator differs from Chromium's; docs/webdriver.md has the reasons.
EXCEPTIONS = TABLE["exceptions"]
EXPLANATION = Path(__file__).resolve().parents[2] / "docs" / "webdriver.md"
AUTHENTICATOR = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
    "isUserVerified": True, "automaticPresenceSimulation": True,
}
# The members of a stored credential that options influence.
STORED = ["rpId", "userName", "userDisplayName", "userHandle", "isResidentCredential"]

# `run(kind, statement)` changes the options `o` with the member `p`, and asks for a credential: the outcome without random bytes.
SCRIPT = r"""(() => {
    const child = document.createElement("iframe");
    document.body.append(child);
    const frame = child.contentWindow;
    const bytes = (length) => new Uint8Array(length).fill(7);
    const sharedMemory = () => new WebAssembly.Memory({shared: true, initial: 1, maximum: 1}).buffer;
    const transferred = (buffer) => (structuredClone(buffer, {transfer: [buffer]}), buffer);
    const common = {challenge: bytes(16), timeout: 20_000};
    const base = {
        create: () => ({publicKey: {
            ...common, rp: {name: "Test", id: "localhost"}, user: {id: bytes(4), name: "ada", displayName: "Ada"},
            pubKeyCredParams: [{type: "public-key", alg: -7}]}}),
        get: () => ({publicKey: {...common, rpId: "localhost"}}),
    };
    const plain = (value) => value instanceof ArrayBuffer ? `${value.byteLength} bytes` : value && typeof value === "object"
        ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)])) : value;
    // The members that the page script knows and Chromium does not.
    const beyond = ["attestationFormats", "payment", "pinComplexityPolicy"];
    // Notes the members that are read, in their order.
    const traced = (value, log, path = "") => new Proxy(value, {
        get(target, key) {
            const member = Reflect.get(target, key);
            if (typeof key === "string" && !beyond.includes(key)) log.push(path + key);
            const isPlain = member && typeof member === "object" && !ArrayBuffer.isView(member);
            return isPlain ? traced(member, log, `${path}${String(key)}.`) : member;
        },
    });
    const summary = (kind, {type, id, authenticatorAttachment, response, ...rest}, results) => {
        const data = JSON.parse(new TextDecoder().decode(response.clientDataJSON));
        const authenticatorData = new Uint8Array(kind === "create" ? response.getAuthenticatorData() : response.authenticatorData);
        return {
            type, authenticatorAttachment, results: plain(results), data: [data.type, data.challenge, data.origin, data.crossOrigin],
            // The flags UP, UV and AT: Chromium asks some authenticators for credProtect.
            flags: authenticatorData[32] & 0b01000101,
            ...kind === "create" ? {
                algorithm: response.getPublicKeyAlgorithm(), transports: response.getTransports(),
                format: /fmt.(none|packed|fido-u2f)/.exec(String.fromCharCode(...new Uint8Array(response.attestationObject, 0, 20)))?.[1],
            } : {user: response.userHandle?.byteLength ?? null},
        };
    };
    globalThis.made = null;
    globalThis.prepare = async (selection) => {
        const {publicKey} = base.create();
        publicKey.authenticatorSelection = selection;
        publicKey.extensions = {prf: {}};
        globalThis.made = await navigator.credentials.create({publicKey});
    };
    const attempt = async (kind, statement) => {
        const begin = performance.now();
        const log = [];
        let limit;
        try {
            let o = base[kind]();
            const names = {o, p: o.publicKey, bytes, frame, made, sharedMemory, transferred, set: (value) => { o = value; },
                trace: () => { o = traced(o, log); }};
            new Function(...Object.keys(names), statement)(...Object.values(names));
            limit = typeof names.p.timeout === "number" ? names.p.timeout : 0;
            let promise;
            try {
                promise = navigator.credentials[kind](o);
            } catch (error) {
                return {thrown: error.name};
            }
            const credential = await promise;
            return {id: credential.id, ...summary(kind, credential, credential.getClientExtensionResults()), log};
        } catch (error) {
            return {error: error?.name ?? String(error), message: error?.message, waits: limit >= 300 && performance.now() - begin >= limit, log};
        }
    };
    globalThis.run = (kind, statement) => Promise.race([
        attempt(kind, statement), new Promise((resolve) => setTimeout(resolve, 25_000, {error: "no answer"}))]);
})()"""


def cases(groups):
    """The statements of a list of groups."""
    for group in groups:
        yield from group.get("statements", [f"p.{group.get('member')} = {value}" for value in group.get("values", [])])


@pytest.fixture(scope="module")
def browsers(chromium, playwright, program):
    """Chromium, and another one behind `touchstone devtools`, which would also answer the pages of the first."""
    with contextlib.ExitStack() as running:
        server = running.enter_context(subprocess.Popen(
            [str(program), "devtools", "--port", "0"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True))
        running.callback(server.terminate)
        line = next(line for line in server.stderr if line.startswith("DevTools on "))
        touchstone = playwright.chromium.connect_over_cdp(line.split()[2].rstrip(";"), timeout=1_800_000)
        running.callback(touchstone.close)
        yield {"Chromium": chromium, "Touchstone": touchstone}


def outcomes(browser, url, section):
    """The outcome of each case of a section, with what the authenticator stores."""
    context = browser.new_context()
    context.set_default_timeout(1_800_000)
    page = context.new_page()
    client = context.new_cdp_session(page)
    client.send("WebAuthn.enable")
    added = client.send("WebAuthn.addVirtualAuthenticator", {"options": {**AUTHENTICATOR, **section["options"]}})
    page.goto(url)
    page.evaluate(SCRIPT)
    found = {}
    # Chromium's authenticators of U2F keep no account.
    names = STORED[-1:] if section["options"].get("protocol") == "u2f" else STORED
    for kind in ("create", "get"):
        if kind == "get" and kind in section:
            page.evaluate("selection => prepare(selection)", {"residentKey": "preferred"})
        for case in cases(section.get(kind, [])):
            outcome = found[f"{kind}: {case}"] = page.evaluate("([kind, statement]) => run(kind, statement)", [kind, case])
            identifier = outcome.pop("id", None)
            if kind == "create" and identifier is not None:
                stored = client.send("WebAuthn.getCredentials", added)["credentials"]
                outcome["stored"] = {name: stored[-1].get(name) or None for name in names}
                client.send("WebAuthn.clearCredentials", added)
    context.close()
    return found


@pytest.mark.each_combination
@pytest.mark.parametrize("section", TABLE["sections"], ids=lambda section: section["authenticator"])
def test_options_have_the_same_outcome(browsers, pages, section):
    expected, given = (outcomes(browser, pages.local, section) for browser in browsers.values())
    differing = {case for case in expected if expected[case] != given[case]}
    named = {case for entry in EXCEPTIONS if section["authenticator"] in entry["with"] for case in entry["cases"]}
    excepted = named & expected.keys()
    report = "\n".join(f"{case}\n    Chromium   {expected[case]}\n    Touchstone {given[case]}" for case in sorted(differing - excepted))
    assert not report, f"{len(differing - excepted)} of {len(expected)} cases differ:\n{report}"
    assert excepted <= differing, f"no longer exceptions: {sorted(excepted - differing)}"


def test_each_exception_is_explained():
    text = " ".join(EXPLANATION.read_text(encoding="utf-8").split())
    assert [entry["why"] for entry in EXCEPTIONS if entry["why"] not in text] == []


def test_the_table_is_long():
    assert sum(len(list(cases(section.get(kind, [])))) for section in TABLE["sections"] for kind in ("create", "get")) >= 300
