// Morphs regions into the document, so that focus, scroll position, open details and typed text stay.
//
// Our own code instead of a library such as idiomorph, because of three rules: fields of a form that is not sent yet belong to the
// player, as does whether a <details> is open; and unwanted nodes are removed before any other is moved, so that no button moves
// between the press and the release of a finger.

/** @param {import("./engine.js").Out} out */
export function show(out) {
  document.title = out.title;
  if (document.documentElement.dataset.theme !== out.theme) {
    document.documentElement.dataset.theme = out.theme;
    try {
      localStorage.setItem("theme", out.theme);
    } catch {
      // The engine saves it as well.
    }
  }
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.id : "";
  for (const region of out.regions) {
    const place = document.getElementById(region.id);
    if (!place) continue;
    const fresh = document.createElement("template");
    fresh.innerHTML = region.html;
    const inside = [...place.querySelectorAll("[data-region]")];
    morphChildren(place, fresh.content);
    // A region inside this one that did not change is not sent again: it keeps its content where its element was replaced.
    for (const old of inside) {
      const now = old.isConnected ? null : document.getElementById(old.id);
      if (now && !now.hasChildNodes()) now.append(...old.childNodes);
    }
    // Sizes are set here because the Content-Security-Policy forbids styles in HTML.
    for (const sized of place.querySelectorAll("[data-size]")) {
      if (sized instanceof HTMLElement || sized instanceof SVGElement) sized.style.setProperty("--size", sized.getAttribute("data-size"));
    }
  }
  if (focused && (!document.activeElement || document.activeElement === document.body)) document.getElementById(focused)?.focus({ preventScroll: true });
}

/** @param {Node} node */
const keyOf = (node) => (node instanceof Element ? node.id || node.getAttribute("data-id") || "" : "");

/** The first class of an element. @param {Node} node */
const kindOf = (node) => (node instanceof Element ? (node.getAttribute("class") ?? "").split(" ", 1)[0] : "");

/** @param {Node} a @param {Node} b */
const alike = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName && keyOf(a) === keyOf(b) && kindOf(a) === kindOf(b);

/** Makes the children of one node those of another; nodes that are alike stay. @param {Node} place @param {Node} fresh */
export function morphChildren(place, fresh) {
  /** @type {Map<string, Node>} */
  const keyed = new Map();
  for (const child of place.childNodes) {
    const key = keyOf(child);
    if (key) keyed.set(key, child);
  }
  let at = place.firstChild;
  const all = [...fresh.childNodes];
  all.forEach((wanted, nth) => {
    // Unwanted nodes are removed first, so that the others need not move: a button that is moved or replaced between the press and
    // the release of a finger gets no click.
    while (at && !alike(at, wanted)) {
      const here = at;
      if (all.some((later, place) => place > nth && alike(here, later))) break;
      at = here.nextSibling;
      place.removeChild(here);
    }
    const known = at && alike(at, wanted) ? at : keyed.get(keyOf(wanted) || " ");
    const found = known && known.parentNode === place && alike(known, wanted) ? known : null;
    if (found) {
      if (found === at) at = at.nextSibling;
      else place.insertBefore(found, at);
      morph(found, wanted);
    } else {
      place.insertBefore(wanted, at);
    }
  });
  while (at) {
    const next = at.nextSibling;
    place.removeChild(at);
    at = next;
  }
}

/** @param {Element} element */
const isField = (element) => element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement;

/** The value that the engine gave a field, whatever was typed since. @param {Element} field */
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
  // A field of a form belongs to the player until the form is sent, unless the engine gives it another value.
  const theirs = isField(fresh) && !fresh.hasAttribute("data-do") && written(old) === written(fresh);
  for (const { name } of [...old.attributes]) {
    // Whether details are open belongs to the player; styles are set by this script.
    if (!fresh.hasAttribute(name) && name !== "style" && !(name === "open" && old instanceof HTMLDetailsElement)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (name === "open" && old instanceof HTMLDetailsElement) continue;
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  if (theirs && !(old instanceof HTMLSelectElement)) return;
  if (old instanceof HTMLInputElement && fresh instanceof HTMLInputElement) {
    old.checked = fresh.checked;
    // A value that the player is typing stays.
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
