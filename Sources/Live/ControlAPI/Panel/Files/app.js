import { request } from "./access.js";
import { attempt, onSubmit, path } from "./acts.js";
import { screenWords } from "./drawing.js";
import { byID, element, show } from "./parts.js";

const use = (act, body) => request("POST", path(`/app/${act}`), body);
const where = app => app.isRunning ? `${screenWords(app.screen)}${app.message ? `: ${app.message}` : ""}` : "The app does not run";

/** The user fills in the fields of the screen, and taps a button. */
const tap = (form, button, row) => attempt(async () => {
  for (const field of form.querySelectorAll("input"))
    if (field.value) await use("enter", { field: field.name, text: field.value });
  return where(await use("tap", row ? { button, row } : { button }));
});

function fieldOf(label) {
  const id = `app-${label.toLowerCase()}`;
  const type = label === "Password" ? "password" : "text";
  return element("p", [
    element("label", label, { for: id }), element("input", [], { id, name: label, type, maxlength: 200, autocomplete: "off" }),
  ]);
}

/** The rows of the screen's list, each with its own buttons. */
function listOf(app, form) {
  return element("ul", app.rows.map((row, index) => element("li", [
    element("strong", row.title), ` ${row.details} `,
    ...row.buttons.map(title => {
      const made = element("button", title, { type: "button", "aria-label": `${title}: ${row.title}, ${row.details}` });
      made.addEventListener("click", () => tap(form, title, String(index + 1)));
      return made;
    }),
  ])));
}

function screenOf(app) {
  const open = element("button", "Open the app", { type: "button" });
  open.addEventListener("click", () => attempt(async () => where(await use("open", {}))));
  const remove = element("button", "Remove the app", { type: "button" });
  remove.addEventListener("click", () => attempt(async () => {
    await request("DELETE", path("/app"));
    return "The app is removed";
  }));
  const form = element("form", app.fields.map(fieldOf));
  form.addEventListener("submit", event => {
    event.preventDefault();
    if (app.buttons.length) tap(form, app.buttons[0]);
  });
  for (const title of app.buttons) {
    const made = element("button", title, { type: "button" });
    made.addEventListener("click", () => tap(form, title));
    form.append(made);
  }
  return [
    element("p", app.provider ? `The app of ${app.provider} is on the screen` : where(app), { class: "soft" }),
    ...(app.revealed.length ? [element("ul", app.revealed.map(line => element("li", line)))] : []),
    ...(app.rows.length ? [listOf(app, form)] : []),
    form, element("p", [...(app.isOnScreen && app.isRunning ? [] : [open]), remove], { class: "row quiet" }),
  ];
}

/** Lets the user install the reference app. */
export function offerApp() {
  onSubmit("app-install", () => attempt(async () => {
    const port = byID("app-port").value;
    await request("PUT", path("/app"), port ? { serverPort: Number(port) } : {});
    return where(await use("open", {}));
  }));
}

/** Shows the reference app, or the way to install it. */
export function showApp(state, app) {
  byID("app").hidden = app === undefined;
  byID("app-offer").hidden = app !== undefined || state.status.life === undefined;
  if (app) show(byID("app-screen"), app, screenOf);
}
