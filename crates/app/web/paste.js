// Takes tables from the clipboard as HTML. A text area with the attribute data-paste (a message) gets what is pasted or dropped into it as
// HTML if that holds a table: cells of a spreadsheet or a web page would lose their columns as plain text.

import { send } from "./engine.js";

/** Styles and handlers, which the Content-Security-Policy would refuse with a complaint each. */
const UNWANTED = /<style[^]*?<\/style>|\s(?:style|on\w+)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi;

/** The tables and the text around them, without styles and scripts. Nothing of it is loaded or run. @param {string} html */
function tablesOf(html) {
  const { body } = new DOMParser().parseFromString(html.replace(UNWANTED, ""), "text/html");
  if (!body.querySelector("table")) return "";
  for (const unwanted of body.querySelectorAll("style, script, meta, link, svg, img, iframe, template")) unwanted.remove();
  for (const element of body.querySelectorAll("*")) {
    for (const { name } of [...element.attributes]) if (name !== "colspan" && name !== "rowspan") element.removeAttribute(name);
  }
  return body.innerHTML.replace(/<!--[^]*?-->/g, "").replace(/(<\/(?:tr|p|h[1-6]|li|div|table)>|<(?:table|tbody)>)\s*/g, "$1\n").trim();
}

/** @param {Event} event @param {DataTransfer | null} data */
function take(event, data) {
  const area = event.target instanceof Element ? event.target.closest("[data-paste]") : null;
  const found = area && !data?.files.length ? tablesOf(data?.getData("text/html") ?? "") : "";
  if (!area || !found) return;
  event.preventDefault();
  send(JSON.parse((area.getAttribute("data-paste") ?? "null").replace('"$value"', () => JSON.stringify(found))));
}

document.addEventListener("paste", (event) => take(event, event.clipboardData));
document.addEventListener("drop", (event) => take(event, event.dataTransfer));
