// What the engine commands and only a browser can do.

import { send, took } from "./engine.js";
import { stay } from "./events.js";
import { call, listen, stopListening } from "./server.js";
import { cards, exchange, forget, keep, keepCard, read, remember } from "./store.js";

/** @typedef {{screen: string, what: string}} Re */

/** @param {Re} re @param {Promise<unknown>} work */
async function answer(re, work) {
  /** @type {unknown} */
  let said;
  try {
    said = await work;
  } catch (fault) {
    said = { failed: fault instanceof DOMException ? fault.name : navigator.onLine ? String(fault) : "offline" };
  }
  send({ heard: { re, answer: said } });
}

/** Keeping goes one after another, in the order in which it was commanded. @type {Promise<unknown>} */
let keeping = Promise.resolve();
/** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
function inTurn(work) {
  const next = keeping.then(work, work);
  keeping = next.catch(() => {});
  return next;
}

/** What each command does. @type {Object<string, (told: any) => void>} */
const does = {
  keep: ({ re, card, after, lines }) => void answer(re, inTurn(() => keep(card, after, lines))),
  read: ({ re, table }) => void answer(re, inTurn(() => read(table))),
  keep_card: ({ re, card }) => void answer(re, inTurn(() => keepCard(card))),
  forget: ({ re, table }) => void answer(re, inTurn(() => forget(table))),
  list: ({ re }) => void answer(re, inTurn(async () => ({ tables: await cards() }))),
  remember: ({ key, value }) => {
    inTurn(() => remember(key, value)).catch((fault) => send({ heard: { re: { screen: "app", what: "remember" }, answer: { failed: fault?.name ?? String(fault) } } }));
  },
  store: ({ re, key, before, value }) => void answer(re, inTurn(() => exchange(key, before, value))),
  call: (told) => void answer(told.re, call(told.call)),
  listen: (told) => void listen(told),
  copy: ({ re, text }) => void answer(re, navigator.clipboard.writeText(text).then(() => "done")),
  share: ({ re, title, text }) => {
    const way = navigator.share ? navigator.share({ title, url: text }) : navigator.clipboard.writeText(text);
    void answer(re, way.then(() => "done"));
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
    // The address changes and the page does not: what it says is shown already.
    try {
      history.replaceState(null, "", to);
    } catch {
      // Some browsers count how often; the address is then a little behind.
    }
    stay();
  },
  // After the next frame, so that what was shown just now is on the screen before the engine works on; a page that nobody looks at has no frames.
  soon: ({ re }) => {
    const back = () => void setTimeout(() => send({ heard: { re, answer: { took } } }), 0);
    if (document.visibilityState === "visible") requestAnimationFrame(back);
    else back();
  },
  later: ({ re, ms }) => void setTimeout(() => send({ heard: { re, answer: { took: ms } } }), ms),
  select: ({ id, from, to }) => {
    const field = document.getElementById(id);
    if (!(field instanceof HTMLTextAreaElement)) return;
    field.focus();
    field.setSelectionRange(from, to);
    // A text area scrolls to its mark by itself only where somebody types: the lines above are counted.
    const line = parseFloat(getComputedStyle(field).lineHeight);
    field.scrollTop = Math.max(0, (field.value.slice(0, from).split("\n").length - 4) * line);
  },
  say: (sentence) => {
    const live = document.getElementById("live");
    if (!live) return;
    live.textContent = "";
    setTimeout(() => (live.textContent = sentence), 50);
  },
  focus: (id) => {
    const element = document.getElementById(id);
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: "nearest" });
  },
};

/** @param {Object<string, any> | string} command */
export function carryOut(command) {
  if (command === "stop_listening") {
    stopListening();
  } else if (command === "top") {
    scrollTo(0, 0);
  } else if (command === "reload") {
    void reload();
  } else if (typeof command === "object") {
    for (const [name, told] of Object.entries(command)) does[name]?.(told);
  }
}

/** Lets the waiting version take over and loads it. */
async function reload() {
  const registered = await navigator.serviceWorker?.getRegistration();
  if (registered?.waiting) {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
    registered.waiting.postMessage("take over");
  } else {
    location.reload();
  }
}
