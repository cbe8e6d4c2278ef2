import { follow, forget, open, request } from "./access.js";
import { offerActs, showActs, tell } from "./acts.js";
import { offerApp, showApp } from "./app.js";
import { offerCopies } from "./copies.js";
import { draw, drawSensors, lockoutWords, picture, sensorName, shapeOf } from "./drawing.js";
import { addEvent, offerFilter, showEvents } from "./log.js";
import { outcomeWords, showOutcome } from "./outcome.js";
import { announce, byID, complain, counted, element, show } from "./parts.js";
import { showCeremonies, showCredentials, showState } from "./records.js";
import { promptWords } from "./sheet.js";
import { showSuggestions, suggestionWords } from "./suggestions.js";

const mostKept = 1000;
let devices = [];
let chosen;
let events = [];
let lastID = 0;
let recordsAreOld = 0;
let ceremony;
let news = {};

const pathOf = name => `/devices/${encodeURIComponent(name)}`;
const pause = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));

function showDevices() {
  show(byID("devices"), [devices.map(({ name, title, waitingFor }) => [name, title, waitingFor]), chosen], ([shown]) =>
    shown.map(([name, title, waitingFor]) => {
      const button = element("button", [
        element("strong", name), element("span", title, { class: "soft" }),
        ...(waitingFor ? [element("span", promptWords(waitingFor), { class: "waits" })] : []),
      ], { type: "button", "aria-current": name === chosen ? "true" : undefined, "data-name": name });
      button.addEventListener("click", () => choose(name));
      return element("li", button);
    }));
}

function choose(name) {
  // The list is drawn anew, so its button takes the focus again.
  const hadFocus = byID("devices").contains(document.activeElement);
  chosen = name;
  ceremony = undefined;
  news = {};
  recordsAreOld = 2;
  showDevices();
  if (hadFocus) byID("devices").querySelector(`[aria-current]`)?.focus();
  showEvents(events.filter(record => record.device === chosen).map(record => record.event));
  refresh();
}

/** Announces changes of the shown device: its prompt, its lockouts and the requests of pages. */
function announceNews(summary, state, person, requests) {
  if (news.device !== summary.name) news = {};
  const now = {
    device: summary.name, prompt: person.openPrompt && promptWords(person.openPrompt.asksFor),
    request: requests.at(-1)?.number ?? 0,
    locked: (state.status.sensors ?? []).filter(sensor => sensor.lockout !== "none").map(sensor =>
      `${sensorName(sensor.modality)} ${lockoutWords(sensor.lockout, sensor.lockoutSecondsLeft)}`),
  };
  const words = [];
  if (now.locked.length > (news.locked ?? []).length) words.push(...now.locked);
  if (now.prompt && now.prompt !== news.prompt)
    words.push(`${summary.name}: ${now.prompt}${person.openPrompt.rpId ? `, for ${person.openPrompt.rpId}` : ""}`);
  words.push(...requests.filter(({ number }) => number > (news.request ?? 0)).map(suggestionWords));
  if (words.length) announce(words.join(". "));
  news = now;
}

/** The last event at the user's side of the chosen device. */
const lastStep = () => events.findLast(record =>
  record.device === chosen && ["gate", "presence", "enrolment"].includes(record.event.kind))?.event;

const plainTitle = "Touchstone devices";

/** The title beside an open prompt, so that the tab shows it; the chosen device's comes first. */
function titleOf(person, summary) {
  const prompt = person?.openPrompt;
  if (prompt) return `● ${promptWords(prompt.asksFor)}${prompt.rpId ? ` for ${prompt.rpId}` : ""} – ${summary.name}`;
  const other = devices.find(device => device.waitingFor);
  return other ? `● ${promptWords(other.waitingFor)} – ${other.name}` : plainTitle;
}

async function showChosen() {
  const summary = devices.find(device => device.name === chosen);
  byID("none").hidden = summary !== undefined;
  byID("shown").hidden = summary === undefined;
  if (!summary) {
    document.title = titleOf();
    return;
  }
  const [state, person, requests, app] = await Promise.all([
    request("GET", pathOf(chosen)), request("GET", `${pathOf(chosen)}/person/acts`),
    request("GET", `${pathOf(chosen)}/browser-requests`),
    summary.hasApp ? request("GET", `${pathOf(chosen)}/app`) : undefined,
  ]);
  if (summary.name !== chosen) return;
  if (recordsAreOld > 0) await showRecords(summary, state);
  if (summary.name !== chosen) return;
  document.title = titleOf(person, summary);
  byID("name").textContent = summary.name;
  byID("title").textContent = `${summary.title}${summary.person === "auto" ? " · its user acts at once" : ""}`;
  const drawn = picture(summary, state, person.openPrompt, { last: lastStep(), app, ceremony });
  show(byID("drawing"), { ...drawn, sensors: [] }, shown => draw(shown, tell));
  show(byID("sensors"), { sensors: drawn.sensors, faults: drawn.faults }, drawSensors);
  byID("stage").classList.toggle("waiting", person.openPrompt !== undefined);
  showSuggestions(summary.name, requests);
  showApp(state, app);
  showActs(state, person);
  showState(state);
  announceNews(summary, state, person, requests);
}

async function showRecords(summary, state) {
  const { name } = summary;
  recordsAreOld -= 1;
  const [ceremonies, credentials] = await Promise.all([
    request("GET", `${pathOf(name)}/ceremonies`), request("GET", `${pathOf(name)}/credentials`),
  ]);
  if (name !== chosen) return;
  const before = byID("ceremonies").dataset.newest;
  ceremony = ceremonies[0];
  offerCopies(ceremonies, { name, profile: summary.profile, shape: shapeOf(summary, state), hasRealClock: state.clock.kind === "real" });
  showOutcome(ceremony);
  showCeremonies(ceremonies);
  const newest = `${name} ${ceremonies[0]?.id ?? 0}`;
  if (before?.startsWith(`${name} `) && before !== newest) announce(`The page got: ${outcomeWords(ceremonies[0])}`);
  byID("ceremonies").dataset.newest = newest;
  showCredentials(name, credentials, change);
}

let isRefreshing = false;
let mustRefresh = false;

/** Reads everything that is shown; one reading at a time. */
async function refresh() {
  mustRefresh = true;
  if (isRefreshing) return;
  isRefreshing = true;
  try {
    while (mustRefresh) {
      mustRefresh = false;
      devices = await request("GET", "/devices");
      // A device that waits is the one to look at, unless the user looks at another one.
      if (!devices.some(device => device.name === chosen))
        chosen = (devices.find(device => device.waitingFor) ?? devices[0])?.name;
      if (document.documentElement.dataset.device !== (chosen ?? "")) {
        document.documentElement.dataset.device = chosen ?? "";
        recordsAreOld = 2;
        ceremony = undefined;
        showEvents(events.filter(record => record.device === chosen).map(record => record.event));
      }
      showDevices();
      await showChosen();
      byID("connection").textContent = `Connected · ${counted(devices.length, "device")}`;
      document.documentElement.dataset.ready = "true";
    }
  } catch (error) {
    // A device may be switched off while it is read.
    if (error.status === 401) return end(error);
    if (error.status !== 404) byID("connection").textContent = "No connection to the server";
  } finally {
    isRefreshing = false;
  }
}

/** Reads everything again after a change. */
function change() {
  // The page's result follows the device's last event, so one reading is not enough.
  recordsAreOld = 2;
  refresh();
}

function receive(records) {
  if (!records.length) return;
  lastID = records.at(-1).id;
  events = events.concat(records).slice(-mostKept);
  for (const record of records) if (record.device === chosen) addEvent(record.event);
  change();
}

async function followEvents() {
  for (;;) {
    try {
      await follow(lastID, receive);
    } catch (error) {
      if (error.status === 401) return;
    }
    await pause(1000);
  }
}

async function offerProfiles() {
  const profiles = (await request("GET", "/profiles")).filter(profile => profile.title);
  byID("start-profile").append(...profiles.map(profile => element("option", `${profile.name}: ${profile.title}`, { value: profile.name })));
  byID("start-form").addEventListener("submit", async event => {
    event.preventDefault();
    complain("");
    const name = byID("start-name").value.trim();
    try {
      const state = await request("POST", "/devices", {
        profile: byID("start-profile").value, person: "ask", clock: byID("start-simulated").checked ? "simulated" : "real", ...(name && { name }),
      });
      byID("start-name").value = "";
      devices = await request("GET", "/devices");
      choose(state.status.name);
      announce(`${state.status.name} is started`);
    } catch (error) {
      complain(error.message);
    }
  });
}

function end(error) {
  forget();
  byID("layout").hidden = true;
  byID("connection").textContent = "Not connected";
  const cause = error && error.status !== 401 ? `${error.message} ` : "";
  complain(`${cause}The panel needs an address that was not used before and is not older than ten minutes. Get a new one with POST /v1/panel/links, or start touchstone again.`);
  document.documentElement.dataset.ready = "refused";
}

async function start() {
  try {
    if (!await open()) return end();
    await request("GET", "/devices");
  } catch (error) {
    return end(error);
  }
  byID("layout").hidden = false;
  await refresh();
  followEvents();
  offerApp();
  offerFilter();
  await Promise.all([offerActs(() => chosen, change), offerProfiles()]);
  document.documentElement.dataset.ready = "acts";
  for (;;) {
    await pause(document.hidden ? 2000 : 500);
    await refresh();
  }
}

start();
