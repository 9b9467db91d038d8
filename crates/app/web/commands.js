// Carries out the engine's commands: what only a browser can do.

import { send, took } from "./engine.js";
import { stay } from "./events.js";
import { call, listen, stopListening } from "./server.js";
import { cards, exchange, forget, keep, keepCard, read, remember } from "./store.js";

/** Where a reply goes. The engine makes it and gets it back unchanged. @typedef {unknown} ReplyTo */

/** @param {ReplyTo} to @param {unknown} reply */
const sendReply = (to, reply) => send({ reply: { to, reply } });

/** Replies with the result of the work. @param {ReplyTo} to @param {Promise<unknown>} work */
async function answer(to, work) {
  /** @type {unknown} */
  let reply;
  try {
    reply = await work;
  } catch (fault) {
    reply = { failed: fault instanceof DOMException ? fault.name : navigator.onLine ? String(fault) : "offline" };
  }
  sendReply(to, reply);
}

/** Storage operations run one after another, in the order of the commands. @type {Promise<unknown>} */
let keeping = Promise.resolve();
/** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
function inTurn(work) {
  const next = keeping.then(work, work);
  keeping = next.catch(() => {});
  return next;
}

/** The handler of each command. @type {Object<string, (told: any) => void>} */
const does = {
  append_lines: ({ reply_to, card, after, lines }) => void answer(reply_to, inTurn(() => keep(card, after, lines))),
  read_lines: ({ reply_to, table }) => void answer(reply_to, inTurn(() => read(table))),
  save_card: ({ reply_to, card }) => void answer(reply_to, inTurn(() => keepCard(card))),
  delete_table: ({ reply_to, table }) => void answer(reply_to, inTurn(() => forget(table))),
  list_tables: ({ reply_to }) => void answer(reply_to, inTurn(async () => ({ tables: await cards() }))),
  save_value: ({ key, value }) => {
    inTurn(() => remember(key, value)).catch((fault) => sendReply({ app: "saved" }, { failed: fault?.name ?? String(fault) }));
  },
  replace_value: ({ reply_to, key, before, value }) => void answer(reply_to, inTurn(() => exchange(key, before, value))),
  http: (told) => void answer(told.reply_to, call(told.call)),
  open_stream: (told) => void listen(told),
  copy: ({ reply_to, text }) => void answer(reply_to, navigator.clipboard.writeText(text).then(() => "done")),
  share: ({ reply_to, title, text }) => {
    const way = navigator.share ? navigator.share({ title, url: text }) : navigator.clipboard.writeText(text);
    void answer(reply_to, way.then(() => "done"));
  },
  download: ({ name, kind, text }) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: kind }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  },
  go: ({ to, replace }) => {
    if (!replace) {
      location.hash = to;
      return;
    }
    // Only the address changes: the page already shows that screen.
    try {
      history.replaceState(null, "", to);
    } catch {
      // Some browsers limit how often the address may change. It then lags a little behind.
    }
    stay();
  },
  // Waits for the next frame, so that the browser paints the last update before the engine continues. A hidden page has no frames.
  next_frame: ({ reply_to }) => {
    const back = () => void setTimeout(() => sendReply(reply_to, { elapsed: took }), 0);
    if (document.visibilityState === "visible") requestAnimationFrame(back);
    else back();
  },
  after: ({ reply_to, ms }) => void setTimeout(() => sendReply(reply_to, { elapsed: ms }), ms),
  select: ({ id, from, to }) => {
    const field = document.getElementById(id);
    if (!(field instanceof HTMLTextAreaElement)) return;
    field.focus();
    field.setSelectionRange(from, to);
    // A text area scrolls to its selection only while the player types, so compute the position from the lines above.
    const line = parseFloat(getComputedStyle(field).lineHeight);
    field.scrollTop = Math.max(0, (field.value.slice(0, from).split("\n").length - 4) * line);
  },
  announce: (sentence) => {
    const live = document.getElementById("live");
    if (!live) return;
    live.textContent = "";
    setTimeout(() => (live.textContent = sentence), 50);
  },
  reject: ({ sentence, focus }) => {
    does.announce?.(sentence);
    if (focus) does.focus?.(focus);
  },
  focus: (id) => {
    const element = document.getElementById(id);
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: "nearest" });
  },
};

/** @param {Object<string, any> | string} command */
export function carryOut(command) {
  if (command === "close_stream") {
    stopListening();
  } else if (command === "scroll_to_top") {
    scrollTo(0, 0);
  } else if (command === "reload") {
    void reload();
  } else if (typeof command === "object") {
    for (const [name, told] of Object.entries(command)) does[name]?.(told);
  }
}

/** Activates the waiting service worker and reloads the page. */
async function reload() {
  const registered = await navigator.serviceWorker?.getRegistration();
  if (registered?.waiting) {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
    registered.waiting.postMessage("take over");
  } else {
    location.reload();
  }
}
