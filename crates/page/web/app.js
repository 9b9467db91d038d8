// What only a browser can do: shows regions, passes events on, keeps tables, talks to a server, finds luck. Every rule
// and every sentence is in the engine; nothing here knows what a chart is.
//
// Attributes that the engine's HTML uses:
//   data-do      the message (JSON) of this element: sent on click, or on change for inputs and selects, or on submit for forms.
//                `"$value"` in it becomes what was typed or chosen, `"$name"`/`"$text"` a chosen file's, `{"$form":""}` all fields.
//   data-on      another event for it: `input` sends at every stroke.
//   data-wait    so many milliseconds after the last stroke it is sent.
//   data-key     a key that presses this button when nobody is typing.
//   data-region  an element whose inside is a region of its own.
//   data-size    a number that the style sheet knows as --size.

/** @typedef {{id: string, html: string}} Region */
/** @typedef {{screen: string, what: string}} Re */
/** @typedef {{id: string, name: string, pack: string, at: string, last: number, token: string}} Card */
/** @typedef {{title: string, theme: string, regions: Region[], commands: Object<string, any>[], refused?: string}} Out */
/** @typedef {{memory: WebAssembly.Memory, room(n: number): number, step(): void, answer(): number, answer_length(): number, wake(): void}} Engine */

/** @param {string} id @returns {HTMLElement | null} */
const byId = (id) => document.getElementById(id);

// ------------------------------------------------------------------------------------------------ the engine

/** @type {Engine | null} */
let engine = null;
let broken = false;
/** How long the engine took for the last message, in milliseconds. */
let took = 0;
/** Messages that came before the engine did. @type {unknown[]} */
const waiting = [];

/** @returns {Promise<Engine>} */
async function fetchEngine() {
  const response = fetch("engine.wasm");
  // A host that does not know the type of the file still serves its bytes.
  const made = await WebAssembly.instantiateStreaming(response, {}).catch(async () =>
    WebAssembly.instantiate(await (await fetch("engine.wasm")).arrayBuffer(), {}),
  );
  const found = /** @type {Engine} */ (/** @type {unknown} */ (made.instance.exports));
  found.wake();
  return found;
}

/** @param {Engine} running @returns {string} */
const answerOf = (running) => new TextDecoder().decode(new Uint8Array(running.memory.buffer, running.answer(), running.answer_length()));

/** Sends a message, shows what changed and does what is commanded. @param {unknown} message @returns {boolean} whether it was taken as it is */
function send(message) {
  if (broken) return false;
  if (!engine) {
    waiting.push(message);
    return false;
  }
  const luck = Array.from(crypto.getRandomValues(new Uint8Array(32)));
  const now = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  const bytes = new TextEncoder().encode(JSON.stringify({ moment: { now, luck }, message }));
  /** @type {Out} */
  let out;
  try {
    const room = engine.room(bytes.length);
    new Uint8Array(engine.memory.buffer, room, bytes.length).set(bytes);
    const began = performance.now();
    engine.step();
    took = Math.round(performance.now() - began);
    out = JSON.parse(answerOf(engine));
  } catch (fault) {
    breakDown(fault);
    return false;
  }
  if (out.refused) console.error(out.refused, message);
  show(out);
  for (const command of out.commands) carryOut(command);
  // Where something was wrong, the focus goes to what says so.
  return !out.commands.some((command) => typeof command.focus === "string" && command.focus.endsWith("wrong"));
}

/** The engine panicked: its words stand where its answers do. @param {unknown} fault */
function breakDown(fault) {
  broken = true;
  const why = byId("broken-why");
  let words = "";
  try {
    if (engine) words = answerOf(engine);
  } catch {
    // It is too broken to say.
  }
  if (why) why.textContent = `${words}\n${fault instanceof Error ? fault.stack : fault}`;
  byId("broken")?.removeAttribute("hidden");
  byId("reload")?.addEventListener("click", () => location.reload());
  byId("reload")?.focus();
}

// ------------------------------------------------------------------------------------------------ showing

/** @param {Out} out */
function show(out) {
  document.title = out.title;
  if (document.documentElement.dataset.theme !== out.theme) {
    document.documentElement.dataset.theme = out.theme;
    try {
      localStorage.setItem("theme", out.theme);
    } catch {
      // The engine remembers it as well.
    }
  }
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.id : "";
  for (const region of out.regions) {
    const place = byId(region.id);
    if (!place) continue;
    const fresh = document.createElement("template");
    fresh.innerHTML = region.html;
    morphChildren(place, fresh.content);
    // Sizes are set here and not in the HTML, which may carry no style of its own (Content-Security-Policy).
    for (const sized of place.querySelectorAll("[data-size]")) {
      if (sized instanceof HTMLElement || sized instanceof SVGElement) sized.style.setProperty("--size", sized.getAttribute("data-size"));
    }
  }
  if (focused && (!document.activeElement || document.activeElement === document.body)) byId(focused)?.focus({ preventScroll: true });
}

/** @param {Node} node */
const keyOf = (node) => (node instanceof Element ? node.id || node.getAttribute("data-id") || "" : "");

/** @param {Node} a @param {Node} b */
const alike = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName && keyOf(a) === keyOf(b);

/** Makes what is in one element what is in another, keeping what is alike. @param {Node} place @param {Node} fresh */
function morphChildren(place, fresh) {
  /** @type {Map<string, Node>} */
  const keyed = new Map();
  for (const child of place.childNodes) {
    const key = keyOf(child);
    if (key) keyed.set(key, child);
  }
  let at = place.firstChild;
  for (const wanted of [...fresh.childNodes]) {
    const key = keyOf(wanted);
    let found = at && alike(at, wanted) ? at : key ? keyed.get(key) : undefined;
    if (found && !alike(found, wanted)) found = undefined;
    if (found) {
      if (found === at) at = at.nextSibling;
      else place.insertBefore(found, at);
      morph(found, wanted);
    } else {
      place.insertBefore(wanted, at);
    }
  }
  while (at) {
    const next = at.nextSibling;
    place.removeChild(at);
    at = next;
  }
}

/** @param {Element} element */
const isField = (element) => element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement;

/** What the engine wrote into a field, whatever was typed since. @param {Element} field */
function written(field) {
  if (field instanceof HTMLSelectElement) return field.querySelector("option[selected]")?.getAttribute("value") ?? "";
  return field instanceof HTMLTextAreaElement ? field.defaultValue : `${field.getAttribute("value")} ${field.hasAttribute("checked")}`;
}

/** @param {Node} old @param {Node} fresh */
function morph(old, fresh) {
  if (!(old instanceof Element) || !(fresh instanceof Element)) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
    return;
  }
  // A field of a form that is sent as a whole is the player's until then, unless the engine writes something else into it.
  const theirs = isField(fresh) && !fresh.hasAttribute("data-do") && written(old) === written(fresh);
  for (const { name } of [...old.attributes]) {
    // Whether a part is folded out is the player's own; a style is ours.
    if (!fresh.hasAttribute(name) && name !== "style" && !(name === "open" && old instanceof HTMLDetailsElement)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (name === "open" && old instanceof HTMLDetailsElement) continue;
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  if (theirs && !(old instanceof HTMLSelectElement)) return;
  if (old instanceof HTMLInputElement && fresh instanceof HTMLInputElement) {
    old.checked = fresh.checked;
    // What somebody is typing is not taken out of his hands.
    const typing = old === document.activeElement && old.dataset.on === "input";
    if (!typing && old.type !== "file" && old.value !== fresh.value) old.value = fresh.value;
    return;
  }
  if (old instanceof HTMLTextAreaElement && fresh instanceof HTMLTextAreaElement) {
    old.defaultValue = fresh.defaultValue;
    if (old !== document.activeElement && old.value !== fresh.value) old.value = fresh.value;
    return;
  }
  if (fresh.hasAttribute("data-region")) return;
  morphChildren(old, fresh);
  if (old instanceof HTMLSelectElement && fresh instanceof HTMLSelectElement && !theirs) old.value = fresh.value;
}

// ------------------------------------------------------------------------------------------------ events

/** A message with what was typed in it. @param {unknown} part @param {Object<string, unknown>} typed @returns {unknown} */
function filled(part, typed) {
  if (typeof part === "string") return part in typed ? typed[part] : part;
  if (Array.isArray(part)) return part.map((one) => filled(one, typed));
  if (part && typeof part === "object") {
    if ("$form" in part) return typed.$form ?? {};
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, filled(value, typed)]));
  }
  return part;
}

/** @param {Element} element @param {Object<string, unknown>} typed */
const act = (element, typed) => send(filled(JSON.parse(element.getAttribute("data-do") ?? "null"), typed));

/** The event that an element sends its message on. @param {Element} element */
function eventOf(element) {
  const named = element.getAttribute("data-on");
  if (named) return named;
  if (element instanceof HTMLFormElement) return "submit";
  return element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement ? "change" : "click";
}

/** What waits until somebody stops typing. @type {Map<Element, {timer: ReturnType<typeof setTimeout>, go: () => void}>} */
const typed = new Map();

/** @param {Element} element @param {number} wait @param {() => void} go */
function afterTyping(element, wait, go) {
  clearTimeout(typed.get(element)?.timer);
  const now = () => {
    clearTimeout(typed.get(element)?.timer);
    typed.delete(element);
    go();
  };
  typed.set(element, { timer: setTimeout(now, wait), go: now });
}

/** @param {Event} event */
async function onEvent(event) {
  const element = event.target instanceof Element ? event.target.closest("[data-do]") : null;
  if (!element || eventOf(element) !== event.type) return;
  if (event.type === "submit" || (event.type === "click" && element instanceof HTMLAnchorElement)) event.preventDefault();
  if (element instanceof HTMLFormElement) {
    // What was sent leaves the form; what was refused stays, to be mended.
    if (act(element, { $form: Object.fromEntries([...new FormData(element)].map(([name, value]) => [name, String(value)])) })) element.reset();
  } else if (element instanceof HTMLInputElement && element.type === "file") {
    const [file] = element.files ?? [];
    if (file) act(element, { $name: file.name, $text: await file.text() });
    element.value = "";
  } else if (element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement) {
    const wait = Number(element.getAttribute("data-wait") ?? 0);
    if (wait) afterTyping(element, wait, () => act(element, { $value: element.value }));
    else act(element, { $value: element.value });
  } else {
    act(element, {});
  }
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  const target = event.target;
  const writing =
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && !["checkbox", "radio", "button", "file"].includes(target.type));
  if (target instanceof HTMLInputElement && writing && event.key === "Enter" && !target.form) {
    target.dispatchEvent(new Event("change", { bubbles: true }));
    return;
  }
  if (writing || event.ctrlKey || event.metaKey || event.altKey) return;
  const button = document.querySelector(`[data-key="${CSS.escape(event.key)}"]:not([disabled])`);
  if (button instanceof HTMLElement) {
    event.preventDefault();
    if (button.matches("input, textarea")) button.focus();
    else button.click();
  }
}

for (const name of ["click", "change", "input", "submit"]) document.addEventListener(name, (event) => void onEvent(event));
document.addEventListener("keydown", onKey);

// ------------------------------------------------------------------------------------------------ addresses

/** How far each address was scrolled, for the way back. @type {Map<string, number>} */
const scrolled = new Map();
let here = location.hash;
history.scrollRestoration = "manual";

/** @param {boolean} back */
function arrive(back) {
  scrolled.set(here, scrollY);
  here = location.hash;
  // What was typed last belongs to the screen that is left.
  for (const { go } of [...typed.values()]) go();
  send({ go: here });
  scrollTo(0, back ? (scrolled.get(here) ?? 0) : 0);
  const head = document.querySelector("main h1");
  if (head instanceof HTMLElement) head.focus({ preventScroll: true });
}

let wentBack = false;
addEventListener("popstate", () => {
  wentBack = true;
});
document.addEventListener(
  "click",
  (event) => {
    wentBack = false;
    const skip = event.target instanceof Element && event.target.closest("[data-skip]");
    if (skip) {
      event.preventDefault();
      byId("main")?.focus();
    }
  },
  true,
);
addEventListener("hashchange", () => {
  arrive(wentBack);
  wentBack = false;
});
addEventListener("online", () => send({ online: true }));
addEventListener("offline", () => send({ online: false }));

// ------------------------------------------------------------------------------------------------ what is kept

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const settled = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** @returns {Promise<IDBDatabase>} */
function openStore() {
  const request = indexedDB.open("adjutant", 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("tables", { keyPath: "id" });
    request.result.createObjectStore("lines", { keyPath: ["table", "n"] });
    request.result.createObjectStore("kept");
  };
  return settled(request);
}

/** @type {Promise<IDBDatabase> | null} */
let opened = null;
const store = () => (opened ??= openStore());

/** One transaction; what it promises holds when it is durable. @template T
 * @param {string[]} names @param {IDBTransactionMode} mode @param {(t: IDBTransaction) => Promise<T>} work @returns {Promise<T>} */
async function transact(names, mode, work) {
  const transaction = (await store()).transaction(names, mode, { durability: "strict" });
  const done = new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(null);
    transaction.onabort = () => reject(transaction.error ?? new DOMException("aborted", "AbortError"));
  });
  try {
    const found = await work(transaction);
    await done;
    return found;
  } catch (fault) {
    done.catch(() => {});
    try {
      transaction.abort();
    } catch {
      // It is over already.
    }
    throw fault;
  }
}

/** @param {string} table */
const linesOf = (table) => IDBKeyRange.bound([table, 0], [table, Infinity]);

/** @param {Card} card @param {number} after @param {string[]} lines */
const keep = (card, after, lines) =>
  transact(["tables", "lines"], "readwrite", async (transaction) => {
    const [tables, kept] = [transaction.objectStore("tables"), transaction.objectStore("lines")];
    const known = /** @type {Card | undefined} */ (await settled(tables.get(card.id)));
    const last = known?.last ?? 0;
    if (last !== after) return { moved_on: last };
    lines.forEach((text, place) => kept.put({ table: card.id, n: after + place + 1, text }));
    tables.put({ ...card, last: after + lines.length });
    return "done";
  });

/** @param {string} table */
const read = (table) =>
  transact(["lines"], "readonly", async (transaction) => {
    const all = /** @type {{text: string}[]} */ (await settled(transaction.objectStore("lines").getAll(linesOf(table))));
    return { lines: all.map((line) => line.text) };
  });

/** @returns {Promise<Card[]>} */
const cards = () => transact(["tables"], "readonly", (transaction) => settled(transaction.objectStore("tables").getAll()));

/** @param {string} table */
const forget = (table) =>
  transact(["tables", "lines"], "readwrite", async (transaction) => {
    transaction.objectStore("tables").delete(table);
    transaction.objectStore("lines").delete(linesOf(table));
    return "done";
  });

/** @param {string} key @param {string | null} value */
const remember = (key, value) =>
  transact(["kept"], "readwrite", async (transaction) => {
    const kept = transaction.objectStore("kept");
    if (value === null) kept.delete(key);
    else kept.put(value, key);
    return "done";
  });

/** @returns {Promise<Object<string, string>>} */
const remembered = () =>
  transact(["kept"], "readonly", async (transaction) => {
    const kept = transaction.objectStore("kept");
    const [keys, values] = [await settled(kept.getAllKeys()), await settled(kept.getAll())];
    return Object.fromEntries(keys.map((key, place) => [String(key), values[place]]));
  });

// ------------------------------------------------------------------------------------------------ the server

/** @param {{method: string, path: string, token: string, body: string}} call */
async function call({ method, path, token, body }) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body) headers["Content-Type"] = "application/json";
  const response = await fetch(path, { method, headers, body: body || null, cache: "no-store", credentials: "omit" });
  return { reply: { status: response.status, body: await response.text() } };
}

/** The stream that is open. @type {AbortController | null} */
let stream = null;

/** Listens to a table, and again after every break, from the last line that came. @param {{table: string, token: string, after: number}} told */
async function listen({ table, token, after }) {
  stream?.abort();
  const mine = (stream = new AbortController());
  /** @param {unknown} what */
  const tell = (what) => {
    if (stream === mine) send({ streamed: { table, what } });
  };
  for (let wait = 250; !mine.signal.aborted; wait = Math.min(wait * 2, 10_000)) {
    try {
      const headers = { Authorization: `Bearer ${token}`, Accept: "text/event-stream" };
      const path = `api/tables/${encodeURIComponent(table)}/events?after=${after}`;
      const response = await fetch(path, { headers, signal: mine.signal, cache: "no-store", credentials: "omit" });
      if (response.status >= 400 && response.status < 500 && response.status !== 429) {
        tell({ refused: response.status });
        return;
      }
      if (response.ok && response.body) {
        tell("open");
        wait = 250;
        await events(response.body, mine.signal, (event, data, id) => {
          if (id) after = Math.max(after, Number(id));
          tell({ event: { event, data } });
        });
      }
    } catch {
      // The network is gone, or the server; it is tried again.
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
  // A server that says nothing for so long, not even its heartbeat, is gone.
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

// ------------------------------------------------------------------------------------------------ commands

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
  keep_card: ({ re, card }) => {
    const put = () => transact(["tables"], "readwrite", async (transaction) => (transaction.objectStore("tables").put(card), "done"));
    void answer(re, inTurn(put));
  },
  forget: ({ re, table }) => void answer(re, inTurn(() => forget(table))),
  list: ({ re }) => void answer(re, inTurn(async () => ({ tables: await cards() }))),
  remember: ({ key, value }) => {
    inTurn(() => remember(key, value)).catch((fault) => send({ heard: { re: { screen: "app", what: "remember" }, answer: { failed: fault?.name ?? String(fault) } } }));
  },
  store: ({ re, key, value }) => void answer(re, inTurn(() => remember(key, value))),
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
    here = location.hash;
  },
  soon: ({ re }) => void setTimeout(() => send({ heard: { re, answer: { took } } }), 0),
  select: ({ id, from, to }) => {
    const field = byId(id);
    if (!(field instanceof HTMLTextAreaElement)) return;
    field.focus();
    field.setSelectionRange(from, to);
    // A text area scrolls to its mark by itself only where somebody types: the lines above are counted.
    const line = parseFloat(getComputedStyle(field).lineHeight);
    field.scrollTop = Math.max(0, (field.value.slice(0, from).split("\n").length - 4) * line);
  },
  // what was shown just now is on the screen before the engine works on.
  later: ({ re }) => void answer(re, new Promise((resolve) => setTimeout(() => resolve("done"), 40))),
  say: (sentence) => {
    const live = byId("live");
    if (!live) return;
    live.textContent = "";
    setTimeout(() => (live.textContent = sentence), 50);
  },
  focus: (id) => {
    const element = byId(id);
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: "nearest" });
  },
};

/** @param {Object<string, any> | string} command */
function carryOut(command) {
  if (command === "stop_listening") {
    stream?.abort();
    stream = null;
  } else if (command === "reload") {
    void reload();
  } else if (typeof command === "object") {
    for (const [name, told] of Object.entries(command)) does[name]?.(told);
  }
}

// ------------------------------------------------------------------------------------------------ beginning

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

async function register() {
  if (!("serviceWorker" in navigator) || !isSecureContext) return;
  const registered = await navigator.serviceWorker.register("sw.js");
  const newer = () => {
    if (registered.waiting && navigator.serviceWorker.controller) send("newer");
  };
  newer();
  registered.addEventListener("updatefound", () => registered.installing?.addEventListener("statechange", newer));
}

/** Whether a server of ours stands behind the page. */
const served = () =>
  fetch("healthz", { cache: "no-store", signal: AbortSignal.timeout(1500) })
    .then(async (response) => response.ok && (await response.text()).trim() === "well")
    .catch(() => false);

async function begin() {
  const place = location.href.split("#")[0];
  /** @type {Object<string, any>} */
  const start = { place, online: navigator.onLine, kept: {}, tables: [], cannot_keep: null };
  const asking = served();
  const keptOnes = Promise.all([remembered(), cards()]).then(
    ([kept, tables]) => Object.assign(start, { kept, tables }),
    (fault) => Object.assign(start, { cannot_keep: fault?.name ?? String(fault) }),
  );
  const [running] = await Promise.all([fetchEngine(), keptOnes]);
  engine = running;
  send({ start: { ...start, route: location.hash } });
  for (const message of waiting.splice(0)) send(message);
  document.documentElement.dataset.ready = "yes";
  void asking.then((yes) => send({ served: yes }));
  void register().catch(() => {});
  void navigator.storage?.persist?.().catch(() => false);
}

begin().catch(breakDown);
