import type { Control, Device, DeviceSettings, DeviceStartRequest, HandOver } from "../index.js";

/** Starts a device that ends with the test; the arguments are those of `Control.startDevice`. */
export type DeviceFactory = (profile: DeviceStartRequest["profile"] | HandOver, settings?: DeviceSettings) => Promise<Device>;

export interface PasskeyTestFixtures {
    passkeyDevice: DeviceFactory;
}

export interface PasskeyWorkerFixtures {
    /** The program's file; default: as `Control.start` finds it. */
    touchstoneProgram: string | undefined;
    /** The control API of the worker, which the first device starts. */
    touchstoneControl: Control;
}

/** The members of Playwright's `TestInfo` that the fixtures use. */
interface TestInfo {
    status?: string;
    expectedStatus: string;
    attach(name: string, options: { body: string; contentType: string }): Promise<void>;
}

type Use<Value> = (value: Value) => Promise<void>;

/**
 * Fixtures for `test.extend` of @playwright/test.
 *
 * A test fails if acts that it planned had no effect. A failing test has the events of its devices as attachments.
 */
export const passkeyFixtures: {
    touchstoneProgram: [string | undefined, { option: true; scope: "worker" }];
    touchstoneControl: [
        (fixtures: { touchstoneProgram: string | undefined }, use: Use<Control>) => Promise<void>, { scope: "worker" },
    ];
    passkeyDevice: (fixtures: { touchstoneControl: Control }, use: Use<DeviceFactory>, testInfo: TestInfo) => Promise<void>;
};
