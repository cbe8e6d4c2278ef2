export { clearPhone, setPhone } from "./phone.js";
export type { AppSettings } from "./phone.js";

/** The name of each package with a module here, and the name of its module. */
export const packages: Record<string, string>;
/** The setting of Jest that replaces the packages with the modules. */
export const moduleNameMapper: Record<string, string>;
/** The setting of Jest with which Babel translates the ECMAScript modules of this package, React Native and Expo. */
export const transformIgnorePatterns: string[];
/** The setting `test.alias` of Vitest, which replaces the packages with the modules. */
export const alias: Array<{ find: RegExp; replacement: string }>;
