import { request } from "./access.js";
import { attempt } from "./acts.js";
import { byID, element, show } from "./parts.js";

/** A conditional request of a page in words. */
export const suggestionWords = ({ origin, rpId, passkeys }) => passkeys.length
  ? `${origin} offers a sign-in with a passkey`
  : `${origin} offers a sign-in with a passkey; this device has none for ${rpId}`;

function namesOf(passkeys) {
  const names = passkeys.map(({ userName, userDisplayName }) => userName || userDisplayName || "Passkey without a name");
  return passkeys.map(({ userDisplayName, credentialId }, place) =>
    names.filter(name => name === names[place]).length === 1 ? names[place]
      : `${names[place]} (${[userDisplayName, credentialId.slice(0, 8)].filter(part => part).join(", ")})`);
}

function picker(device, { number, rpId }, passkey, name) {
  const made = element("button", name, { type: "button", "aria-label": `Pick the passkey of ${name} at ${rpId}` });
  made.addEventListener("click", () => {
    made.disabled = true;
    return attempt(async () => {
      await request("POST", `/devices/${encodeURIComponent(device)}/browser-requests/${number}/pick`, { credentialId: passkey.credentialId });
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
  const focused = document.activeElement?.closest("#suggestion-list button")?.getAttribute("aria-label");
  const isNew = show(list, [device, requests], () => requests.map(request => {
    const names = namesOf(request.passkeys);
    return element("li", [
      element("p", suggestionWords(request), { class: "soft" }),
      element("div", request.passkeys.map((passkey, place) => picker(device, request, passkey, names[place])), { class: "choices" }),
    ]);
  }));
  if (isNew && focused) [...list.querySelectorAll("button")].find(made => made.getAttribute("aria-label") === focused)?.focus();
}
