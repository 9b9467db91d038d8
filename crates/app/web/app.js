// Starts the page: loads the engine and the stored data. The files beside this one do what only a
// browser can do, one job each; every rule and every sentence is in the engine. Types are JSDoc,
// checked by TypeScript at test time (tools/check-script). There is no bundler and no wasm-bindgen.

import { carryOut, onWorkshop, written } from "./commands.js";
import { fetchEngine, pauseEngine, send, showFailure, startEngine } from "./engine.js";
import "./paste.js";
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
  // The first visit has all it needs. What else works without a network is fetched now, unless the player saves data.
  if (!document.getElementById("workshop") || /** @type {any} */ (navigator).connection?.saveData) return;
  (await navigator.serviceWorker.ready).active?.postMessage("fetch later files");
}

/** Resolves when the document is parsed. @returns {Promise<unknown>} */
const parsed = async () =>
  document.readyState === "loading" && new Promise((done) => document.addEventListener("DOMContentLoaded", done, { once: true }));

/** What the page starts from: what the browser has stored. @returns {Promise<Object<string, any>>} */
async function stored() {
  const base_url = location.href.split("#")[0];
  /** @type {Object<string, any>} */
  const message = { base_url, online: navigator.onLine, saved: {}, tables: [], storage_error: null };
  await Promise.all([savedValues(), listTables()]).then(
    ([saved, tables]) => Object.assign(message, { saved, tables }),
    (fault) => Object.assign(message, { storage_error: fault?.name ?? String(fault) }),
  );
  return message;
}

/** Starts an engine at the current address. @param {import("./engine.js").Engine} running @param {Object<string, any>} message */
function run(running, message) {
  const summaries = JSON.parse(document.getElementById("summaries")?.textContent || "[]");
  startEngine(running, carryOut, { start: { ...message, summaries, route: location.hash } });
}

let fetching = false;
/** Done when the full edition runs, if it was asked for. @type {Promise<void>} */
let workshop = Promise.resolve();

/** Replaces the engine by the full edition, which starts as after a reload. */
async function startWorkshop() {
  if (fetching) return;
  fetching = true;
  const running = await fetchEngine("workshop.wasm", document.getElementById("workshop")?.dataset.integrity).catch(() => null);
  if (!running) {
    fetching = false;
    send("no_workshop");
    return;
  }
  // What the small edition saves from here on would not be in what the full one starts from.
  pauseEngine();
  await written();
  run(running, await stored());
  void checkServer(true);
}

async function start() {
  onWorkshop(() => {
    workshop = startWorkshop();
  });
  const [running, message] = await Promise.all([fetchEngine("engine.wasm"), stored(), parsed()]);
  run(running, message);
  await workshop;
  document.documentElement.dataset.ready = "yes";
  void checkServer();
  void register().catch(() => {});
  void navigator.storage?.persist?.().catch(() => false);
}

start().catch(showFailure);
