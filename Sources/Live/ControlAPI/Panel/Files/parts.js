// Text of devices and pages reaches the document only as text: no markup is built from it.

export const byID = id => document.getElementById(id);

/** An element with attributes and content; an undefined attribute is left out. */
export function element(name, content, attributes = {}) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(key, value);
  made.append(...[content ?? []].flat());
  return made;
}

export const counted = (count, noun, nouns = `${noun}s`) => `${count} ${count === 1 ? noun : nouns}`;

/** A time of a device's clock, in seconds since the Unix epoch. */
export function timeOfDay(seconds, parts = { hour: "2-digit", minute: "2-digit", second: "2-digit" }) {
  return new Date(seconds * 1000).toLocaleTimeString("en-GB", parts);
}

/** A span such as "28 s" or "4 min 10 s". */
export function span(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min${whole % 60 ? ` ${whole % 60} s` : ""}`;
  return `${Math.floor(whole / 3600)} h${whole % 3600 >= 60 ? ` ${Math.floor((whole % 3600) / 60)} min` : ""}`;
}

/** The time of a ceremony on the device's clock, as "812 ms", on one line. */
export const milliseconds = ceremony => `${Math.round(ceremony.elapsedSeconds * 1000)}\u00a0ms`;

const glyphs = {
  good: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M8 12.500l2.700 2.700L16 9.800",
  ended: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M9 9l6 6M15 9l-6 6",
  fault: "M12 4l9 16H3zM12 10v4M12 17h.01",
  face: "M4 9V6a2 2 0 0 1 2-2h3M15 4h3a2 2 0 0 1 2 2v3M20 15v3a2 2 0 0 1-2 2h-3M9 20H6a2 2 0 0 1-2-2v-3M9 9v1M15 9v1M12 9v4h-1M9 16c2 1.300 4 1.300 6 0",
  fingerprint: "M6 18c1-2 1.500-4 1.500-6.500a4.500 4.500 0 0 1 9 0c0 2 0 3.500-.5 5.500M12 11.500c0 4-.7 6.500-2 9M15 20c.4-1 .7-2 .9-3M4 14c.4-1 .5-2 .5-3A7.500 7.500 0 0 1 17 5.400M19.200 9c.3 1.500.3 3.500.1 5",
  passcode: "M5 7h.01M12 7h.01M19 7h.01M5 12h.01M12 12h.01M19 12h.01M5 17h.01M12 17h.01M19 17h.01",
  touch: "M12 4a5 5 0 0 1 5 5M7 9a5 5 0 0 1 5-5M12 9v6M12 9a1.500 1.500 0 0 1 1.500 1.500V13l4 1.200a2 2 0 0 1 1.400 2.300L18 20H11l-3.500-4.500a1.300 1.300 0 0 1 2-1.700L10.500 15v-4.500A1.500 1.500 0 0 1 12 9",
  account: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4 20c1-4 4-6 8-6s7 2 8 6",
  locked: "M7 11V8a5 5 0 0 1 10 0v3M5 11h14v9H5zM12 15v2",
};

/** A drawing of a sensor, for the eye only: the text beside it says the same. */
export function glyph(name) {
  const space = "http://www.w3.org/2000/svg";
  const drawing = document.createElementNS(space, "svg");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", glyphs[name] ?? glyphs.touch);
  drawing.setAttribute("viewBox", "0 0 24 24");
  drawing.setAttribute("class", "glyph");
  drawing.setAttribute("aria-hidden", "true");
  drawing.append(path);
  return drawing;
}

/** Replaces an element's content when it has changed; otherwise focus and selection stay. */
export function show(target, shown, make) {
  const key = JSON.stringify(shown);
  if (target.shownKey === key) return false;
  target.shownKey = key;
  target.replaceChildren(...[make(shown)].flat());
  return true;
}

/** Tells the user of a screen reader; an earlier text stays, so that none is lost when several come at once. */
export function announce(text) {
  const news = byID("news");
  news.append(element("p", text));
  while (news.children.length > 5) news.firstElementChild.remove();
}

export function complain(text) { byID("problem").textContent = text; }
