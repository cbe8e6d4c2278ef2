#!/usr/bin/env node
// touchstone-bench: starts the program `touchstone`, and ends as it does.
import { spawn } from "node:child_process";
import { constants } from "node:os";

import { findProgram } from "../src/program.js";

// The program's own status for something that was not found.
const NOT_FOUND = 3;

function program() {
    try {
        return findProgram();
    } catch (error) {
        console.error(`touchstone: ${error.message}`);
        process.exit(NOT_FOUND);
    }
}

const child = spawn(program(), process.argv.slice(2), { stdio: "inherit" });
// The program decides what a signal does; this process waits for its end.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
    console.error(`touchstone: the program did not start: ${error.message}`);
    process.exit(NOT_FOUND);
});
child.on("exit", (status, signal) => process.exit(status ?? 128 + constants.signals[signal]));
