import { element, glyph, span, timeOfDay } from "./parts.js";

const prompts = {
  touch: "Touch the device", "long touch": "Touch the device for a long time", face: "Looking for a face",
  fingerprint: "Waiting for a finger", iris: "Looking for an eye", voice: "Waiting for a voice",
  passcode: "Asking for the passcode", confirmation: "Asking the user to confirm", "try again": "Offering to try again",
  fallback: "The sensor has given up", "challenge phrase": "Asking for the challenge phrase",
  sample: "Enrolling: waiting for a sample", account: "Asking which account to use",
};

/** The open prompt in words. */
export const promptWords = asksFor => prompts[asksFor] ?? `Waiting for: ${asksFor}`;

const lockouts = { timed: "locked for a time", permanent: "locked until the passcode", exhausted: "locked, no retries left" };

/** A sensor's lockout in words; empty for none. */
export const lockoutWords = (kind, secondsLeft) =>
  kind === "timed" && secondsLeft !== undefined ? `locked for ${span(secondsLeft)}` : lockouts[kind] ?? "";

const shapes = { ios: "phone", android: "phone", macos: "computer", windows: "computer" };
const pictures = { "long touch": "touch", confirmation: "touch", sample: "fingerprint", "face or fingerprint": "face" };

const sensorNames = { face: "Face sensor", fingerprint: "Fingerprint sensor", iris: "Iris sensor", voice: "Voice sensor" };
export const sensorName = modality => sensorNames[modality] ?? `Sensor: ${modality}`;

/** The name of a screen of the reference app in words. */
export const screenWords = name => name[0].toUpperCase() + name.slice(1).replaceAll("-", " ");

/** The drawn part of a device: a value that is compared with the last one. */
export function picture(summary, state, prompt, lastStep, app) {
  const status = state.status;
  const foreground = Object.entries(status.life?.apps ?? {}).find(([, place]) => place === "foreground")?.[0];
  return {
    shape: status.life ? shapes[summary.platform] ?? "phone" : "key",
    time: status.life ? timeOfDay(state.clock.now, { hour: "2-digit", minute: "2-digit" }) : undefined,
    isLocked: status.life?.screen === "locked", isOffline: status.life?.network === "offline", foreground,
    app: app?.isOnScreen ? { screen: app.screen, message: app.message } : undefined,
    prompt: prompt && {
      asksFor: prompt.asksFor, site: prompt.rpId ?? "", left: span(prompt.deadline - state.clock.now),
    },
    lastStep: lastStep ?? "",
    sensors: (status.sensors ?? []).map(sensor => ({
      modality: sensor.modality, availability: sensor.availability, enrolled: sensor.enrolled,
      lockout: lockoutWords(sensor.lockout, sensor.lockoutSecondsLeft), failed: sensor.failedAttempts,
    })),
    faults: status.faults,
  };
}

/** Draws a device: its screen, its open prompt and its sensors. */
export function draw(drawn) {
  const sheet = drawn.prompt && element("div", [
    glyph(pictures[drawn.prompt.asksFor] ?? drawn.prompt.asksFor),
    element("p", promptWords(drawn.prompt.asksFor), { class: "ask" }),
    element("p", [drawn.prompt.site ? `for ${drawn.prompt.site}, ` : "", `${drawn.prompt.left} left`]),
    ...(drawn.lastStep ? [element("p", drawn.lastStep, { class: "step" })] : []),
  ], { class: "sheet" });
  const parts = drawn.shape === "key" ? key(drawn, sheet) : screen(drawn, sheet);
  const sensors = drawn.sensors.map(sensor => {
    const words = [
      sensor.availability === "present" ? "" : sensor.availability, sensor.lockout,
      sensor.enrolled.length ? `enrolled: ${sensor.enrolled.join(", ")}` : "nothing enrolled",
      sensor.failed ? `${sensor.failed} failed in a row` : "",
    ].filter(word => word);
    return element("li", [
      glyph(sensor.modality),
      element("span", [element("strong", sensorName(sensor.modality)), element("br"), words.join(" · ")]),
    ], { class: sensor.lockout || sensor.availability !== "present" ? "bad" : undefined });
  });
  const faults = drawn.faults.length ? [element("p", `Faults: ${drawn.faults.join(", ")}`, { class: "bad note" })] : [];
  return [
    element("div", parts, { class: `device ${drawn.shape}${drawn.prompt ? " asking" : ""}` }),
    ...(sensors.length ? [element("ul", sensors, { class: "sensors" })] : []), ...faults,
  ];
}

/** The screen of the reference app. */
function appView(app) {
  if (!app?.screen) return [];
  return [
    element("p", screenWords(app.screen), { class: "title" }), ...(app.message ? [element("p", app.message, { class: "message" })] : []),
  ];
}

function screen(drawn, sheet) {
  const view = drawn.isLocked
    ? [element("p", drawn.time, { class: "big" }), element("p", [glyph("locked"), "Locked"], { class: "place" })]
    : [element("p", drawn.foreground ? `App: ${drawn.foreground}` : "Home screen", { class: "place" }), ...appView(drawn.app)];
  return element("div", [
    element("p", [element("span", drawn.time), element("span", drawn.isOffline ? "Airplane mode" : "Online")], { class: "bar" }),
    ...view,
    sheet ?? element("p", drawn.lastStep || "No prompt is open", { class: "idle" }),
  ], { class: "screen" });
}

function key(drawn, sheet) {
  return [
    element("div", element("span", [], { class: "disc" }), { class: "stick" }),
    sheet ?? element("p", drawn.lastStep || "No prompt is open", { class: "idle" }),
  ];
}
