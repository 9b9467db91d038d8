// The server: calls, and the event stream of a table, which is opened again after a break.

import { send } from "./engine.js";

/** @param {{method: string, path: string, token: string, body: string, limit: number | null}} call */
export async function callServer({ method, path, token, body, limit }) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body) headers["Content-Type"] = "application/json";
  const response = await fetch(path, { method, headers, body: body || null, cache: "no-store", credentials: "omit", signal: limit ? AbortSignal.timeout(limit) : null });
  return { http: { status: response.status, body: await response.text() } };
}

/** The stream that is open. @type {AbortController | null} */
let stream = null;

/** Opens the event stream of a table, and again after every break, from the last line on. @param {{table: string, token: string, after: number}} args */
export async function openStream({ table, token, after }) {
  stream?.abort();
  const mine = (stream = new AbortController());
  /** @param {unknown} event */
  const tell = (event) => {
    if (stream === mine) send({ stream: { table, event } });
  };
  for (let wait = 250; !mine.signal.aborted; wait = Math.min(wait * 2, 10_000)) {
    try {
      const headers = { Authorization: `Bearer ${token}`, Accept: "text/event-stream" };
      const path = `api/games/${encodeURIComponent(table)}/events?after=${after}`;
      const response = await fetch(path, { headers, signal: mine.signal, cache: "no-store", credentials: "omit" });
      if (response.status >= 400 && response.status < 500 && response.status !== 429) {
        tell({ refused: response.status });
        return;
      }
      if (response.ok && response.body) {
        tell("open");
        wait = 250;
        await events(response.body, mine.signal, (name, data, id) => {
          if (id) after = Math.max(after, Number(id));
          tell({ sent: { name, data } });
        });
      }
    } catch {
      // The network or the server is gone; it is tried again.
    }
    if (mine.signal.aborted) return;
    tell("lost");
    const pause = wait * (0.5 + Math.random());
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, pause);
      addEventListener("online", () => (clearTimeout(timer), resolve(null)), { once: true });
    });
  }
}

/** Reads server-sent events. @param {ReadableStream<Uint8Array>} body @param {AbortSignal} signal
 * @param {(event: string, data: string, id: string) => void} each */
async function events(body, signal, each) {
  const reader = body.getReader();
  signal.addEventListener("abort", () => void reader.cancel().catch(() => {}));
  const decoder = new TextDecoder();
  let text = "";
  // Without even a heartbeat for this long, the server is gone.
  for (;;) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const silence = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error("silence")), 45_000);
    });
    const { done, value } = /** @type {ReadableStreamReadResult<Uint8Array>} */ (await Promise.race([reader.read(), silence]).finally(() => clearTimeout(timer)));
    if (done) return;
    text += decoder.decode(value, { stream: true });
    for (let end = text.search(/\r?\n\r?\n/); end >= 0; end = text.search(/\r?\n\r?\n/)) {
      const block = text.slice(0, end);
      text = text.slice(end).replace(/^\r?\n\r?\n/, "");
      /** @type {Record<string, string>} */
      const fields = {};
      for (const line of block.split(/\r?\n/)) {
        const [, name, rest] = /^([a-z]+):? ?(.*)$/.exec(line) ?? [];
        if (name) fields[name] = name === "data" && "data" in fields ? `${fields.data}\n${rest}` : (rest ?? "");
      }
      if ("data" in fields) each(fields.event ?? "message", fields.data ?? "", fields.id ?? "");
    }
  }
}

/** Closes the stream. */
export function closeStream() {
  stream?.abort();
  stream = null;
}

/** Whether the page was served by an Adjutant server; null if the network is gone. @returns {Promise<boolean | null>} */
const served = () =>
  fetch("healthz", { cache: "no-store", signal: AbortSignal.timeout(3000) })
    .then(async (response) => response.ok && (await response.text()).trim() === "well")
    .catch(() => null);

/** @type {ReturnType<typeof setTimeout> | undefined} */
let again;
/** The last finding; `undefined` before the first. @type {boolean | null | undefined} */
let found;

/** Checks whether the server can be reached, and again until it can. `navigator.onLine` alone is not reliable. @param {boolean} [first] for an engine that has just started and knows nothing */
export async function checkServer(first = false) {
  clearTimeout(again);
  if (first) found = undefined;
  const now = navigator.onLine ? await served() : null;
  if (now !== found) {
    found = now;
    send({ online: now !== null });
    if (now !== null) send({ has_server: now });
  }
  if (now === null) again = setTimeout(() => void checkServer(), 10_000);
}
addEventListener("online", () => void checkServer());
addEventListener("offline", () => void checkServer());
