import { byID, counted, element, timeOfDay } from "./parts.js";

const mostEvents = 300;
// The groups of the filter, by the kinds of their events; another group looks at the result.
const groups = {
  user: ["presence", "gate", "pin", "enrolment"], ctap: ["request", "answer", "u2f", "counter", "credential"],
  device: ["device", "config", "fault", "power", "reset"],
};
const classes = { success: "success", failure: "refusal" };
let shown = [];

const errorsOf = event => (event.faces ?? []).map(error => error.text + (error.unverified ? " (unverified)" : ""));
const reasonOf = event => event.reason && !event.text.includes(event.reason) ? ` (${event.reason})` : "";

/** The line of an event, with the errors of the platform beside it. */
function line(event) {
  const errors = errorsOf(event);
  const mark = event.result ? [element("span", event.result === "success" ? "✓ " : "✗ ", { "aria-hidden": "true" })] : [];
  const cause = event.cause && event.result !== "success" ? [element("span", ` cause: ${event.cause}`, { class: "soft" })] : [];
  return element("li", [
    element("time", timeOfDay(event.at)), element("span", [...mark, event.text + reasonOf(event), ...cause]),
    ...(errors.length ? [element("ul", errors.map(error => element("li", error)), { class: "errors", "aria-label": "Platform errors" })] : []),
  ], { class: classes[event.result] });
}

function isWanted(event) {
  const group = byID("log-group").value;
  const words = byID("log-filter").value.trim().toLowerCase();
  if (group === "failures" ? event.result !== "failure" : group && !groups[group].includes(event.kind)) return false;
  return !words || [event.text, reasonOf(event), event.cause ?? "", event.kind, ...errorsOf(event)].join("\n").toLowerCase().includes(words);
}

function keepingPlace(change) {
  const view = byID("events").parentElement;
  const isAtEnd = view.scrollHeight - view.scrollTop - view.clientHeight < 40;
  change(byID("events"));
  const lines = byID("events").children.length;
  byID("log-count").textContent = lines === shown.length ? counted(shown.length, "event") : `${lines} of ${counted(shown.length, "event")}`;
  if (isAtEnd) view.scrollTop = view.scrollHeight;
}

/** Shows the events of a device, the newest last, and keeps the view at the end unless the reader has scrolled up. */
export function showEvents(events) {
  shown = events.slice(-mostEvents);
  keepingPlace(list => list.replaceChildren(...shown.filter(isWanted).map(line)));
}

export function addEvent(event) {
  shown.push(event);
  const dropped = shown.length > mostEvents ? shown.shift() : undefined;
  keepingPlace(list => {
    if (isWanted(event)) list.append(line(event));
    if (dropped && isWanted(dropped)) list.firstElementChild?.remove();
  });
}

/** Lets the reader filter the log. */
export function offerFilter() {
  for (const id of ["log-filter", "log-group"]) byID(id).addEventListener("input", () => showEvents(shown));
}
