// The compiler checks the declarations with this file, which is not run.
import { CeremonyError, Control } from "../src/index.js";

export async function use(): Promise<number> {
    const control = await Control.start({ allowOrigins: ["https://example.org"] });
    const phone = await control.startDevice("iphone-face-id", { clock: "simulated", person: "ask" });
    const state = await phone.state();
    const name: string = state.status.name;
    // @ts-expect-error
    await phone.act("enroll");
    // @ts-expect-error
    await phone.act("enrol", { tempate: "second face" });
    await phone.act("enrol", { template: "second face" });
    // @ts-expect-error
    await control.startDevice("iphone-face-id", { clock: "none" });
    await phone.get({ rpId: "example.org" }, "https://example.org", { signal: new AbortController().signal }).catch((error) => {
        if (error instanceof CeremonyError) return error.deviceReason;
        throw error;
    });
    for await (const event of phone.eventStream()) return event.id + name.length;
    return 0;
}
