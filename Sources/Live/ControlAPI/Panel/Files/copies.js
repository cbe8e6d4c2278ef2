// A ceremony as a text that repeats it: a scenario, a test with the client, a test with Selenium. The text repeats the ceremonies
// since the last success too, because their failures count, and the acts on the device since its start.
import { request } from "./access.js";
import { announce, byID, complain, element } from "./parts.js";

/** A piece of a program among the values of a literal. */
class Code {
  constructor(text) { this.text = text; }
}

let source = { ceremonies: [], device: undefined };

/** The ceremonies, newest first, and the device (`name`, `profile`, `shape`, `hasRealClock`) of the texts. */
export const offerCopies = (ceremonies, device) => { source = { ceremonies, device }; };

const failsWithAct = ceremony => ["NotAllowedError", "InvalidStateError"].includes(ceremony.error?.name);
const isForeign = ceremony => ceremony.error?.name === "SecurityError";
const usesPage = ceremony => /^https?:/.test(ceremony.origin ?? "") && !ceremony.topOrigin;
const optionsOf = ceremony => JSON.parse(ceremony.options);

/** Repeated acts in short: `no-match x 2`. */
function phrases(acts) {
  const runs = [];
  for (const act of acts) {
    if (runs.at(-1)?.act === act) runs.at(-1).count += 1;
    else runs.push({ act, count: 1 });
  }
  return runs.map(({ act, count }) => count === 1 ? act : `${act} x ${count}`);
}

/** The ceremonies and acts that lead to a ceremony, in order: `{ act }`, `{ ceremony, meanwhile }` or `{ wait }`. */
function history(target, acts) {
  const before = source.ceremonies.filter(({ id }) => id < target.id);
  const lastSuccess = before.find(ceremony => !ceremony.error)?.id ?? 0;
  const ceremonies = [...before.filter(({ id }) => id > lastSuccess).reverse(), target];
  const steps = [];
  let from = -1;
  for (const [place, ceremony] of ceremonies.entries()) {
    const own = acts.filter(act => act.afterCeremony > from && act.afterCeremony < ceremony.id);
    from = ceremony.id - 1;
    steps.push(...own.filter(act => !act.isDuringCeremony).map(act => ({ act })));
    const earlier = ceremonies[place - 1];
    const pause = earlier && source.device.hasRealClock ? Math.round(ceremony.at - earlier.at - earlier.elapsedSeconds) : 0;
    if (pause >= 5) steps.push({ wait: `${pause} s` });
    const last = source.ceremonies.find(({ id }) => id < ceremony.id)?.id ?? 0;
    steps.push({ ceremony, meanwhile: own.filter(act => act.isDuringCeremony && act.afterCeremony >= last) });
  }
  return { steps, needsPasskey: ceremonies.some(({ accounts }) => accounts.length) };
}

/** The reason why a ceremony has no text of a kind; undefined for one that has. */
function obstacleTo(kind, target) {
  if (!target.options) return "A conditional request is not kept with its options.";
  if (target.error?.cause === "page.refused" && kind !== "selenium") return "The page's browser refused the request before it reached a device.";
  if (kind === "scenario")
    return !target.error || failsWithAct(target) || isForeign(target) ? undefined
      : "The relying party of a scenario does not send options that a client refuses.";
  return kind === "selenium" && !usesPage(target) ? "The request did not come from a top-level page." : undefined;
}

const title = ({ kind, rpId, origin, error }) => `${kind} for ${rpId ?? origin ?? "a page"}: ${error?.name ?? "success"}`;
const account = ceremonies => ceremonies.flatMap(({ userName, accounts }) => [userName, ...accounts])
  .find(name => /^[\w.+-]+@[\w.-]+$/.test(name ?? "")) ?? "ada@example.com";

// A scenario.

const isPlain = text => /^[A-Za-z][\w. @+-]*$/.test(text) && !text.endsWith(" ") && !/^(true|false|yes|no|on|off|null|none|y|n)$/i.test(text);
const scalar = value => /^\d+$/.test(value) || isPlain(value) ? value : JSON.stringify(value);
const flow = value => Array.isArray(value) ? `[${value.map(flow).join(", ")}]`
  : typeof value === "object" ? `{ ${Object.entries(value).map(([name, each]) => `${name}: ${flow(each)}`).join(", ")} }` : scalar(String(value));
const given = members => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value.length !== 0));

function step(verb, members) {
  const fields = given(members);
  if (!Object.keys(fields).length) return [`  - ${verb}`];
  const line = `  - ${verb}: ${flow(fields)}`;
  return line.length <= 110 ? [line] : [`  - ${verb}:`, ...Object.entries(fields).map(([name, value]) => `      ${name}: ${flow(value)}`)];
}

const actStep = ({ verb, arguments: values, person, cause }) =>
  [verb, { ...values, person: phrases(person), expect: cause && { outcome: "refused", cause } }];

function expectation({ error }) {
  if (!error) return undefined;
  return error.obstacle ? { outcome: "refused", cause: error.obstacle } : given({ outcome: "refused", page: error.name, reason: error.deviceReason });
}

function ceremonyStep(ceremony, meanwhile, name) {
  const options = optionsOf(ceremony);
  const selection = options.authenticatorSelection ?? {};
  const known = (value, values) => values.includes(value) ? value : undefined;
  const levels = ["required", "preferred", "discouraged"];
  const shared = {
    origin: isForeign(ceremony) ? ceremony.origin : undefined,
    person: phrases(ceremony.acts), meanwhile: meanwhile.map(act => ({ [act.verb]: act.arguments })), expect: expectation(ceremony),
  };
  if (ceremony.kind === "create")
    return step("register", {
      "user-verification": known(selection.userVerification, levels), "resident-key": known(selection.residentKey, levels),
      attestation: known(options.attestation, ["none", "indirect", "direct"]), ...shared,
    });
  return step("sign-in", {
    account: options.allowCredentials?.length && ceremony.accounts.length ? name : undefined,
    "user-verification": known(options.userVerification, levels), ...shared,
  });
}

function scenario(target, acts) {
  const { steps, needsPasskey } = history(target, acts);
  const name = account(source.ceremonies);
  const { shape, profile } = source.device;
  const made = [`  - create-account: ${scalar(name)}`, ...(needsPasskey ? ["  - register"] : [])];
  const lines = steps.flatMap(each => each.act ? step(...actStep(each.act))
    : each.wait ? step("wait", { for: each.wait }) : ceremonyStep(each.ceremony, each.meanwhile, name));
  return [
    `name: ${JSON.stringify(title(target))}`, "about: Copied from the device panel of Touchstone.", "devices:", `  ${shape}: ${scalar(profile)}`, "",
    "steps:", ...made, ...lines, "",
  ].join("\n");
}

// Programs in Python.

function literal(value, indent = "") {
  if (value instanceof Code) return value.text;
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const isList = Array.isArray(value);
  const items = isList ? value.map(each => each) : Object.entries(value);
  const write = deeper => isList ? items.map(each => literal(each, deeper)) : items.map(([name, each]) => `${JSON.stringify(name)}: ${literal(each, deeper)}`);
  const [open, close] = isList ? "[]" : "{}";
  const line = `${open}${write(indent).join(", ")}${close}`;
  if (line.length + indent.length <= 100 && !line.includes("\n")) return line;
  const deeper = `${indent}    `;
  return `${open}\n${write(deeper).map(each => `${deeper}${each},\n`).join("")}${indent}${close}`;
}

const credential = () => [{ type: "public-key", id: new Code('made["id"]') }];

/** The options of a ceremony; the credentials that they name are the ones that the program has made. */
function repeated(ceremony) {
  const options = optionsOf(ceremony);
  const list = ceremony.kind === "create" ? "excludeCredentials" : "allowCredentials";
  return ceremony.accounts.length && options[list]?.length ? { ...options, [list]: credential() } : options;
}

/** The options with which the program makes the passkey that the device had before. */
function registration(target) {
  const options = optionsOf(target);
  const id = target.rpId ?? new URL(target.origin).hostname;
  const name = account(source.ceremonies);
  return {
    rp: { id, name: id }, user: { id: "AQ", name, displayName: name }, challenge: options.challenge,
    pubKeyCredParams: [{ type: "public-key", alg: -7 }, { type: "public-key", alg: -257 }],
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
  };
}

const words = text => text.toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^_|_$/g, "");
const named = values => Object.entries(values).map(([name, value]) =>
  `, ${name.replaceAll("-", "_")}=${/^\d+$/.test(value) ? value : JSON.stringify(value)}`).join("");

/** The lines of a program's body, with the calls of its kind. */
function body(target, acts, device, call) {
  const { steps, needsPasskey } = history(target, acts);
  if (steps.some(({ meanwhile }) => meanwhile?.length))
    throw new Error("An act on the device came while a prompt was open. A scenario repeats that; copy the scenario.");
  const plan = person => person.length ? [`${device}.plan(${phrases(person).map(act => JSON.stringify(act)).join(", ")})`] : [];
  const lines = needsPasskey ? call.made({ ...target, kind: "create", topOrigin: undefined }, literal(registration(target))) : [];
  for (const { act, wait, ceremony } of steps) {
    if (wait) lines.push(`${device}.advance(${JSON.stringify(wait)})`);
    else if (ceremony) lines.push(...plan(ceremony.acts), ...call.lines(ceremony));
    else if (act.verb === "wait") lines.push(`${device}.advance(${JSON.stringify(act.arguments.for)})`);
    else if (act.verb === "set-clock-back") lines.push(`${device}.set_back(${JSON.stringify(act.arguments.by)})`);
    else lines.push(...plan(act.person), `assert ${act.cause ? "not " : ""}${device}.act(${JSON.stringify(act.verb)}${named(act.arguments)})["done"]`);
  }
  return lines;
}

const docstring = target => `"""${title(target).replace(/["\\]/g, "'")}. Copied from the device panel of Touchstone."""`;
const indented = (lines, indent) => lines.flatMap(line => line.split("\n")).map(line => line && indent + line);

function pytest(target, acts) {
  const { shape, profile } = source.device;
  const ask = (ceremony, options) => `${shape}.${ceremony.kind}(${options}, ${JSON.stringify(ceremony.origin)}${
    ceremony.topOrigin ? `, top_origin=${JSON.stringify(ceremony.topOrigin)}` : ""})`;
  const lines = body(target, acts, shape, {
    made: (ceremony, options) => [`made = ${ask(ceremony, options)}`],
    lines: ceremony => ceremony.error ? [
      "with pytest.raises(CeremonyError) as refused:", ...indented([ask(ceremony, literal(repeated(ceremony)))], "    "),
      `assert refused.value.name == ${JSON.stringify(ceremony.error.name)}`,
    ] : [`answer = ${ask(ceremony, literal(repeated(ceremony)))}`, 'assert answer["id"]'],
  });
  return [
    docstring(target), "",
    ...(lines.some(line => line.includes("CeremonyError")) ? ["import pytest", "from touchstone_bench import CeremonyError", ""] : []), "",
    `def test_${words(title(target))}(passkey_device):`, `    ${shape} = passkey_device(${JSON.stringify(profile)}, clock="simulated")`,
    ...indented(lines, "    "), "",
  ].join("\n");
}

const script = `ASK = """
const [kind, options, done] = arguments;
const read = kind === "create" ? "parseCreationOptionsFromJSON" : "parseRequestOptionsFromJSON";
navigator.credentials[kind]({ publicKey: PublicKeyCredential[read](options) })
  .then(credential => done({ id: credential.id }), error => done({ error: error.name }));
"""`;

function selenium(target, acts) {
  const { shape, profile } = source.device;
  let origin;
  const ask = (ceremony, options) => `driver.execute_async_script(ASK, ${JSON.stringify(ceremony.kind)}, ${options})`;
  const visit = ceremony => ceremony.origin === origin ? [] : [`driver.get(${JSON.stringify(origin = ceremony.origin)})`];
  const lines = body(target, acts, shape, {
    made: (ceremony, options) => [...visit(ceremony), `made = ${ask(ceremony, options)}`],
    lines: ceremony => [
      ...visit(ceremony), `answer = ${ask(ceremony, literal(repeated(ceremony)))}`,
      ceremony.error ? `assert answer == {"error": ${JSON.stringify(ceremony.pageError ?? ceremony.error.name)}}` : 'assert answer["id"]',
    ],
  });
  return [
    docstring(target), "",
    "from selenium import webdriver", "from touchstone_bench.selenium import Remote", "", script, "", "",
    `def test_${words(title(target))}():`, "    options = webdriver.ChromeOptions()", '    options.add_argument("--headless=new")',
    `    driver = Remote(options, {"profile": ${JSON.stringify(profile)}, "clock": "simulated"})`, "    try:", `        ${shape} = driver.passkey_device`,
    ...indented(lines, "        "), "    finally:", "        driver.quit()", "",
  ].join("\n");
}

const kinds = { scenario: ["Scenario", scenario], pytest: ["pytest", pytest], selenium: ["Selenium", selenium] };

/** Puts a text on the clipboard, or shows it where the browser has none for the page. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    byID("copied").value = text;
    byID("copy-dialog").showModal();
    byID("copied").select();
  }
}

/** The buttons that copy a ceremony as a text; one that has no such text is disabled and says why. */
export function copyButtons(ceremony) {
  const buttons = Object.entries(kinds).map(([kind, [label, write]]) => {
    const obstacle = obstacleTo(kind, ceremony);
    const made = element("button", label, {
      type: "button", class: "small", "data-copy": kind, "aria-label": `Copy as ${label}`, title: obstacle, "aria-disabled": obstacle && "true",
    });
    made.addEventListener("click", async () => {
      complain(obstacle ?? "");
      if (obstacle) return;
      try {
        await copy(write(ceremony, await request("GET", `/devices/${encodeURIComponent(source.device.name)}/acts`)));
        announce(`Copied as ${label}`);
        made.classList.add("done");
        setTimeout(() => made.classList.remove("done"), 1500);
      } catch (error) {
        complain(error.message);
      }
    });
    return made;
  });
  return element("div", [element("span", "Copy as", { class: "soft" }), ...buttons], { class: "copies", role: "group", "aria-label": "Copy as" });
}
