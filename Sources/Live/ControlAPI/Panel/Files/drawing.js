import { element, glyph, span, timeOfDay } from "./parts.js";
import { sheetOf } from "./sheet.js";

const lockouts = { timed: "locked for a time", permanent: "locked until the passcode", exhausted: "locked, no retries left" };

/** A sensor's lockout in words; empty for none. */
export const lockoutWords = (kind, secondsLeft) =>
  kind === "timed" && secondsLeft !== undefined ? `locked for ${span(secondsLeft)}` : lockouts[kind] ?? "";

const shapes = { ios: "phone", android: "phone", macos: "computer", windows: "computer" };

const sensorNames = { face: "Face sensor", fingerprint: "Fingerprint sensor", iris: "Iris sensor", voice: "Voice sensor" };
export const sensorName = modality => sensorNames[modality] ?? `Sensor: ${modality}`;

/** The shape of a device: `phone`, `computer` or `key`. */
export const shapeOf = (summary, state) => state.status.life ? shapes[summary.platform] ?? "phone" : "key";

/** The name of a screen of the reference app in words. */
export const screenWords = name => name[0].toUpperCase() + name.slice(1).replaceAll("-", " ");

/** The page's view of the last ceremony, which stays on the screen until something else is there. */
function pageView(ceremony) {
  if (!ceremony?.origin) return undefined;
  const done = ceremony.kind === "create" ? "Passkey saved" : "Signed in";
  return {
    site: ceremony.rpId ?? ceremony.origin, isGood: !ceremony.error, words: ceremony.error ? "Not completed" : done,
    account: ceremony.error ? "" : ceremony.userName ?? (ceremony.accounts.length === 1 ? ceremony.accounts[0] : ""),
  };
}

/** The drawn part of a device: a value that is compared with the last one. */
export function picture(summary, state, prompt, { last, app, ceremony }) {
  const status = state.status;
  const sensors = status.sensors ?? [];
  const foreground = Object.entries(status.life?.apps ?? {}).find(([, place]) => place === "foreground")?.[0];
  return {
    shape: shapeOf(summary, state), platform: summary.platform,
    time: status.life ? timeOfDay(state.clock.now, { hour: "2-digit", minute: "2-digit" }) : undefined,
    isLocked: status.life?.screen === "locked", isOffline: status.life?.network === "offline", foreground,
    app: app?.isOnScreen ? { screen: app.screen, message: app.message } : undefined,
    page: prompt?.request?.origin ? { site: prompt.rpId ?? prompt.request.origin } : pageView(ceremony),
    sheet: prompt && sheetOf(prompt, { platform: summary.platform, last, sensors, credential: status.deviceCredential, foreground }),
    sensors: sensors.map(sensor => ({
      modality: sensor.modality, availability: sensor.availability, enrolled: sensor.enrolled, lockout: sensor.lockout,
      words: lockoutWords(sensor.lockout, sensor.lockoutSecondsLeft), failed: sensor.failedAttempts,
    })),
    faults: status.faults,
  };
}

/** Draws a device: its screen with the sheet of the open prompt, or the key with the browser's. */
export function draw(drawn, tell) {
  const parts = drawn.shape === "key" ? key(drawn, tell) : screen(drawn, tell);
  return element("div", parts, { class: `device ${drawn.shape} ${drawn.platform}${drawn.sheet ? " asking" : ""}` });
}

/** Draws the sensors, and the faults that are armed. */
export function drawSensors({ sensors, faults }) {
  const items = sensors.map(sensor => {
    const words = [
      sensor.availability === "present" ? "" : sensor.availability, sensor.words,
      sensor.enrolled.length ? `enrolled: ${sensor.enrolled.join(", ")}` : "nothing enrolled",
      sensor.failed ? `${sensor.failed} failed in a row` : "",
    ].filter(word => word);
    const isBad = sensor.lockout !== "none" || sensor.availability !== "present";
    return element("li", [
      glyph(sensor.modality), element("span", [element("strong", sensorName(sensor.modality)), ` ${words.join(" · ")}`]),
    ], { class: isBad ? "bad" : undefined });
  });
  if (faults.length) items.push(element("li", [glyph("fault"), element("span", `Faults: ${faults.join(", ")}`)], { class: "bad" }));
  return items;
}

function sheetView(sheet, tell) {
  const button = (word, label, attributes = {}) => {
    const made = element("button", label, { type: "button", "data-act": word, ...attributes });
    made.addEventListener("click", () => tell(word));
    return made;
  };
  const accounts = sheet.accounts.map((name, place) => button(`choose:${place + 1}`, [glyph("account"), name || `Account ${place + 1}`], { class: "account" }));
  const tone = sheet.isBad ? " failed" : sheet.isGood ? " matched" : "";
  return element("div", [
    element("p", sheet.title, { class: "ask" }),
    ...(sheet.site ? [element("p", sheet.site, { class: "site" })] : []),
    ...(sheet.account ? [element("p", [glyph("account"), sheet.account], { class: "who" })] : []),
    ...(accounts.length ? [] : [glyph(sheet.isGood ? "good" : sheet.glyph)]), element("p", sheet.state, { class: "state" }),
    ...(accounts.length ? [element("div", accounts, { class: "accounts" })] : []),
    ...(sheet.note ? [element("p", sheet.note, { class: "note" })] : []),
    ...(sheet.hasKeypad ? [element("p", Array.from({ length: 6 }, () => element("span")), { class: "dots", "aria-hidden": "true" })] : []),
    ...(sheet.buttons.length ? [element("div", sheet.buttons.map(([word, label]) => button(word, label)), { class: "answers" })] : []),
  ], { class: `sheet${tone}`, role: "group", "aria-label": "Prompt on the device" });
}

/** The content of the screen below a sheet. */
function content(drawn) {
  if (drawn.isLocked)
    return [element("p", drawn.time, { class: "big" }), element("p", [glyph("locked"), "Locked"], { class: "place" })];
  if (drawn.app?.screen)
    return [element("p", "Reference app", { class: "place" }), element("p", screenWords(drawn.app.screen), { class: "title" }),
      ...(drawn.app.message ? [element("p", drawn.app.message, { class: "message" })] : [])];
  const address = drawn.page && element("p", [glyph("locked"), drawn.page.site], { class: "address" });
  if (drawn.page && drawn.sheet) return [address];
  if (drawn.page)
    return [address, element("div", [
      glyph(drawn.page.isGood ? "good" : "ended"), element("p", drawn.page.words),
      ...(drawn.page.account ? [element("p", drawn.page.account, { class: "message" })] : []),
    ], { class: `ended ${drawn.page.isGood ? "good" : ""}` })];
  return [element("p", drawn.foreground ? `App: ${drawn.foreground}` : "Home screen", { class: "place" })];
}

function screen(drawn, tell) {
  return element("div", [
    element("p", [element("span", drawn.time), element("span", drawn.isOffline ? "Airplane mode" : "Online")], { class: "bar" }),
    element("div", content(drawn), { class: "content" }), ...(drawn.sheet ? [sheetView(drawn.sheet, tell)] : []),
  ], { class: "screen" });
}

function key(drawn, tell) {
  return [
    element("div", element("span", [], { class: "disc" }), { class: "stick" }),
    ...(drawn.sheet ? [sheetView(drawn.sheet, tell)] : [element("p", "Plugged in", { class: "idle" })]),
  ];
}
