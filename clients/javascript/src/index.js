export { Control } from "./control.js";
export { Device } from "./device.js";
export { CeremonyError, HandOverError, IdleActsError, ProgramError, RequestError, TouchstoneError, UnreportedError } from "./errors.js";
export { HandOver } from "./hand-over.js";
export { ControlProcess, findProgram } from "./program.js";
