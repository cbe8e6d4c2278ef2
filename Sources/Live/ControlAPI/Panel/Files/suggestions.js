import { request } from "./access.js";
import { attempt } from "./acts.js";
import { byID, element, show } from "./parts.js";

/** A conditional request of a page in words. */
export const suggestionWords = ({ origin, topOrigin, title, passkeys }) => {
  const place = `${title ? `“${title}” at ` : ""}${origin}${topOrigin ? `, in a frame of ${topOrigin},` : ""}`;
  return passkeys.length ? `${place} waits for the user to pick a passkey` : `${place} waits for a passkey; this device has none for it`;
};

const nameOf = ({ userName, userDisplayName }) => userName?.trim() || userDisplayName?.trim() || "";

function namesOf(passkeys) {
  return passkeys.map((passkey, place) => {
    const name = nameOf(passkey);
    const isUnique = passkeys.every((other, index) => index === place || nameOf(other) !== name);
    return name && isUnique ? name : `${name || "no name"} (${passkey.credentialId.slice(0, 8)})`;
  });
}

const wordsID = number => `suggestion-${number}`;

function picker(device, { number, rpId }, passkey, name) {
  const made = element("button", name, {
    type: "button", "aria-label": `Pick the passkey of ${name} at ${rpId}`, "aria-describedby": wordsID(number),
    "data-key": `${number} ${passkey.credentialId}`,
  });
  made.addEventListener("click", () => {
    made.disabled = true;
    return attempt(async () => {
      try {
        await request("POST", `/devices/${encodeURIComponent(device)}/browser-requests/${number}/pick`, { credentialId: passkey.credentialId });
      } catch (error) {
        made.disabled = false;
        throw error.status === 404 ? new Error("The page no longer waits for a passkey; start the sign-in on the page again.") : error;
      }
      // The button goes.
      byID("device").focus();
      return `The passkey of ${name} is picked`;
    });
  });
  return made;
}

/** Shows the passkeys that the user may pick. */
export function showSuggestions(device, requests) {
  byID("suggestions").hidden = requests.length === 0;
  const list = byID("suggestion-list");
  const focused = document.activeElement?.closest("#suggestion-list button")?.dataset.key;
  const isNew = show(list, [device, requests], () => requests.map(request => {
    const names = namesOf(request.passkeys);
    return element("li", [
      element("p", suggestionWords(request), { class: "soft", id: wordsID(request.number) }),
      element("div", request.passkeys.map((passkey, place) => picker(device, request, passkey, names[place])), { class: "choices" }),
    ]);
  }));
  if (isNew && focused) [...list.querySelectorAll("button")].find(made => made.dataset.key === focused)?.focus();
}
