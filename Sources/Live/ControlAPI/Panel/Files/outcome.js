import { copyButtons } from "./copies.js";
import { byID, element, milliseconds, show } from "./parts.js";

const calls = { create: "create()", get: "get()", conditional: "get(), conditional" };

/** What a page or an app got, in one line: site, call, result and time. */
export const outcomeWords = ceremony =>
  [ceremony.rpId ?? ceremony.origin ?? "a page", calls[ceremony.kind], ceremony.pageError ?? ceremony.error?.name ?? "success", milliseconds(ceremony)].join(" · ");

function view(ceremony) {
  const { error } = ceremony;
  return [
    element("p", [
      element("span", error ? "✗" : "✓", { class: "mark", "aria-hidden": "true" }),
      element("span", outcomeWords(ceremony), { class: "line" }),
    ], { class: error ? "result bad" : "result good" }),
    ...(error ? [element("p", [ceremony.pageError && ceremony.pageError !== error.name ? error.name : "", error.cause, error.deviceReason, error.cause === "page.refused" ? error.detail : ""]
      .filter(each => each).join(", "), { class: "soft" })] : []),
    copyButtons(ceremony),
  ];
}

/** Shows what the page got from the newest ceremony. */
export function showOutcome(ceremony) {
  byID("outcome").hidden = ceremony === undefined;
  if (ceremony) show(byID("outcome-view"), ceremony, view);
}
