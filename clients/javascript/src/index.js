export { Control } from "./control.js";
export { Device } from "./device.js";
export { CeremonyError, IdleActsError, ProgramError, RequestError, TouchstoneError, UnreportedError } from "./errors.js";
export { ControlProcess, findProgram } from "./program.js";
