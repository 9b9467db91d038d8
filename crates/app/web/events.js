// Turns clicks, keys, form input and address changes into messages.
//
// Attributes that the engine's HTML uses:
//   data-do      The message (JSON) of this element. Sent on click; on change for inputs and selects; on submit for forms.
//                `"$value"` in it is replaced by the typed or chosen value (of a form: its first field), `"$name"` and `"$text"`
//                by those of a chosen file, and `{"$form":""}` by all fields.
//   data-on      Another event to send it on: `input` sends at every keystroke.
//   data-wait    Debounce: milliseconds to wait after the last keystroke.
//   data-key     A keyboard shortcut that clicks this button, unless the player is typing.
//   data-region  An element whose content is a separate region.
//   data-size    A number that the style sheet gets as --size.

import { send } from "./engine.js";

/** Fills the typed values into a message. @param {unknown} part @param {Object<string, unknown>} typed @returns {unknown} */
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

/** The event on which an element sends its message. @param {Element} element */
function eventOf(element) {
  const named = element.getAttribute("data-on");
  if (named) return named;
  if (element instanceof HTMLFormElement) return "submit";
  return element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement ? "change" : "click";
}

/** Messages that wait until the player stops typing. @type {Map<Element, {timer: ReturnType<typeof setTimeout>, go: () => void}>} */
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
    // Clear the form if the engine accepts the input. Otherwise the player can correct it.
    const fields = [...new FormData(element)].map(([name, value]) => [name, String(value)]);
    if (act(element, { $form: Object.fromEntries(fields), $value: fields[0]?.[1] ?? "" })) element.reset();
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
  // A key that is held down counts once.
  if (writing || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  const button = document.querySelector(`[data-key="${CSS.escape(event.key)}"]:not([disabled])`);
  if (button instanceof HTMLElement) {
    event.preventDefault();
    if (button.matches("input, textarea")) button.focus();
    else button.click();
  }
}

for (const name of ["click", "change", "input", "submit"]) document.addEventListener(name, (event) => void onEvent(event));
document.addEventListener("keydown", onKey);

/** The scroll position of each address, to restore on the way back. @type {Map<string, number>} */
const scrolled = new Map();
let here = location.hash;
history.scrollRestoration = "manual";

/** @param {boolean} back */
function arrive(back) {
  scrolled.set(here, scrollY);
  here = location.hash;
  // Pending input belongs to the previous screen, so send it first.
  for (const { go } of [...typed.values()]) go();
  send({ go: here });
  scrollTo(0, back ? (scrolled.get(here) ?? 0) : 0);
  const head = document.querySelector("main h1");
  if (head instanceof HTMLElement) head.focus({ preventScroll: true });
}

/** Notes that the address changed but the screen did not. */
export const stay = () => {
  here = location.hash;
};

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
      document.getElementById("main")?.focus();
    }
  },
  true,
);
addEventListener("hashchange", () => {
  arrive(wentBack);
  wentBack = false;
});
