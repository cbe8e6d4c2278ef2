/** The base of all errors of this package. */
export class TouchstoneError extends Error {
    constructor(message, options) {
        super(message, options);
        this.name = new.target.name;
    }
}

/** The program `touchstone` was not found, or its control API did not start. */
export class ProgramError extends TouchstoneError {}

/** The control API refused a request: `status` is the HTTP status, `code` a stable name such as `device.notFound`. */
export class RequestError extends TouchstoneError {
    constructor(status, code, text) {
        super(`${text} (${status} ${code})`);
        this.status = status;
        this.code = code;
    }
}

/** The file of a hand-over is missing, damaged, stale or of another version. */
export class HandOverError extends TouchstoneError {}

/** Planned acts had no effect: `acts` has the answer of `Device.person()` for each device, by its name. */
export class IdleActsError extends TouchstoneError {
    constructor(acts) {
        const lines = Object.entries(acts).map(([device, person]) => `${device}: ${described(person)}`);
        super(`Acts of the plan had no effect. ${lines.join(" ")} Remove them from the plan, or call forgetPlan() where the test means them.`);
        this.acts = acts;
    }
}

function described({ ignored, planned }) {
    const byReason = new Map();
    for (const { act, reason } of ignored) byReason.set(reason, [...byReason.get(reason) ?? [], act]);
    const sentences = [...byReason].map(([reason, acts]) => `The prompt ignored ${acts.join(", ")}: ${reason}.`);
    if (planned.length) sentences.push(`No prompt asked for ${planned.join(", ")}.`);
    return sentences.join(" ");
}

/** A ceremony failed. The page gets `pageError`; the other members give the reason, which the page does not receive. */
export class CeremonyError extends TouchstoneError {
    constructor(failure, elapsedSeconds, faces = []) {
        const reason = failure.deviceReason ? `, ${failure.deviceReason}` : "";
        super(`${failure.name}: ${failure.cause}${reason} (${failure.clause})`);
        this.pageError = failure.name;
        this.cause = failure.cause;
        this.reason = failure.reason;
        this.clause = failure.clause;
        this.ctapStatus = failure.ctapStatus;
        this.detail = failure.detail;
        this.deviceReason = failure.deviceReason;
        this.elapsedSeconds = elapsedSeconds;
        this.faces = faces;
    }
}

/** The phone refused a call, and the error table has no code of the package for the cause. */
export class UnreportedError extends TouchstoneError {
    constructor(layer, cause) {
        super(`The phone refused with ${cause}, and no public source documents the error of ${layer} for it. Look at phone.events() for the reason.`);
        this.cause = cause;
    }
}
