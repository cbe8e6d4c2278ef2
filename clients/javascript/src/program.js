import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { accessSync, closeSync, constants, mkdtempSync, openSync, readSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

import { ProgramError } from "./errors.js";

function isProgram(file) {
    try {
        accessSync(file, constants.X_OK);
        return statSync(file).isFile();
    } catch {
        return false;
    }
}

function onPath(name, isWanted = () => true) {
    if (name.includes(path.sep)) return isProgram(name) ? path.resolve(name) : undefined;
    return (process.env.PATH ?? "").split(path.delimiter).map((folder) => path.join(folder, name))
        .find((file) => isProgram(file) && isWanted(file));
}

/** Whether a `touchstone` is a script of this package or of its sibling for Python, which look for the program themselves. */
function isLauncher(file) {
    const start = Buffer.alloc(1024);
    const opened = openSync(file, "r");
    try {
        readSync(opened, start);
    } finally {
        closeSync(opened);
    }
    const text = start.toString("latin1");
    return text.startsWith("#!") && /touchstone[_-]bench/.test(text);
}

/** The program of the package for this platform, which npm installs as an optional dependency. */
function installedProgram() {
    try {
        const manifest = createRequire(import.meta.url).resolve(`touchstone-bench-${process.platform}-${process.arch}/package.json`);
        return [path.join(path.dirname(manifest), "bin", "touchstone")].find(isProgram);
    } catch {
        return undefined;
    }
}

/**
 * The program's file: `given`, `$TOUCHSTONE`, the one that was installed with this package, `touchstone` on the path, or the
 * build of a checkout around the working directory.
 */
export function findProgram(given) {
    const named = given ?? process.env.TOUCHSTONE;
    if (named) {
        const found = onPath(named);
        if (!found) throw new ProgramError(`${named} is not a program. Name the file of \`touchstone\`.`);
        return found;
    }
    const found = installedProgram() ?? onPath("touchstone", (file) => !isLauncher(file));
    if (found) return found;
    for (let folder = process.cwd(); ; folder = path.dirname(folder)) {
        for (const build of ["release", "debug"]) {
            const candidate = path.join(folder, ".build", build, "touchstone");
            if (isProgram(candidate)) return candidate;
        }
        if (folder === path.dirname(folder)) break;
    }
    throw new ProgramError("`touchstone` was not found. Packages for Linux on x86-64 include the program; build it on other systems"
        + " with `make release`, and put it on the path or name its file in $TOUCHSTONE.");
}

/** A running `touchstone control` on a free port of the loopback interface; `stop()` ends it. */
export class ControlProcess {
    #child;
    #ended;
    #lines = [];
    #sockets = mkdtempSync(path.join(tmpdir(), "touchstone-"));
    #onExit = () => {
        this.#child.kill();
        rmSync(this.#sockets, { recursive: true, force: true });
    };

    /** Starts the program and waits until it listens. */
    static async start({ program, trace, allowOrigins = [] } = {}) {
        const started = new ControlProcess(findProgram(program), trace, allowOrigins);
        started.url = await started.#listening();
        return started;
    }

    /** Use `start`. */
    constructor(executable, trace, allowOrigins) {
        this.token = randomBytes(32).toString("base64url");
        const options = ["control", "--port", "0", ...(trace ? ["--trace", trace] : [])];
        for (const origin of allowOrigins) options.push("--allow-origin", origin);
        // The environment carries the token, because every process can list command lines. Devices of other programs on this
        // computer may have the same names.
        this.#child = spawn(executable, options, {
            env: { ...process.env, TOUCHSTONE_TOKEN: this.token, TOUCHSTONE_RUNTIME: this.#sockets },
            stdio: ["ignore", "ignore", "pipe"],
        });
        this.#ended = new Promise((resolve) => {
            this.#child.once("exit", (status, signal) => resolve(status ?? signal));
            this.#child.once("error", (error) => resolve(error.message));
        });
        process.once("exit", this.#onExit);
    }

    async #listening() {
        const listening = new Promise((resolve) => {
            createInterface({ input: this.#child.stderr }).on("line", (line) => {
                this.#lines = [...this.#lines.slice(-99), line];
                const found = line.match(/control API on (http:\/\/\S+:\d+)/);
                if (found) resolve(found[1]);
            });
        });
        const failed = this.#ended.then((status) => {
            throw new ProgramError(`\`touchstone control\` ended with ${status}: ${this.log}`);
        });
        try {
            const url = await Promise.race([listening, failed]);
            failed.catch(() => undefined);
            return url;
        } catch (error) {
            await this.stop();
            throw error;
        }
    }

    /** The last lines that the program wrote to standard error. */
    get log() {
        return this.#lines.join("\n");
    }

    /** The ID of the process. */
    get processId() {
        return this.#child.pid;
    }

    /** Ends the program and waits for its end. */
    async stop() {
        process.off("exit", this.#onExit);
        this.#child.kill();
        const timer = setTimeout(() => this.#child.kill("SIGKILL"), 10_000);
        await this.#ended;
        clearTimeout(timer);
        rmSync(this.#sockets, { recursive: true, force: true });
    }
}
