// The sheet that a platform shows at a prompt. Its words are data; drawing.js draws it.

const methods = {
  "long touch": "touch", confirmation: "face", "try again": "face", fallback: "face", sample: "fingerprint", "face or fingerprint": "face",
  "challenge phrase": "passcode",
};

// The words that Apple's systems share; each has its own word and its own name for the passcode.
const apple = (word, passcode) => ({
  names: { face: "Face ID", fingerprint: "Touch ID", passcode },
  create: "Create a passkey?", get: "Sign in",
  failed: { face: "Face Not Recognized", fingerprint: "Try Again" },
  fallback: `Enter ${word[0].toUpperCase()}${word.slice(1)}`,
  due: sensor => `Your ${word} is required to enable ${sensor}.`, locked: sensor => `${sensor} is locked. Enter the ${word} to enable it.`,
});

// The platforms' words: the names of methods, then what a sheet says while it waits, and after a sample that failed.
const voices = {
  ios: {
    ...apple("passcode", "iPhone passcode"), app: "Confirm that it is you", waits: { face: "Face ID", fingerprint: "Touch ID" },
    again: "Try Face ID Again", wrong: "Wrong passcode. Try again.",
  },
  macos: {
    ...apple("password", "password"), app: "An app wants to confirm that it is you",
    waits: { fingerprint: "Touch ID or enter your password", face: "Face ID" },
    again: "Try Again", wrong: "The password is incorrect. Try again.",
  },
  android: {
    names: { face: "face", fingerprint: "fingerprint", passcode: "PIN" },
    create: "Create a passkey?", get: "Use your saved passkey?", app: "Verify that it’s you",
    waits: { face: "Looking for your face…", fingerprint: "Touch the fingerprint sensor", iris: "Look at the phone" },
    failed: { face: "Face not recognized", fingerprint: "Not recognized", iris: "Iris not recognized" },
    fallback: "Use screen lock", again: "Try again", wrong: "Wrong entry. Try again.",
    due: () => "Unlock with the screen lock for extra security.", locked: () => "Too many attempts. Use the screen lock instead.",
  },
  windows: {
    names: { face: "Windows Hello", fingerprint: "Windows Hello", passcode: "Windows Hello PIN" },
    create: "Save your passkey", get: "Sign in with your passkey", app: "Making sure it’s you",
    waits: { face: "Looking for you…", fingerprint: "Scan your finger on the fingerprint reader" },
    failed: { face: "Couldn’t recognize you", fingerprint: "Couldn’t recognize that fingerprint" },
    fallback: "More choices", again: "Try again", wrong: "That PIN is incorrect. Try again.",
    due: () => "Enter your PIN.", locked: () => "Too many attempts. Use your PIN.",
  },
  "security-key": {
    names: { face: "face", fingerprint: "fingerprint", passcode: "PIN" },
    create: "Set up your security key", get: "Use your security key", app: "Use your security key",
    waits: { fingerprint: "Touch the sensor of your security key", touch: "Touch your security key" },
    failed: { fingerprint: "That fingerprint was not recognized. Touch again." },
    fallback: "Use PIN", again: "Try again", wrong: "Wrong PIN. Try again.",
    due: () => "Enter the PIN of your security key.", locked: () => "The sensor is locked. Enter the PIN.",
  },
};

const hints = {
  partial: "Only a part was seen. Press firmly.", insufficient: "Too little was seen. Try again.", sensorDirty: "Clean the sensor.",
  tooFast: "Move more slowly.", tooSlow: "Move faster.", tooDark: "Too dark. Find brighter light.", tooBright: "Too bright. Find softer light.",
  immobile: "Move the finger slightly.", tooHigh: "Move the phone lower.", tooLow: "Move the phone higher.", tooLeft: "Move the phone to the right.",
  tooRight: "Move the phone to the left.", tooClose: "Move farther away.", tooFar: "Move closer.", lookedAway: "Look at the screen.",
  notDetected: "Nothing was seen.", tooMuchMotion: "Hold still.", faceObscured: "Uncover your face.", darkGlasses: "Take off dark glasses.",
  mouthCovered: "Uncover your mouth.", start: "", firstFrame: "", retrying: "",
};

const credentialNames = { pin: "PIN", pattern: "pattern", password: "password" };

/** The name of a sensor or of the passcode on a platform. */
function nameOf(voice, platform, method, credential) {
  if (method === "passcode" && platform === "android") return credentialNames[credential?.kind] ?? voice.names.passcode;
  return voice.names[method] ?? method;
}

/** The lines of a question for the passcode, with the reason why the sensor is not asked. */
function passcodeLines(voice, name, { sensors, platform, credential, last }) {
  const locked = sensors.find(sensor => sensor.lockout !== "none");
  const due = sensors.find(sensor => sensor.credentialDue);
  const sensor = each => nameOf(voice, platform, each.modality, credential);
  return {
    state: `Enter your ${name}`, isBad: last?.act === "wrong-passcode",
    note: last?.act === "wrong-passcode" ? voice.wrong : locked ? voice.locked(sensor(locked)) : due ? voice.due(sensor(due)) : "",
  };
}

/** The state of the sheet: what it says about the sensor, and the buttons that it offers. */
function stateOf(voice, method, asksFor, device) {
  const { last, sensors, platform, credential } = device;
  const own = sensors.find(sensor => sensor.modality === method)?.modality ?? sensors[0]?.modality ?? method;
  const failed = voice.failed[own] ?? "Not recognized";
  switch (asksFor) {
    case "passcode": return passcodeLines(voice, nameOf(voice, platform, "passcode", credential), device);
    case "challenge phrase": return { state: "Type the challenge phrase", note: "Too many wrong entries." };
    case "confirmation": return { state: own === "face" ? "Face recognized" : "Recognized", isGood: true, buttons: [["confirm", "Confirm"]] };
    case "try again": return { state: failed, isBad: true, buttons: [["try-again", voice.again]] };
    case "fallback": return { state: failed, isBad: true };
    case "account": return { state: "Choose a passkey" };
    case "sample": return { state: "Lift and touch the sensor repeatedly", note: last?.kind === "enrolment" && last.result === "failure" ? "Try again." : "" };
    case "touch": return { state: voice.waits.touch ?? "Touch to agree" };
    case "long touch": return { state: "Touch and hold", note: "The key blinks until you let go." };
    default: {
      const waits = voice.waits[own] ?? `Waiting for the ${own}`;
      if (last?.hint) return { state: waits, note: hints[last.hint] ?? "Try again." };
      return last?.result === "failure" ? { state: failed, isBad: true } : { state: waits };
    }
  }
}

/** The sheet of an open prompt: a value that says everything that a person reads on the screen. */
export function sheetOf(prompt, device) {
  const voice = voices[device.platform] ?? voices.android;
  const method = methods[prompt.asksFor] ?? prompt.asksFor;
  const request = prompt.request;
  // A browser's own dialog asks over hybrid, where this server sees the command only.
  const isCreation = request ? request.kind === "create" : prompt.command === "MakeCredential";
  const kind = isCreation ? "create" : prompt.rpId ? "get" : "app";
  const accounts = request?.accounts ?? [];
  const found = stateOf(voice, method, prompt.asksFor, device);
  const buttons = [...(found.buttons ?? [])];
  if (prompt.answers.includes("fallback")) buttons.push(["fallback", voice.fallback]);
  const ends = prompt.asksFor === "fallback" ? "give-up" : "cancel";
  if (prompt.answers.includes(ends)) buttons.push([ends, "Cancel"]);
  const first = device.sensors.find(sensor => sensor.modality === method) ?? device.sensors[0];
  return {
    title: prompt.asksFor === "sample" ? "Add a fingerprint" : voice[kind], site: prompt.rpId ?? (kind === "app" ? device.foreground ?? "" : ""),
    account: prompt.asksFor === "account" ? "" : isCreation ? request?.userName ?? "" : accounts.length === 1 ? accounts[0] : "",
    glyph: method === "passcode" ? "locked" : ["confirmation", "try again", "fallback"].includes(prompt.asksFor) ? first?.modality ?? "face" : method,
    state: found.state, note: found.note ?? "", isBad: found.isBad ?? false, isGood: found.isGood ?? false,
    hasKeypad: prompt.asksFor === "passcode", accounts: prompt.accounts, buttons,
  };
}

/** The open prompt in a few words, for lists, the title and screen readers. */
export function promptWords(asksFor) {
  return {
    touch: "Touch", "long touch": "Long touch", face: "Face", fingerprint: "Fingerprint", iris: "Iris", voice: "Voice", passcode: "Passcode",
    confirmation: "Confirmation", "try again": "Try again", fallback: "Sensor stopped", "challenge phrase": "Challenge phrase",
    sample: "Enrolment sample", account: "Choose an account",
  }[asksFor] ?? asksFor;
}
