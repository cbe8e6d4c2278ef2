"use strict";

const api = "/api/v1/auth";
const byId = (id) => document.getElementById(id);

// Shows a message; an empty one hides it.
function say(text) {
    const message = byId("message");
    message.textContent = text;
    message.hidden = text === "";
}

async function send(method, path, body) {
    const answer = await fetch(api + path, {
        method,
        headers: body === undefined ? {} : { "Content-Type": "application/json" },
        body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    const content = text === "" ? {} : JSON.parse(text);
    if (!answer.ok) {
        const error = new Error(content.error?.message ?? `The server answered ${answer.status}.`);
        error.status = answer.status;
        throw error;
    }
    return content;
}

// The message for a failed request.
function explain(error) {
    if (error.name === "NotAllowedError") return "No passkey was used. Try again, or use another way.";
    if (error.name === "InvalidStateError") return "This device already has a passkey for your account.";
    return error.message;
}

// A page that needs a session sends the user to the sign-in page, which returns to it.
function signInFirst(page) {
    location.replace(`/sign-in?for=${page}`);
}

// The page that asked for the sign-in; only this site's own pages.
const askedFor = ["passkeys", "step-up"].find((page) => page === new URLSearchParams(location.search).get("for"));

function leaveSignIn() {
    location.assign(`/${askedFor ?? "passkeys"}`);
}

// The pending request of the user name field; a browser runs one request at a time.
let pending = null;
// The last answer with options: it may set a cookie.
let begun = Promise.resolve();

// Ends the pending request, and waits for its options: a late answer would replace the cookie of a newer one.
async function abortPending() {
    pending?.abort();
    pending = null;
    await begun.catch(() => null);
}

async function useAPasskey(request, mediation, signal) {
    begun = send("POST", "/passkeys/authenticate/begin", request);
    const options = await begun;
    signal?.throwIfAborted();
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    const credential = await navigator.credentials.get({ publicKey, mediation, signal });
    return send("POST", "/passkeys/authenticate/complete", credential.toJSON());
}

async function offer(signal) {
    try {
        // The answer is a promise, which is true in itself: it has to be awaited.
        if (!(await PublicKeyCredential.isConditionalMediationAvailable()) || signal.aborted) return;
        await useAPasskey({}, "conditional", signal);
        leaveSignIn();
    } catch (error) {
        // A newer request may have shown its own message already.
        if (signal.aborted) return;
        // The user has asked for nothing, so a browser without a passkey shows no message.
        if (error.name !== "NotAllowedError") say(explain(error));
    }
}

function offerInTheField() {
    if (!window.PublicKeyCredential?.isConditionalMediationAvailable) return;
    // The user may act before the browser answers.
    pending = new AbortController();
    offer(pending.signal);
}

async function signInWithAPasskey(username) {
    await abortPending();
    try {
        await useAPasskey(username === "" ? {} : { username }, "optional");
        leaveSignIn();
    } catch (error) {
        say(explain(error));
        byId("other-way").open = true;
    }
}

async function signInWithAPassword(username, password) {
    await abortPending();
    try {
        await send("POST", "/password/sign-in", { username, password });
        leaveSignIn();
    } catch (error) {
        say(error.message);
    }
}

// The message for the end of a login at a provider. Another site can make up the query, so the message takes only known words.
function explainLogin() {
    const asked = new URLSearchParams(location.search);
    const known = [...document.querySelectorAll("[data-provider]")].map((form) => form.dataset.provider);
    const provider = known.find((name) => name === asked.get("provider")) ?? "The provider";
    switch (asked.get("problem")) {
    case "cancelled": return `${provider} login was cancelled`;
    case "failed": return "Login failed — please try again";
    case "unavailable": return `${provider} is temporarily unavailable. Use another way, or try again later.`;
    case "unknown": return "This login has ended, or it began in another browser. Please try again.";
    default: return askedFor ? "Sign in first." : "";
    }
}

function startSignIn() {
    byId("sign-in").addEventListener("submit", (event) => {
        event.preventDefault();
        const password = byId("password").value;
        const username = byId("username").value.trim();
        if (byId("other-way").open && password !== "") signInWithAPassword(username, password);
        else signInWithAPasskey(username);
    });
    byId("with-passkey").addEventListener("click", () => signInWithAPasskey(""));
    byId("create-account").addEventListener("submit", async (event) => {
        event.preventDefault();
        await abortPending();
        const username = byId("new-username").value.trim();
        try {
            await send("POST", "/accounts", { username, displayName: username });
            leaveSignIn();
        } catch (error) {
            say(error.message);
        }
    });
    say(explainLogin());
    for (const form of document.querySelectorAll("[data-provider]")) form.elements.for.value = askedFor ?? "";
    offerInTheField();
}

function row(passkey) {
    const item = document.createElement("li");
    const name = document.createElement("strong");
    name.textContent = passkey.deviceName;
    const times = document.createElement("p");
    times.className = "muted";
    const day = (text) => new Date(text).toLocaleString();
    times.textContent =
        `Created ${day(passkey.createdAt)}, ` + (passkey.lastUsedAt ? `last used ${day(passkey.lastUsedAt)}` : "not used yet");
    const remove = document.createElement("button");
    remove.type = "button";
    remove.className = "danger";
    remove.textContent = `Remove the passkey of ${passkey.deviceName}`;
    remove.addEventListener("click", () => removePasskey(passkey));
    item.append(name, times, remove);
    return item;
}

async function showPasskeys() {
    try {
        const { passkeys } = await send("GET", "/passkeys");
        byId("passkeys").replaceChildren(...passkeys.map(row));
        byId("no-passkeys").hidden = passkeys.length > 0;
    } catch (error) {
        if (error.status === 401) signInFirst("passkeys");
        else say(error.message);
    }
}

async function removePasskey(passkey) {
    try {
        await useAPasskey({ purpose: "reauthenticate" }, "optional");
        await send("DELETE", `/passkeys/${passkey.credentialId}`);
        say("The passkey is removed.");
    } catch (error) {
        say(explain(error));
    }
    await showPasskeys();
}

function startPasskeys() {
    byId("add-passkey").addEventListener("click", async () => {
        try {
            const options = await send("POST", "/passkeys/register/begin", {});
            const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
            const credential = await navigator.credentials.create({ publicKey });
            await send("POST", "/passkeys/register/complete", credential.toJSON());
            say("The passkey is created.");
        } catch (error) {
            say(explain(error));
        }
        await showPasskeys();
    });
    byId("sign-out").addEventListener("click", async () => {
        try {
            await send("DELETE", "/session");
        } finally {
            location.assign("/sign-in");
        }
    });
    showPasskeys();
}

function startStepUp() {
    byId("confirm").addEventListener("click", async () => {
        try {
            await useAPasskey({ purpose: "reauthenticate" }, "optional");
            const session = await send("GET", "/session");
            const facts = [["User name", session.user.username], ["Name", session.user.displayName],
                ["Password", session.user.hasPassword ? "set" : "none"]];
            byId("details").replaceChildren(...facts.flatMap(([name, value]) => {
                const term = document.createElement("dt");
                term.textContent = name;
                const text = document.createElement("dd");
                text.textContent = value;
                return [term, text];
            }));
            byId("details").hidden = false;
            byId("hidden-details").hidden = byId("confirmation").hidden = true;
            say("These are your account's details");
        } catch (error) {
            if (error.status === 401) signInFirst("step-up");
            else say(explain(error));
        }
    });
    send("GET", "/session").catch((error) => {
        if (error.status === 401) signInFirst("step-up");
        else say(error.message);
    });
}

if (byId("sign-in")) startSignIn();
if (byId("add-passkey")) startPasskeys();
if (byId("confirm")) startStepUp();
