// The panel's token: the secret of the address is exchanged for it once, and it stays in this tab.
const kept = "touchstone-panel";
let token = sessionStorage.getItem(kept);

/** An answer other than success, with the server's sentence. */
export class Refusal extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

async function send(method, path, body, options = {}) {
  const response = await fetch(path, {
    method, cache: "no-store", credentials: "omit", redirect: "error", signal: options.signal,
    headers: {
      Authorization: `Bearer ${options.token ?? token}`, ...(options.accept && { Accept: options.accept }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!response.ok) {
    const error = (await response.json().catch(() => ({}))).error;
    throw new Refusal(response.status, error?.code, error?.message ?? `The server answered ${response.status}.`);
  }
  return response;
}

/** Sends a request to the control API and returns the answer's value. */
export async function request(method, path, body) {
  const response = await send(method, `/v1${path}`, body);
  return response.status === 204 ? null : response.json();
}

export const openAPI = async () => (await send("GET", "/openapi.json")).json();

/** Takes the secret out of the address and gets the panel's token for it. */
export async function open() {
  const secret = location.hash.slice(1);
  if (secret) {
    history.replaceState(null, "", location.pathname);
    const response = await send("POST", "/v1/panel/sessions", undefined, { token: secret });
    token = (await response.json()).token;
    sessionStorage.setItem(kept, token);
  }
  return token !== null;
}

/** Forgets a token that the server does not know. */
export function forget() {
  sessionStorage.removeItem(kept);
  token = null;
}

/** Reads the stream of events after an ID until it ends; `EventSource` cannot send a token. */
export async function follow(lastID, receive) {
  const response = await send("GET", `/v1/events?since=${lastID}`, undefined, { accept: "text/event-stream" });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const messages = (rest + value).split("\n\n");
    rest = messages.pop();
    receive(messages.flatMap(message => {
      if (message.startsWith("event: gap")) return [];
      const data = message.split("\n").find(line => line.startsWith("data: "));
      return data ? [JSON.parse(data.slice(6))] : [];
    }));
  }
}
