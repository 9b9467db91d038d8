// Starts the page: loads the engine and the stored data. The files beside this one do what only a
// browser can do, one job each; every rule and every sentence is in the engine. Types are JSDoc,
// checked by TypeScript at test time (tools/check-script). There is no bundler and no wasm-bindgen.

import { carryOut } from "./commands.js";
import { fetchEngine, send, showFailure, startEngine } from "./engine.js";
import { checkServer } from "./server.js";
import { listTables, savedValues } from "./store.js";

async function register() {
  if (!("serviceWorker" in navigator) || !isSecureContext) return;
  const registered = await navigator.serviceWorker.register("sw.js");
  const tell = () => {
    if (registered.waiting && navigator.serviceWorker.controller) send("update_ready");
  };
  tell();
  registered.addEventListener("updatefound", () => registered.installing?.addEventListener("statechange", tell));
}

/** Resolves when the document is parsed. @returns {Promise<unknown>} */
const parsed = async () =>
  document.readyState === "loading" && new Promise((done) => document.addEventListener("DOMContentLoaded", done, { once: true }));

async function start() {
  const base_url = location.href.split("#")[0];
  /** @type {Object<string, any>} */
  const message = { base_url, online: navigator.onLine, saved: {}, tables: [], storage_error: null };
  const stored = Promise.all([savedValues(), listTables()]).then(
    ([saved, tables]) => Object.assign(message, { saved, tables }),
    (fault) => Object.assign(message, { storage_error: fault?.name ?? String(fault) }),
  );
  const [running] = await Promise.all([fetchEngine(), stored, parsed()]);
  message.summaries = JSON.parse(document.getElementById("summaries")?.textContent || "[]");
  startEngine(running, carryOut, { start: { ...message, route: location.hash } });
  document.documentElement.dataset.ready = "yes";
  void checkServer();
  void register().catch(() => {});
  void navigator.storage?.persist?.().catch(() => false);
}

start().catch(showFailure);
