// A `touchstone control` of its own, phones whose app the modules are, and a relying party. $TOUCHSTONE names the program.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

import { Control, findProgram } from "touchstone-bench";
import { clearPhone, setPhone } from "touchstone-bench/react-native";

export const ANDROID_HASH = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";

/** Starts the control API, and gives `withPhone` for tests. */
export async function bench() {
    const control = await Control.start();

    async function withPhone(profile, use, settings = {}) {
        const phone = await control.startDevice(profile, { clock: "simulated", ...settings });
        try {
            await setPhone(phone, { associatedDomains: ["example.org"], apkKeyHash: ANDROID_HASH });
            return await use(phone);
        } finally {
            clearPhone();
            await phone.delete();
        }
    }

    return { control, withPhone };
}

/** A relying party for example.org, which also accepts the Android app. */
export async function relyingParty() {
    const child = spawn(findProgram(), [
        "serve", "--port", "0", "--relying-party-id", "example.org", "--origin", "https://example.org",
        "--origin", `android:apk-key-hash:${ANDROID_HASH}`,
    ], { stdio: ["ignore", "pipe", "pipe"] });
    const url = await new Promise((resolve, reject) => {
        child.once("exit", (status) => reject(new Error(`touchstone serve ended with ${status}`)));
        for (const stream of [child.stdout, child.stderr]) {
            createInterface({ input: stream }).on("line", (line) => {
                const found = line.match(/(http:\/\/\S+:\d+)/);
                if (found) resolve(found[1]);
            });
        }
    });
    let token;
    async function post(path, body = {}) {
        const headers = { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) };
        const answer = await fetch(`${url}/api/v1/auth${path}`, { method: "POST", headers, body: JSON.stringify(body) });
        const json = await answer.json();
        token = json.token ?? answer.headers.get("set-cookie")?.match(/touchstone_session=([^;]+)/)?.[1] ?? token;
        return { status: answer.status, json };
    }
    return { post, stop: () => new Promise((resolve) => { child.once("exit", resolve); child.kill(); }) };
}
