// Turns clicks, keys, input and addresses into messages.
//
// Attributes that the engine's HTML uses:
//   data-do      the message (JSON) of this element: sent on click, or on change for inputs and selects, or on submit for forms.
//                `"$value"` in it becomes what was typed or chosen (in a form: in its first field), `"$name"`/`"$text"` a chosen
//                file's, `{"$form":""}` all fields.
//   data-on      another event for it: `input` sends at every key.
//   data-wait    how many milliseconds after the last key it is sent.
//   data-key     a key that presses this button, unless the focus is in a field.
//   data-back    a button that closes something: the system's Back presses it before it leaves the screen.
//   data-drag    the id of what is dragged with this element.
//   data-drop    the message of dropping something here: `"$drag"` in it becomes the id of what was dragged.
//   data-region  an element whose inside is a region of its own.
//   data-file    a file input that also takes a file dropped anywhere on the page.
//   data-paste   a text area that takes tables as HTML (paste.js): the message, with `"$value"`.
//   data-caret   the message of a text area whose caret rests: `"$caret"` in it becomes the place of the caret.
//   data-size    a number that the style sheet knows as --size.

import { send } from "./engine.js";

/** Puts the typed values into a message. @param {unknown} part @param {Object<string, unknown>} typed @returns {unknown} */
function fillIn(part, typed) {
  if (typeof part === "string") return part in typed ? typed[part] : part;
  if (Array.isArray(part)) return part.map((one) => fillIn(one, typed));
  if (part && typeof part === "object") {
    if ("$form" in part) return typed.$form ?? {};
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, fillIn(value, typed)]));
  }
  return part;
}

/** @param {Element} element @param {Object<string, unknown>} typed */
const act = (element, typed) => send(fillIn(JSON.parse(element.getAttribute("data-do") ?? "null"), typed));

/** The event that an element sends its message on. @param {Element} element */
function eventOf(element) {
  const named = element.getAttribute("data-on");
  if (named) return named;
  if (element instanceof HTMLFormElement) return "submit";
  return element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement ? "change" : "click";
}

/** Messages that wait for the end of typing. @type {Map<Element, {timer: ReturnType<typeof setTimeout>, go: () => void}>} */
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

document.addEventListener("selectionchange", () => {
  const area = document.activeElement;
  if (!(area instanceof HTMLTextAreaElement) || !area.dataset.caret) return;
  const message = JSON.parse(area.dataset.caret);
  // Later than the text before it.
  afterTyping(document.body, 400, () => send(fillIn(message, { $caret: String(area.selectionStart) })));
});

/** More of a file is never read, in bytes: the engine refuses a text that is longer than its own limit, which is lower. */
const largestFile = 40 << 20;

/** Sends what is in a file. A folder has no text. @param {Element} element @param {File} file */
async function actOnFile(element, file) {
  const text = await file.slice(0, largestFile).text().catch(() => "");
  act(element, { $name: file.name, $text: text });
}

/** @param {Event} event */
async function onEvent(event) {
  const element = event.target instanceof Element ? event.target.closest("[data-do]") : null;
  if (!element || eventOf(element) !== event.type) return;
  if (event.type === "submit" || (event.type === "click" && element instanceof HTMLAnchorElement)) event.preventDefault();
  if (element instanceof HTMLFormElement) {
    // What was accepted leaves the form; what was not stays, to be corrected.
    const fields = [...new FormData(element)].map(([name, value]) => [name, String(value)]);
    if (act(element, { $form: Object.fromEntries(fields), $value: fields[0]?.[1] ?? "" })) element.reset();
  } else if (element instanceof HTMLInputElement && element.type === "file") {
    const [file] = element.files ?? [];
    if (file) await actOnFile(element, file);
    element.value = "";
  } else if (element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement) {
    const wait = Number(element.getAttribute("data-wait") ?? 0);
    if (wait) afterTyping(element, wait, () => act(element, { $value: element.value }));
    else act(element, { $value: element.value });
  } else {
    act(element, {});
  }
  guard();
}

/** The id of what is being dragged. */
let dragged = "";

/** @param {DragEvent} event */
function onDrag(event) {
  const element = event.target instanceof Element ? event.target.closest(event.type === "dragstart" ? "[data-drag]" : "[data-drop]") : null;
  if (event.type === "dragstart") {
    dragged = element?.getAttribute("data-drag") ?? "";
    event.dataTransfer?.setData("text/plain", dragged);
  } else if (element && dragged) {
    event.preventDefault();
    if (event.type !== "drop") return;
    send(fillIn(JSON.parse(element.getAttribute("data-drop") ?? "null"), { $drag: dragged }));
    dragged = "";
    guard();
  }
}

/** What Back closes before it leaves the screen: first another tab, then what is open. */
const closable = () => document.querySelector("#bar [data-back]") ?? document.querySelector("[data-back]");
/** Whether the current entry of the history is there only for Back to close something. */
let guarded = false;

function guard() {
  if (guarded || !closable()) return;
  history.pushState({ guard: true }, "");
  guarded = true;
}

/** The button of Ctrl+Z, Ctrl+Y and Ctrl+Shift+Z. With Shift, some systems call the key `Z`, some `z`. @param {KeyboardEvent} event */
const undoKey = ({ key, shiftKey }) => (/^[zy]$/i.test(key) ? (shiftKey || /y/i.test(key) ? "r" : "u") : "");

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
  const held = event.ctrlKey || event.metaKey;
  const key = held ? undoKey(event) : event.key;
  // A key that is held down counts once.
  if (writing || event.repeat || event.altKey || !key) return;
  const button = document.querySelector(`${held ? ".back-row " : ""}[data-key="${CSS.escape(key)}"]:not([disabled])`);
  if (button instanceof HTMLElement) {
    event.preventDefault();
    if (button.matches("input, textarea")) button.focus();
    else button.click();
  }
}

for (const name of ["click", "change", "input", "submit"]) document.addEventListener(name, (event) => void onEvent(event));
document.addEventListener("keydown", onKey);
for (const name of ["dragstart", "dragover", "drop"]) document.addEventListener(name, (event) => onDrag(/** @type {DragEvent} */ (event)));

/** A file that is dropped anywhere goes where the screen takes files. Elsewhere it is ignored: the browser would leave the page and
 * show the file. @param {DragEvent} event */
function onFile(event) {
  const { dataTransfer } = event;
  if (!dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  const taker = document.querySelector("[data-file]");
  if (!taker) dataTransfer.dropEffect = "none";
  const [file] = dataTransfer.files;
  if (event.type !== "drop" || !taker || !file) return;
  void actOnFile(taker, file);
}
for (const name of ["dragover", "drop"]) document.addEventListener(name, (event) => onFile(/** @type {DragEvent} */ (event)));

/** Sends what waits for the end of typing. */
const flush = () => [...typed.values()].forEach(({ go }) => go());
// The page may be closed: what was typed is saved.
addEventListener("pagehide", flush);

/** The scroll position of each address, for the way back. @type {Map<string, number>} */
const scrolled = new Map();
let here = location.hash;
history.scrollRestoration = "manual";

/** @param {boolean} back */
function arrive(back) {
  scrolled.set(here, scrollY);
  here = location.hash;
  guarded = Boolean(history.state?.guard);
  // Messages that wait belong to the screen that is left.
  flush();
  send({ go: here });
  scrollTo(0, back ? (scrolled.get(here) ?? 0) : 0);
  const head = document.querySelector("main h1");
  if (head instanceof HTMLElement) head.focus({ preventScroll: true });
}

/** The address was replaced; the page shows it already. */
export const stay = () => {
  here = location.hash;
};

let wentBack = false;
addEventListener("popstate", () => {
  wentBack = true;
  if (!guarded || location.hash !== here) return;
  guarded = false;
  const close = closable();
  if (close instanceof HTMLElement) close.click();
  else history.back();
});
document.addEventListener(
  "click",
  (event) => {
    wentBack = false;
    const skip = event.target instanceof Element && event.target.closest("[data-skip]");
    if (skip) {
      event.preventDefault();
      document.getElementById("main")?.focus();
    }
  },
  true,
);
addEventListener("hashchange", () => {
  arrive(wentBack);
  wentBack = false;
});
