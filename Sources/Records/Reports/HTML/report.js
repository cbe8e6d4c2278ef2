"use strict";
// Text of the report reaches the page only as text: no markup is built from it.
const data = JSON.parse(document.getElementById("data").textContent);
const text = index => data.strings[index];
const lanes = data.lanes;
const axes = ["persona", "role", "style"];
const filters = {};

function element(name, content, attributes = {}) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(key, value);
  for (const item of [content ?? []].flat()) made.append(item);
  return made;
}

const words = data.words;
const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
const outcomes = ["passed", "failed", "known to fail", "warning", "not applicable", "not run"].filter(
  outcome => ["passed", "failed"].includes(outcome) || data.runs.some(run => run.outcome === outcome));
const signs = { passed: "✓", failed: "✗", "known to fail": "✗", warning: "!", "not applicable": "–", "not run": "–" };
const classes = { passed: "good", failed: "bad", "known to fail": "warned", warning: "warned", "not applicable": "idle", "not run": "idle" };
/** The outcome of a run in a row, which may differ from the run's own: a later step failed. */
const outcomeOf = (run, row) => run.results[row] ?? run.outcome;
/** The outcome of a cell: the worst of its runs. */
const worst = (selected, row) => ["failed", "known to fail", "warning", "passed", "not applicable", "not run"]
  .find(outcome => selected.some(run => outcomeOf(run, row) === outcome));
const runs = data.runs.map((run, number) => {
  const requirements = Object.keys(run.shows);
  // A run without a requirement has the row of its scenario.
  const shows = requirements.length ? run.shows : { [`${text(run.file)}\u0000${text(run.scenario)}`]: run.personas };
  return {
    number, name: text(run.name), scenario: text(run.scenario), file: text(run.file), outcome: run.outcome, requirements,
    shows, results: run.results, rows: Object.keys(shows), persona: run.personas, role: [run.role ?? ""], style: [run.style ?? ""],
    provider: [run.provider ?? ""], cause: run.cause, steps: run.steps, trace: run.trace,
    words: [text(run.name), text(run.file), ...run.personas].join("\n").toLowerCase(),
  };
});
const listed = new Set(data.rows.map(row => row.id));
const unlisted = [...new Set(runs.flatMap(run => run.requirements))].filter(id => !listed.has(id))
  .sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
/** The group of an identifier that the list lacks: the one whose beginning is the longest. */
const groupOf = id => data.groups.map(group => group.id).filter(start => id.startsWith(start))
  .sort((one, other) => other.length - one.length)[0];
/** Scenarios of several files with one name are told apart by their files. */
const filesOf = new Map();
for (const run of runs) filesOf.set(run.scenario, (filesOf.get(run.scenario) ?? new Set()).add(run.file));
const titleOf = run => filesOf.get(run.scenario).size > 1 ? `${run.scenario} (${run.file})` : run.scenario;
/** The rows: each group's listed rows with those that the list lacks, then the scenarios without a row of their own. */
const rows = data.groups.flatMap(({ id: start, title }) => [
  ...data.rows.filter(row => row.group === start),
  ...unlisted.filter(id => groupOf(id) === start).map(id => ({ id, title: "", unknown: true })),
].map(row => ({ ...row, key: row.id, group: title }))).concat(
  [...new Map(runs.filter(run => !run.requirements.length).map(run => [run.rows[0], run]))]
    .map(([key, run]) => ({ key, id: "", title: titleOf(run), group: `Without a ${words.row}` })));
const values = axis => [...new Set(runs.flatMap(run => run[axis]))].sort();

document.getElementById("matrix-title").textContent = words.matrix;
const number = outcome => runs.filter(run => run.outcome === outcome).length;
const pending = data.rows.filter(row => row.gap === "pending").length;
const verdict = document.getElementById("verdict");
verdict.textContent = number("failed")
  ? `✗ ${number("failed")} of ${counted(runs.length, words.run)} failed`
  : number("passed") ? `✓ ${number("passed") === runs.length && runs.length > 1 ? "All " : ""}${counted(number("passed"), words.run)} passed` : `No ${words.run} passed`;
if (number("known to fail")) verdict.textContent += `, ${number("known to fail")} known to fail`;
if (pending) verdict.textContent += `, ${counted(pending, words.row)} pending`;
verdict.className = number("failed") ? "bad" : number("passed") ? "good" : "warned";
const took = data.seconds === undefined ? ""
  : data.seconds < 60 ? `${data.seconds.toFixed(1)} s` : `${Math.floor(data.seconds / 60)} min ${Math.round(data.seconds % 60)} s`;
/** The state of each row of the list: the worst of its runs, or the reason why it has none. */
const stateOf = id => worst(runs.filter(run => run.shows[id]), id);
const states = data.rows.map(row => stateOf(row.id) ?? (row.gap === "pending" ? "pending" : "without"));
const inState = (state, one, many) => [states.filter(own => own === state).length].filter(count => count)
  .map(count => `${count} ${count === 1 ? one : many}`);
const rowsInWords = [
  ...inState("passed", "holds", "hold"), ...inState("failed", "fails", "fail"),
  ...inState("known to fail", "is known to fail", "are known to fail"), ...inState("warning", "has a warning", "have a warning"),
  ...inState("not applicable", "does not apply", "do not apply"), ...inState("not run", "was not reached", "were not reached"),
  ...inState("pending", "pending", "pending"), ...inState("without", `without a ${words.run}`, `without a ${words.run}`),
].join(", ");
document.getElementById("summary").textContent = `${counted(runs.length, words.run)}: ` +
  outcomes.map(outcome => `${number(outcome)} ${outcome}`).join(", ") + (took ? `, in ${took}` : "") + "." +
  (states.length ? ` ${counted(states.length, words.row)}: ${rowsInWords}.` : "") +
  (unlisted.length ? ` ${counted(unlisted.length, "identifier")} not in the list.` : "");
document.getElementById("origins").replaceChildren(...data.origins.map(line => element("div", line)));
document.getElementById("title").textContent = document.title = data.title;

function addFilter(name, label, options) {
  const select = element("select", element("option", "all", { value: "" }), { id: name });
  for (const option of options) select.append(element("option", option, { value: option }));
  document.getElementById("filters").append(element("p", [element("label", label, { for: name }), select]));
  filters[name] = select;
}
const gaps = data.rows.some(row => row.gap === "pending") ? ["pending"] : [];
const withoutRun = `without a ${words.run}`;
addFilter("result", "Result", [...outcomes, ...gaps, withoutRun]);
for (const [axis, label] of [["persona", "Device"], ["role", "Role"], ["style", "Style"], ["provider", "Provider"]]) {
  const options = values(axis).filter(value => value);
  if (options.length) addFilter(axis, label, options);
}
filters.search = document.getElementById("search");

const filteredAxes = ["persona", "role", "style", "provider"];
const wanted = name => filters[name]?.value ?? "";
const matches = (run, axis) => !wanted(axis) || run[axis].includes(wanted(axis));

/** The columns: every combination of device, role and style that a run has. */
function columnsOf(selected) {
  const keys = new Map();
  for (const run of selected)
    for (const persona of run.persona)
      if (!wanted("persona") || persona === wanted("persona"))
        keys.set([persona, run.role[0], run.style[0]].join("\u0000"), [persona, run.role[0], run.style[0]]);
  return [...keys.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, parts]) => ({ key, parts }));
}

function headOf(columns) {
  const head = element("thead", [], { role: "rowgroup" });
  const used = axes.map((axis, level) => level === 0 || columns.some(column => column.parts[level]));
  const levels = axes.map((_, level) => level).filter(level => used[level]);
  levels.forEach((level, row) => {
    const line = element("tr", [], { role: "row" });
    if (row === 0) line.append(element("th", words.row[0].toUpperCase() + words.row.slice(1), { scope: "col", role: "columnheader", rowspan: levels.length }));
    for (let start = 0; start < columns.length;) {
      let end = start + 1;
      const same = index => columns[index].parts.slice(0, level + 1).join("\u0000");
      while (end < columns.length && same(end) === same(start)) end += 1;
      line.append(element("th", columns[start].parts[level] || "any", { scope: end - start > 1 ? "colgroup" : "col", role: "columnheader", colspan: end - start }));
      start = end;
    }
    head.append(line);
  });
  return head;
}

function cellOf(requirement, column, selected) {
  const label = [requirement.id || requirement.title, ...column.parts.filter(part => part)].join(", ");
  const outcome = worst(selected, requirement.key);
  const share = selected.filter(run => outcomeOf(run, requirement.key) === outcome).length;
  const all = counted(selected.length, words.run);
  const isWhole = share === selected.length;
  // A number counts runs, so a cell with one run has the sign alone.
  const figure = isWhole ? (share > 1 ? ` ${share}` : "") : ` ${share} of ${selected.length}`;
  const button = element("button", `${signs[outcome]}${figure}`, {
    type: "button", class: classes[outcome],
    "aria-label": `${label}: ${isWhole ? all : `${share} of ${all}`} ${outcome}`,
  });
  button.addEventListener("click", () => open(label, selected, requirement.key));
  return element("td", button, { role: "cell", "data-column": column.parts.filter(part => part).join(", ") });
}

/** The number of devices at which a row with a failure holds. */
function heldIn(requirement, selected) {
  const shown = [...new Set(selected.flatMap(run => run.shows[requirement.key]))].filter(device => !wanted("persona") || device === wanted("persona"));
  const outcomeAt = device => worst(selected.filter(run => run.shows[requirement.key].includes(device)), requirement.key);
  if (!shown.some(device => outcomeAt(device) === "failed")) return "";
  const held = shown.filter(device => ["passed", "warning"].includes(outcomeAt(device))).length;
  return `${requirement.id ? "Holds" : "Passes"} on ${held} of ${counted(shown.length, words.device)}`;
}

/** The signs that the page has, in words. */
function showLegend() {
  const has = test => [...document.querySelectorAll("#matrix button")].some(button => test(button.textContent));
  const waits = [...document.querySelectorAll("#matrix .tag")].some(tag => tag.textContent === "pending");
  document.getElementById("legend").textContent = [
    ...has(cell => cell.startsWith("✓")) ? ["✓ passed"] : [],
    ...has(cell => cell.startsWith("✗")) ? ["✗ failed"] : [],
    ...outcomes.includes("known to fail") ? ["✗ in the colour of warnings: known to fail"] : [],
    ...outcomes.includes("warning") ? ["! passed with a warning"] : [],
    ...has(cell => cell.startsWith("–"))
      ? [`– ${outcomes.includes("not applicable") ? "not applicable, or " : ""}not reached: the ${words.run} ended before`] : [],
    ...has(cell => /^\S \d+$/.test(cell)) ? [`✓ 2: two ${words.run}s passed`] : [],
    ...has(cell => /^✗.* of /.test(cell)) ? [`✗ 1 of 2: one of two ${words.run}s failed`] : [],
    ...has(cell => /^✓.* of /.test(cell)) ? [`✓ 1 of 2: one of two ${words.run}s passed, and the other did not apply or was not reached`] : [],
    ...waits ? [`pending: no ${words.run} yet, for the reason below it`] : [],
    `an empty cell has no ${words.run}`,
    ...runs.some(run => run.rows.length > 1) ? [`a ${words.run} can look at several ${words.row}s`] : [],
  ].join(" · ") + ".";
}

/** Says that the matrix goes on at the side. */
function showWidth() {
  const region = document.querySelector(".scroll");
  document.getElementById("more").hidden = region.scrollWidth <= region.clientWidth + 1;
}

function showMatrix() {
  const search = wanted("search").trim().toLowerCase();
  const result = wanted("result");
  const selected = runs.filter(run => filteredAxes.every(axis => matches(run, axis)));
  // A row that the search finds has all its runs, another one those that it finds.
  const found = new Map(rows.map(row => [row.key, `${row.id} ${row.title}`.toLowerCase().includes(search)]));
  const shownRuns = new Map(rows.map(row => [row.key, []]));
  for (const run of selected)
    for (const key of run.rows) {
      // A run that failed passed the rows of its first steps.
      const isWanted = !outcomes.includes(result) || outcomeOf(run, key) === result;
      if (isWanted && (found.get(key) || run.words.includes(search))) shownRuns.get(key)?.push(run);
    }
  // Rows that do not apply are hidden until the reader selects that result.
  const isFolded = row => !result && !search && worst(shownRuns.get(row.key), row.key) === "not applicable";
  const shown = rows.filter(row => {
    const own = shownRuns.get(row.key);
    if (isFolded(row)) return false;
    if (result === "pending") return row.gap === "pending" && found.get(row.key);
    if (result === withoutRun) return !own.length && found.get(row.key);
    // A pending row has its place; another row without a run is shown to a reader who looks for it.
    const isSought = search || (row.gap === "pending" && !filteredAxes.some(wanted));
    return own.length || (!result && isSought && found.get(row.key));
  });
  const visible = [...new Set(shown.flatMap(row => shownRuns.get(row.key)))];
  const columns = columnsOf(visible);
  const cells = new Map();
  for (const row of shown)
    for (const run of shownRuns.get(row.key))
      for (const persona of run.shows[row.key]) {
        const key = `${row.key}\u0000${persona}\u0000${run.role[0]}\u0000${run.style[0]}`;
        if (!cells.has(key)) cells.set(key, []);
        cells.get(key).push(run);
      }
  const body = element("tbody", [], { role: "rowgroup" });
  let group = "";
  for (const requirement of shown) {
    if (requirement.group !== group) {
      group = requirement.group;
      body.append(element("tr", element("th", group, { scope: "rowgroup", role: "rowheader", colspan: columns.length + 1 }), { role: "row" }));
    }
    const name = element("th", [element("span", requirement.id, { class: "id" }), ` ${requirement.title} `], { scope: "row", role: "rowheader" });
    if (requirement.unknown) name.append(element("span", "not in the list", { class: "tag" }));
    if (requirement.gap) name.append(element("span", requirement.gap, { class: "tag" }));
    const held = heldIn(requirement, shownRuns.get(requirement.key));
    if (held) name.append(element("div", held, { class: "held" }));
    if (requirement.reason) name.append(element("div", requirement.reason, { class: "reason soft" }));
    const row = element("tr", name, { role: "row" });
    for (const column of columns) {
      const own = cells.get(`${requirement.key}\u0000${column.key}`);
      row.append(own ? cellOf(requirement, column, own) : element("td", [], { role: "cell" }));
    }
    body.append(row);
  }
  const table = document.getElementById("matrix");
  table.replaceChildren(headOf(columns), body);
  const count = (noun, test) => [shown.filter(test).length].filter(number => number).map(number => counted(number, noun));
  const isPending = row => row.gap === "pending" && !shownRuns.get(row.key).length;
  const known = shown.filter(row => row.id && !row.unknown).length;
  const waiting = shown.filter(isPending).length;
  document.getElementById("count").textContent = [
    `${counted(known, words.row)}${waiting ? ` (${waiting} pending)` : ""}`, ...count("unknown identifier", row => row.unknown),
    ...count(words.scenario, row => !row.id).map(number => `${number} without a ${words.row}`),
  ].join(", ") + ` and ${counted(visible.length, words.run)} shown.` +
    [rows.filter(isFolded).length].filter(count => count).map(count => ` ${counted(count, words.row)} not applicable: choose that result to see ${count === 1 ? "it" : "them"}.`).join("");
  showLegend();
  showWidth();
}

const dialog = document.getElementById("dialog");
document.getElementById("close").addEventListener("click", () => dialog.close());
dialog.addEventListener("close", () => history.replaceState(null, "", location.pathname + location.search));

/** Opens runs at the first one with the row's outcome; without a row, at the first failed one. */
function open(title, selected, row) {
  document.getElementById("dialog-title").textContent = title;
  const list = document.getElementById("runs");
  const buttons = selected.map(run => {
    const button = element("button", `${signs[run.outcome]} ${run.name}`, { type: "button", class: classes[run.outcome] });
    button.addEventListener("click", () => choose(run));
    return button;
  });
  list.replaceChildren(...buttons);
  function choose(run) {
    buttons.forEach((button, index) => button.setAttribute("aria-pressed", String(selected[index] === run)));
    showRun(run, row);
    next.textContent = `Next ${words.run} (${selected.indexOf(run) + 1} of ${selected.length})`;
  }
  const next = document.getElementById("next");
  next.hidden = selected.length === 1;
  next.onclick = () => choose(selected[(buttons.findIndex(button => button.getAttribute("aria-pressed") === "true") + 1) % selected.length]);
  dialog.showModal();
  const first = worst(selected, row);
  choose(selected.find(run => outcomeOf(run, row) === first));
}

function sentenceOf(mismatch) {
  return mismatch.expected === undefined ? text(mismatch.seen)
    : `${text(mismatch.subject)}: expected ${text(mismatch.expected)}, saw ${text(mismatch.seen)}`;
}

/** The place of an expectation in its file. */
function placeOf(mismatch, step) {
  return step.file === undefined || mismatch.line === undefined ? [] : [element("div", `${text(step.file)}, line ${mismatch.line}`, { class: "place soft" })];
}

/** An expectation that was not met, with the meaning of its word and its place. */
function unmetOf(mismatch, step) {
  return [`✗ ${sentenceOf(mismatch)}`, ...meaningOf(mismatch), ...placeOf(mismatch, step)];
}

/** An expectation that was met; the observed value may say more than the expected one. */
function metOf(check) {
  const [expected, seen] = [text(check.expected), text(check.seen)];
  return `✓ ${text(check.subject)}: ${expected}${seen === expected ? "" : `, saw ${seen}`}`;
}

/** The words of the expectations that were explained; each is explained where it comes first. */
let explained = new Set();

function meaningOf(check) {
  const word = text(check.subject);
  if (explained.has(word) || !data.meanings[word]) return [];
  explained.add(word);
  return [element("div", `${word}: ${data.meanings[word]}`, { class: "meaning soft" })];
}

const titles = new Map(data.rows.map(row => [row.id, row.title]));

/** The failures of several scenarios that have one cause: what was seen, and where first. */
function causeOf(run, failed, button) {
  return element("li", [
    element("strong", `${text(run.cause)} in ${counted(failed.length, words.run)}`),
    element("div", `First in ${titleOf(run)}`),
    element("div", `${words.row[0].toUpperCase()}${words.row.slice(1)}s: ${shortList([...new Set(failed.flatMap(one => one.requirements))])}.`, { class: "soft" }),
    element("div", `On ${run.persona.join(", ")}.`, { class: "soft" }), button,
  ]);
}

const shortList = names => names.slice(0, 8).join(", ") + (names.length > 8 ? ` and ${names.length - 8} more` : "");

/** The failures: one for each reason, with the runs that it ended; the most frequent one first. */
function showFailures() {
  const failures = new Map();
  for (const run of runs.filter(run => run.outcome === "failed")) {
    const step = run.steps.find(step => step.mismatches.length);
    const reasons = step?.mismatches.map(sentenceOf) ?? [];
    // Failures with one observation are one failure.
    const key = run.cause === undefined ? [run.file, run.scenario, step?.number, ...reasons].join("\u0000") : `\u0000${run.cause}\u0000${run.file}`;
    if (!failures.has(key)) failures.set(key, { run, step, runs: [] });
    failures.get(key).runs.push(run);
  }
  if (!failures.size) return;
  document.getElementById("failures").hidden = false;
  document.getElementById("failures-title").textContent = counted(failures.size, "failure") +
    (failures.size === number("failed") ? "" : `, in ${counted(number("failed"), words.run)}`);
  explained = new Set();
  document.getElementById("failure-list").replaceChildren(...[...failures.values()].sort((one, other) => other.runs.length - one.runs.length).map(({ run, step, runs: failed }) => {
    const button = element("button", `Show ${failed.length === 1 ? `the ${words.run}` : counted(failed.length, words.run)}`, {
      type: "button", "aria-label": `${titleOf(run)}: show ${counted(failed.length, words.run)}`,
    });
    button.addEventListener("click", () => open(titleOf(run), failed));
    if (run.cause !== undefined && failed.length > 1) return causeOf(run, failed, button);
    const all = runs.filter(other => other.file === run.file && other.scenario === run.scenario).length;
    const share = all > 1 ? `In ${failed.length} of its ${all} ${words.run}s: on` : "On";
    const places = [...new Set(failed.map(run => [...run.persona, run.role[0], run.style[0]].filter(part => part).join(", ")))];
    const more = places.length > 4 ? ` and ${places.length - 4} more` : "";
    return element("li", [
      element("strong", titleOf(run)),
      ...(step?.shows ?? []).map(id => element("div", [element("span", id, { class: "id" }), ` ${titles.get(id) ?? ""}`])),
      ...step?.role === "act" ? [element("div", `Step ${step.number}: ${nameOf(step)}`)] : [],
      element("ul", (step?.mismatches ?? []).map(mismatch => element("li", unmetOf(mismatch, step), { class: "bad" })), { class: "checks", "aria-label": "Not as expected" }),
      ...step?.met.length ? [element("div", `As expected: ${step.met.map(check => `${text(check.subject)} ${text(check.seen)}`).join(", ")}.`, { class: "met" })] : [],
      element("div", `${share} ${places.slice(0, 4).join("; ")}${more}.`, { class: "soft" }), button,
    ]);
  }));
}

/** The devices' titles: a profile's name says little to a reader who has not seen it. */
function showDevices() {
  const names = values("persona").filter(name => data.deviceTitles[name]);
  if (!names.length) return;
  document.getElementById("devices").hidden = false;
  document.getElementById("device-list").replaceChildren(...names.flatMap(name => [element("dt", name), element("dd", data.deviceTitles[name])]));
}

/** The beginning of a step's heading: an exchange is evidence and has no sign, a verdict no number. */
function headingOf(step, run) {
  if (step.role === "exchange") return `${step.number}. `;
  if (step.role === "verdict") return `${signs[run.outcome]} Verdict: `;
  return `${step.played ? (step.mismatches.length ? "✗" : "✓") : "not played"} ${step.number}. `;
}

/** A step in words: its device, its acts and the refusal that ended it. */
const nameOf = step => `${step.device === undefined ? "" : `${text(step.device)}: `}${text(step.title)}`;

/**
 * The table's rows of a step.
 * @param shown the indices of the lanes that the table has, after a column for the time where it is timed
 */
function rowsOf(step, run, shown, isTimed) {
  const width = shown.length + (isTimed ? 1 : 0);
  const shows = step.shows.map(id => element("span", id, { class: "tag" })).flatMap(tag => [" ", tag]);
  const head = element("th", [`${headingOf(step, run)}${nameOf(step)}`, ...shows], {
    scope: "rowgroup", colspan: width, role: "rowheader", class: step.mismatches.length ? "bad" : undefined,
  });
  const rows = [element("tr", head, { class: "step", role: "row", tabindex: "-1", "data-shows": step.shows.join(" ") })];
  for (const mismatch of step.mismatches) {
    rows.push(element("tr", element("td", unmetOf(mismatch, step), { colspan: width, class: "bad", role: "cell" }), { role: "row" }));
  }
  if (step.met.length) {
    const met = element("ul", step.met.map(check => element("li", [metOf(check), ...meaningOf(check)])), { class: "met", "aria-label": "Expectations that were met" });
    rows.push(element("tr", element("td", met, { colspan: width, role: "cell" }), { role: "row" }));
  }
  for (const [time, lane, entry, detail, device] of step.timeline) {
    const row = element("tr", isTimed ? element("td", time === null ? "" : `${time.toFixed(3)} s`, { role: "cell", class: "time" }) : [], { role: "row" });
    for (const index of shown) {
      const cell = element("td", [], { role: "cell", "data-lane": lanes[index] });
      if (index === lane) {
        cell.append(device === null ? text(entry) : `${text(device)}: ${text(entry)}`);
        if (detail !== null) cell.append(element("div", text(detail), { class: "soft" }));
      }
      row.append(cell);
    }
    rows.push(row);
  }
  return rows;
}

/** The dialog's heading and the columns' stay in sight above a step, and a heading may take several lines. */
function measureHeads() {
  const head = document.querySelector("#dialog .head").offsetHeight;
  const columns = document.querySelector("#run thead")?.offsetHeight ?? 0;
  dialog.style.setProperty("--head", `${head}px`);
  dialog.style.setProperty("--above", `${head + columns}px`);
}
addEventListener("resize", () => { measureHeads(); showWidth(); });

/** Goes to the step that failed, with the keyboard's focus: one that shows the row, or else the first one. */
function goToFailure(row) {
  const failed = [...document.querySelectorAll("#run .step:has(.bad)")];
  const step = failed.find(one => one.dataset.shows.split(" ").includes(row)) ?? failed[0];
  if (!step) {
    dialog.scrollTop = 0;
    return;
  }
  step.focus({ preventScroll: true });
  measureHeads();
  // Above the first step is the run's name, which stays in view.
  if (step === document.querySelector("#run .step")) dialog.scrollTop = 0;
  else step.scrollIntoView({ block: "start" });
}

function showRun(run, row) {
  explained = new Set();
  // Simulated time stands still unless a step waits.
  const isTimed = new Set(run.steps.flatMap(step => step.timeline.map(([time]) => time))).size > 1;
  const used = new Set(run.steps.flatMap(step => step.timeline.map(([, lane]) => lane)));
  const shown = [...lanes.keys()].filter(lane => used.has(lane));
  const heads = [...isTimed ? ["Simulated time"] : [], ...shown.map(lane => lanes[lane])].map(name => element("th", name, { scope: "col", role: "columnheader" }));
  const table = element("table", [
    element("thead", element("tr", heads, { role: "row" }), { role: "rowgroup" }),
    element("tbody", run.steps.flatMap(step => rowsOf(step, run, shown, isTimed)), { role: "rowgroup" }),
  ], { class: "timeline", role: "table", "aria-label": "Timeline" });
  const parts = [
    element("h3", run.name),
    element("p", `${run.requirements.length ? `Looks at ${run.requirements.join(", ")}` : `Looks at no ${words.row}`} · ${run.file}`, { class: "soft" }),
    table,
  ];
  if (run.trace.length) {
    const trace = element("pre", run.trace.map(text).join("\n"), { tabindex: "0", "aria-label": "Trace" });
    parts.push(element("details", [element("summary", data.traceTitle), trace]));
  }
  document.getElementById("run").replaceChildren(...parts);
  document.getElementById("place").textContent = `${run.outcome[0].toUpperCase()}${run.outcome.slice(1)} on ${run.persona.join(", ")} · ` +
    `${words.run} ${run.number + 1} of ${runs.length}`;
  goToFailure(row);
  history.replaceState(null, "", `#run-${run.number + 1}`);
}

for (const filter of Object.values(filters)) filter.addEventListener("input", showMatrix);
document.getElementById("filters").addEventListener("submit", event => event.preventDefault());
const linked = location.hash.match(/^#run-(\d+)$/);
showFailures();
showMatrix();
showDevices();
if (linked && runs[linked[1] - 1]) open("Run", [runs[linked[1] - 1]]);
document.documentElement.dataset.ready = "true";
