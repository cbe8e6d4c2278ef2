import { request } from "./access.js";
import { copyButtons } from "./copies.js";
import { lockoutWords, sensorName } from "./drawing.js";
import { announce, byID, complain, counted, element, milliseconds, show, span, timeOfDay } from "./parts.js";

/** Lockouts, retries and counts, as a list of names and values. */
export function showState(state) {
  const { status, gate } = state;
  const rows = [];
  for (const sensor of status.sensors ?? [])
    rows.push([sensorName(sensor.modality), lockoutWords(sensor.lockout, sensor.lockoutSecondsLeft) || "not locked", sensor.lockout !== "none"],
      ["Failed in a row", String(sensor.failedAttempts), false]);
  if (gate) rows.push(["Attempts left", String(gate.attemptsRemaining), gate.attemptsRemaining === 0]);
  if (status.sensors?.length) rows.push(["Retries of user verification", String(status.uvRetries), status.uvRetries === 0]);
  const passcode = status.deviceCredential;
  if (passcode) {
    const words = [
      passcode.isDisabled ? "disabled" : passcode.delaySecondsLeft !== undefined ? `next entry in ${span(passcode.delaySecondsLeft)}` : "accepted",
      passcode.due ? `due: ${passcode.due}` : "", passcode.wrongEntries ? counted(passcode.wrongEntries, "wrong entry", "wrong entries") : "",
    ];
    const name = passcode.kind === "pin" ? "PIN" : passcode.kind[0].toUpperCase() + passcode.kind.slice(1);
    rows.push([name, words.filter(word => word).join(" · "), passcode.isDisabled]);
  }
  if (status.hasClientPIN)
    rows.push(["Client PIN", status.isPINSet ? `set, ${counted(status.pinRetries, "retry", "retries")} left` : "not set", status.isPINSet && status.pinRetries === 0]);
  if (status.needsPowerCycle) rows.push(["Power cycle", "needed before the next PIN", true]);
  show(byID("state"), rows, shown => shown.map(([name, value, isBad]) =>
    element("div", [element("dt", name), element("dd", value, { class: isBad ? "bad" : undefined })])));
}

const ending = ceremony => ceremony.error ? `${ceremony.error.name} (${ceremony.error.cause})` : "succeeded";

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function ceremonyParts(ceremony) {
  const rows = [
    ["Time", `${timeOfDay(ceremony.at)}, ${milliseconds(ceremony)}`], ["Caller", ceremony.origin], ["Top origin", ceremony.topOrigin],
    ["RP ID", ceremony.rpId], ["Account", ceremony.userName], ["The page's error", ceremony.pageError ?? ceremony.error?.name], ["Cause", ceremony.error?.cause],
    ["Clause", ceremony.error?.clause], ["User’s acts", ceremony.acts.join(", ")], ["Detail", ceremony.error?.detail], ["The device's reason", ceremony.error?.deviceReason],
    ["Credential ID", ceremony.credentialId],
  ].filter(([, value]) => value);
  const dump = (label, text) => [element("h4", label), element("pre", text, { tabindex: "0", "aria-label": label })];
  return [
    element("dl", rows.map(([name, value]) => element("div", [element("dt", name), element("dd", value)]))),
    copyButtons(ceremony),
    ...(ceremony.clientData ? dump("Client data", pretty(ceremony.clientData)) : []),
    ...(ceremony.authenticator.length
      ? dump(ceremony.kind === "create" ? "Attestation object" : "Authenticator data", ceremony.authenticator.join("\n")) : []),
  ];
}

/** Shows the ceremonies, newest first; an opened one stays open. */
export function showCeremonies(ceremonies) {
  const opened = new Set([...byID("ceremonies").querySelectorAll("details[open]")].map(one => one.dataset.id));
  return show(byID("ceremonies"), ceremonies, shown => shown.length ? shown.map(ceremony =>
    element("details", [
      element("summary", [
        element("strong", ceremony.kind), ` ${ceremony.rpId ?? ceremony.origin ?? ""} `,
        element("span", ending(ceremony), { class: ceremony.error ? "bad" : "good" }),
      ]),
      ...ceremonyParts(ceremony),
    ], { "data-id": String(ceremony.id), open: opened.has(String(ceremony.id)) ? "" : undefined }))
    : element("p", "No ceremony has ended.", { class: "soft" }));
}

/** Shows the credentials, each with a button that deletes it. */
export function showCredentials(device, credentials, refresh) {
  show(byID("credentials"), [device, credentials], () => credentials.length ? element("ul", credentials.map(credential => {
    const name = credential.userDisplayName || credential.userName || credential.userHandle;
    const remove = element("button", "Delete", { type: "button", "aria-label": `Delete the credential of ${name} at ${credential.rpId}` });
    remove.addEventListener("click", async () => {
      complain("");
      try {
        await request("DELETE", `/devices/${encodeURIComponent(device)}/credentials/${credential.credentialId}`);
        announce(`The credential of ${name} is deleted`);
        byID("credentials-title").focus();
      } catch (error) {
        complain(error.message);
      }
      refresh();
    });
    const facts = [
      credential.isDiscoverable ? "discoverable" : "not discoverable", credential.algorithm, `counter ${credential.signCount}`,
      credential.backupState ? "backed up" : credential.backupEligible ? "can be backed up" : "bound to the device",
      ...(credential.hasLargeBlob ? ["large blob"] : []),
    ];
    return element("li", [
      element("div", [
        element("p", [element("strong", credential.rpId), ` ${name}`]), element("p", facts.join(" · "), { class: "soft" }),
        element("p", element("code", credential.credentialId), { class: "id" }),
      ]), remove,
    ]);
  })) : element("p", "The device holds no credential.", { class: "soft" }));
}
