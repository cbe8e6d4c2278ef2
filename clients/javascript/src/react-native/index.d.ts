export { forgetPhone, usePhone } from "./phone.js";
export type { AppSettings } from "./phone.js";

/** The packages that have a module here, and its name. */
export const packages: Record<string, string>;
/** For Jest's configuration. */
export const moduleNameMapper: Record<string, string>;
/** For Jest's configuration: the packages that Babel translates. */
export const transformIgnorePatterns: string[];
/** For Vitest's configuration, `test.alias`. */
export const alias: Array<{ find: RegExp; replacement: string }>;
