import { openAPI, request } from "./access.js";
import { announce, byID, complain, element, span } from "./parts.js";
import { promptWords } from "./sheet.js";

// An act of the user or of the device, its words on a button and its key.
const userActs = [
  ["match", "Match", "M"], ["no-match", "Does not match", "N"], ["bad-capture", "Bad capture", "B"], ["touch", "Touch", "T"],
  ["passcode", "Passcode", "P"], ["wrong-passcode", "Wrong passcode", "W"], ["fallback", "Other way", "F"], ["cancel", "Cancel", "C"],
];
const deviceActs = [
  ["lock", "Lock screen", "L"], ["unlock", "Unlock screen", "U"], ["reboot", "Reboot", "R"], ["power-cycle", "Cut the power", "O"],
];
const ofScreens = ["lock", "unlock", "reboot"];
const ofSensors = ["match", "no-match", "bad-capture"];

let chosen = () => undefined;
let refresh = () => {};
const shortcuts = new Map();

export const path = suffix => `/devices/${encodeURIComponent(chosen())}${suffix}`;

/** Runs an act of the panel's user, and shows the error. */
export async function attempt(work) {
  complain("");
  try {
    const words = await work();
    if (words) announce(words);
  } catch (error) {
    complain(error.message);
  }
  refresh();
}

/** Tells the user of the device to act, at the open prompt or the next one. */
export const tell = phrase => attempt(async () => {
  const person = await request("POST", path("/person/acts"), { acts: [phrase] });
  const kept = person.planned.length;
  return `${phrase}: ${kept ? `kept for the next prompt, ${kept} in all` : "told"}`;
});

const withdraw = () => attempt(async () => {
  await request("DELETE", path("/person/acts"));
  // The button disappears, and the focus would go with it.
  byID("user").querySelector("button").focus();
  return "The kept acts are withdrawn";
});

const perform = (verb, values = {}) => attempt(async () => {
  const outcome = await request("POST", path("/acts"), { verb, arguments: values });
  if (!outcome.done) throw new Error(`${verb}: refused, ${outcome.explanation ?? outcome.cause}`);
  return `${verb}: done${outcome.answer ? `, ${outcome.answer}` : ""}`;
});

const moveClock = member => attempt(async () => {
  await request("POST", path("/clock"), { [member]: byID("span").value.trim() });
  return member === "advance" ? "The clock is advanced" : "The clock is set back";
});

function button([word, label, key], run) {
  const made = element("button", [label, " ", element("kbd", key, { "aria-hidden": "true" })], {
    type: "button", id: `act-${word}`, "aria-keyshortcuts": key, "data-word": word,
  });
  made.addEventListener("click", () => made.ariaDisabled === "true" ? complain(`${label}: ${made.title}`) : run(word));
  shortcuts.set(key.toLowerCase(), () => { if (!made.hidden) made.click(); });
  return made;
}

/** Lets a form run work in place of being sent. */
export function onSubmit(id, work) {
  byID(id).addEventListener("submit", event => {
    event.preventDefault();
    work();
  });
}

/** The fields for the arguments of an act, as the API's document describes them. */
function fields(schema) {
  const members = schema.properties.arguments?.properties ?? {};
  const required = schema.properties.arguments?.required ?? [];
  return Object.entries(members).map(([name, member]) => {
    const id = `argument-${name}`;
    const attributes = { id, "data-name": name, required: required.includes(name) ? "" : undefined, "aria-describedby": `${id}-help` };
    const field = member.enum
      ? element("select", [...(required.includes(name) ? [] : [element("option", "default", { value: "" })]),
        ...member.enum.map(value => element("option", value, { value }))], attributes)
      : element("input", [], {
        ...attributes, type: member.type === "integer" ? "number" : "text", min: member.minimum, max: member.maximum, maxlength: member.maxLength,
      });
    return element("p", [
      element("label", name, { for: id }), field, element("span", member.description ?? "", { id: `${id}-help`, class: "soft" }),
    ]);
  });
}

async function offerAllActs() {
  const schemas = (await openAPI()).components.schemas;
  const verbs = new Map(schemas.Act.anyOf
    .map(act => schemas[act.$ref.split("/").pop()])
    .map(schema => [schema.properties.verb.const, schema]));
  const select = byID("verb");
  select.replaceChildren(...[...verbs.keys()].map(verb => element("option", verb, { value: verb })));
  const choose = () => {
    const schema = verbs.get(select.value);
    byID("verb-meaning").textContent = schema.description ?? "";
    byID("arguments").replaceChildren(...fields(schema));
  };
  select.addEventListener("change", choose);
  choose();
  onSubmit("act-form", () => {
    const values = {};
    for (const field of byID("arguments").querySelectorAll("[data-name]"))
      if (field.value !== "") values[field.dataset.name] = field.type === "number" ? Number(field.value) : field.value;
    perform(select.value, values);
  });
  byID("words").replaceChildren(...schemas.PersonAct.examples.map(value => element("option", [], { value })));
}

function listenToKeys() {
  const choice = byID("keys");
  choice.checked = localStorage.getItem("touchstone-keys") !== "off";
  choice.addEventListener("change", () => localStorage.setItem("touchstone-keys", choice.checked ? "on" : "off"));
  shortcuts.set("a", () => byID("advance").click());
  shortcuts.set("e", () => byID("enrol").focus());
  document.addEventListener("keydown", event => {
    const isText = event.target.closest("input:not([type=checkbox]), select, textarea");
    if (!choice.checked || isText || event.repeat || event.ctrlKey || event.altKey || event.metaKey || !chosen()) return;
    const act = shortcuts.get(event.key.toLowerCase());
    if (!act) return;
    event.preventDefault();
    act();
  });
}

/** Offers the acts on the chosen device. */
export async function offerActs(device, onChange) {
  chosen = device;
  refresh = onChange;
  byID("user").append(...userActs.map(act => button(act, tell)));
  byID("hardware").append(...deviceActs.map(act => button(act, verb => perform(verb))));
  onSubmit("other-form", () => tell(byID("other").value.trim()));
  onSubmit("enrol-form", () => perform("enrol", { template: byID("enrol").value.trim() }));
  onSubmit("clock-form", () => moveClock("advance"));
  byID("set-back").addEventListener("click", () => moveClock("setBack"));
  byID("withdraw").addEventListener("click", withdraw);
  byID("stop").addEventListener("click", () => attempt(async () => {
    const name = chosen();
    await request("DELETE", path(""));
    byID("device").focus();
    return `${name} is switched off`;
  }));
  listenToKeys();
  await offerAllActs();
}

/** The reason why an act of the user has no effect; undefined for an act that has one. */
function obstacleTo(word, state, prompt) {
  const { status } = state;
  if (ofSensors.includes(word) && !status.sensors?.length) return "This device has no sensor.";
  if (!prompt) return undefined;
  if (prompt.answers.includes(word)) return undefined;
  if (word === "fallback") return "The prompt does not offer another way now.";
  return `The prompt asks for something else: ${promptWords(prompt.asksFor)}.`;
}

/** The reason why an act on the device has no effect; undefined for an act that has one. */
function obstacleOnDevice(word, { life }) {
  if (word === "lock" && life?.screen === "locked") return "The screen is locked.";
  return word === "unlock" && life?.screen === "unlocked" ? "The screen is not locked." : undefined;
}

/** Disables an act that has no effect; it keeps the focus and says why. */
function allow(word, obstacle) {
  const made = byID(`act-${word}`);
  if (made.title === (obstacle ?? "")) return;
  made.title = obstacle ?? "";
  if (obstacle) made.ariaDisabled = "true";
  else made.removeAttribute("aria-disabled");
}

/** Shows the device's acts, and the effect of one that is queued now. */
export function showActs(state, person) {
  const hasScreen = state.status.life !== undefined;
  for (const [word] of userActs) allow(word, obstacleTo(word, state, person.openPrompt));
  for (const [word] of deviceActs) allow(word, obstacleOnDevice(word, state.status));
  for (const word of ofScreens) byID(`act-${word}`).hidden = !hasScreen;
  byID("enrol-form").hidden = !(state.status.sensors ?? []).length;
  const isSimulated = state.clock.kind === "simulated";
  byID("advance").hidden = !isSimulated;
  byID("set-back").hidden = !hasScreen;
  byID("clock-form").querySelector(".row").parentElement.hidden = !isSimulated && !hasScreen;
  byID("clock-note").textContent = isSimulated ? "" : "This device runs on the computer's clock, which cannot be advanced.";
  const planned = person.planned;
  byID("withdraw").hidden = !planned.length;
  byID("told").textContent = person.openPrompt
    ? `${promptWords(person.openPrompt.asksFor)}, ${span(person.openPrompt.deadline - state.clock.now)} left${planned.length ? `; kept for later: ${planned.join(", ")}` : ""}` : planned.length
    ? `Kept for the next prompts: ${planned.join(", ")}.` : "No prompt is open. An act waits for the next one.";
}
