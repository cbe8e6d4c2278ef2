export { alias, moduleNameMapper, packages, transformIgnorePatterns } from "./mapping.js";
export { forgetPhone, usePhone } from "./phone.js";
