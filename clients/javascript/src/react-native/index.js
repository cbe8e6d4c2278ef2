export { alias, moduleNameMapper, packages, transformIgnorePatterns } from "./mapping.js";
export { clearPhone, setPhone } from "./phone.js";
