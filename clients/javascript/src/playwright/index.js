import { Control } from "../control.js";
import { TouchstoneError } from "../errors.js";
import { narrated } from "../narration.js";

// No event has this ID yet, so the list is empty and names the last event.
const LATEST = Number.MAX_SAFE_INTEGER;

/** Fixtures for `test.extend` of @playwright/test: a control API for each worker, and devices that end with their test. */
export const passkeyFixtures = {
    touchstoneProgram: [undefined, { option: true, scope: "worker" }],

    touchstoneControl: [async ({ touchstoneProgram }, use) => {
        const control = await Control.start({ program: touchstoneProgram });
        try {
            await use(control);
        } finally {
            await control.close();
        }
    }, { scope: "worker" }],

    passkeyDevice: async ({ touchstoneControl }, use, testInfo) => {
        const running = [];
        await use(async (profile, settings) => {
            const { lastId } = await touchstoneControl.events({ limit: 1, since: LATEST });
            const device = await touchstoneControl.startDevice(profile, settings);
            running.push({ device, since: lastId });
            return device;
        });
        const hasFailed = testInfo.status !== testInfo.expectedStatus;
        for (const { device, since } of running.reverse()) {
            try {
                if (hasFailed) {
                    const body = narrated(await device.events({ since }));
                    await testInfo.attach(`touchstone events of ${device.name}`, { body, contentType: "text/plain" });
                    // That failure says more than the acts that were left.
                    await device.forgetPlan();
                }
                await device.delete();
            } catch (error) {
                // The test deleted the device itself, or ended the program.
                if (!(error instanceof TouchstoneError)) throw error;
            }
        }
        await touchstoneControl.checkActs();
    },
};
