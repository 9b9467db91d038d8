// Starts the page: loads the engine and the stored data. The other files do what only a browser can
// do, one job each. All rules and all texts are in the engine. Types are JSDoc,
// checked by TypeScript at test time (tools/check-script). There is no bundler and no wasm-bindgen.

import { carryOut } from "./commands.js";
import { awake, breakDown, fetchEngine, send } from "./engine.js";
import { look } from "./server.js";
import { cards, remembered } from "./store.js";

async function register() {
  if (!("serviceWorker" in navigator) || !isSecureContext) return;
  const registered = await navigator.serviceWorker.register("sw.js");
  const newer = () => {
    if (registered.waiting && navigator.serviceWorker.controller) send("update_ready");
  };
  newer();
  registered.addEventListener("updatefound", () => registered.installing?.addEventListener("statechange", newer));
}

/** Waits until the document is parsed. @returns {Promise<unknown>} */
const parsed = async () =>
  document.readyState === "loading" && new Promise((done) => document.addEventListener("DOMContentLoaded", done, { once: true }));

async function begin() {
  const base_url = location.href.split("#")[0];
  /** @type {Object<string, any>} */
  const start = { base_url, online: navigator.onLine, saved: {}, tables: [], storage_error: null };
  const stored = Promise.all([remembered(), cards()]).then(
    ([saved, tables]) => Object.assign(start, { saved, tables }),
    (fault) => Object.assign(start, { storage_error: fault?.name ?? String(fault) }),
  );
  const [running] = await Promise.all([fetchEngine(), stored, parsed()]);
  start.summaries = JSON.parse(document.getElementById("summaries")?.textContent || "[]");
  awake(running, carryOut, { start: { ...start, route: location.hash } });
  document.documentElement.dataset.ready = "yes";
  void look();
  void register().catch(() => {});
  void navigator.storage?.persist?.().catch(() => false);
}

begin().catch(breakDown);
