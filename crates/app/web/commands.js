// Carries out the commands of the engine.

import { send, took } from "./engine.js";
import { stay } from "./events.js";
import { callServer, closeStream, openStream } from "./server.js";
import { appendLines, deleteTable, listTables, readLines, replaceValue, saveCard, saveValues } from "./store.js";

/** Where a reply goes: made by the engine and handed back as it is. @typedef {unknown} ReplyTo */

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

/** Writes to the store run one after another, in the order of the commands. @type {Promise<unknown>} */
let writes = Promise.resolve();
/** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
function inTurn(work) {
  const next = writes.then(work, work);
  writes = next.catch(() => {});
  return next;
}

/** Resolves when all writes so far are done. @returns {Promise<unknown>} */
export const written = () => inTurn(async () => {});

/** Fetches the full edition of the engine. @type {() => void} */
let fetchWorkshop = () => {};

/** @param {() => void} fetch */
export function onWorkshop(fetch) {
  fetchWorkshop = fetch;
}

/** @type {AudioContext | null} */
let audio = null;

/** Short knocks, as of dice on wood. @param {number} times */
function rattle(times) {
  audio ??= new AudioContext();
  for (let n = 0; n < times; n += 1) {
    const at = audio.currentTime + n * (0.07 + Math.random() * 0.04);
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    tone.type = "triangle";
    tone.frequency.setValueAtTime(420 + Math.random() * 300, at);
    tone.frequency.exponentialRampToValueAtTime(120, at + 0.05);
    volume.gain.setValueAtTime(0.25, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.06);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.07);
  }
}

/** What each command does. @type {Object<string, (args: any) => void>} */
const does = {
  append_lines: ({ reply_to, card, after, lines }) => void answer(reply_to, inTurn(() => appendLines(card, after, lines))),
  read_lines: ({ reply_to, table }) => void answer(reply_to, inTurn(() => readLines(table))),
  save_card: ({ reply_to, card }) => void answer(reply_to, inTurn(() => saveCard(card))),
  delete_table: ({ reply_to, table }) => void answer(reply_to, inTurn(() => deleteTable(table))),
  list_tables: ({ reply_to }) => void answer(reply_to, inTurn(async () => ({ tables: await listTables() }))),
  save_value: ({ key, value }) => {
    inTurn(() => saveValues([[key, value]])).catch((fault) => sendReply({ app: "saved" }, { failed: fault?.name ?? String(fault) }));
  },
  save_values: ({ reply_to, values }) => void answer(reply_to, inTurn(() => saveValues(values))),
  replace_value: ({ reply_to, key, before, value }) => void answer(reply_to, inTurn(() => replaceValue(key, before, value))),
  http: ({ reply_to, call }) => void answer(reply_to, callServer(call)),
  open_stream: (args) => void openStream(args),
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
    // The page shows what this address describes already.
    try {
      history.replaceState(null, "", to);
    } catch {
      // Some browsers limit how often this may happen; the address is then a little behind.
    }
    stay();
  },
  // After the next frame, so that the screen is updated before the engine goes on. A hidden page has no frames.
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
    // A text area does not scroll to a selection made by script: the position is calculated from the lines above.
    const line = parseFloat(getComputedStyle(field).lineHeight);
    field.scrollTop = Math.max(0, (field.value.slice(0, from).split("\n").length - 4) * line);
  },
  // The screen shows the result at once; the dice roll on it for half a second.
  moment: ({ card, motion, sound, vibration }) => {
    if (motion && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
      document.documentElement.dataset.moment = card ? "card" : "dice";
      setTimeout(() => delete document.documentElement.dataset.moment, 500);
    }
    if (sound) rattle(card ? 1 : 4);
    if (vibration) navigator.vibrate?.(card ? 20 : [15, 40, 15]);
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
  jump: (id) => {
    const element = document.getElementById(id);
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: "start" });
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
    closeStream();
  } else if (command === "scroll_to_top") {
    scrollTo(0, 0);
  } else if (command === "fetch_workshop") {
    fetchWorkshop();
  } else if (command === "print") {
    print();
  } else if (command === "reload") {
    void reload();
  } else if (typeof command === "object") {
    for (const [name, args] of Object.entries(command)) does[name]?.(args);
  }
}

/** Activates the waiting version and loads it. */
async function reload() {
  await written();
  const registered = await navigator.serviceWorker?.getRegistration();
  if (registered?.waiting) {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
    registered.waiting.postMessage("take over");
  } else {
    location.reload();
  }
}
