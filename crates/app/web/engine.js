// The engine (WebAssembly): a message goes in; changed regions and commands come out.

import { show } from "./morph.js";

/** @typedef {{id: string, html: string}} Region */
/** @typedef {{title: string, theme: string, regions: Region[], commands: Object<string, any>[], accepted: boolean, error?: string}} Out */
/** @typedef {{memory: WebAssembly.Memory, room(n: number): number, step(): void, answer(): number, answer_length(): number, wake(): void}} Engine */

/** @type {Engine | null} */
let engine = null;
let broken = false;
/** How long the engine took for the last message, in milliseconds. */
export let took = 0;
/** Messages from before the engine was loaded. @type {unknown[]} */
const waiting = [];
/** Carries out commands. @type {(command: Object<string, any> | string) => void} */
let carryOut = () => {};

/** The engine is loaded: sends its first message, then those that waited.
 * @param {Engine} running @param {(command: Object<string, any> | string) => void} commands @param {unknown} first */
export function startEngine(running, commands, first) {
  [engine, carryOut] = [running, commands];
  send(first);
  for (const message of waiting.splice(0)) send(message);
}

/** Messages wait until an engine starts. */
export function pauseEngine() {
  engine = null;
}

/** Fetches an edition of the engine. A file of another version than the page is refused, if the page says which one it is.
 * @param {string} file @param {string} [integrity] @returns {Promise<Engine>} */
export async function fetchEngine(file, integrity = "") {
  const get = () => fetch(file, { integrity });
  // A host may serve the file with the wrong type.
  const made = await WebAssembly.instantiateStreaming(get(), {}).catch(async () =>
    WebAssembly.instantiate(await (await get()).arrayBuffer(), {}),
  );
  const found = /** @type {Engine} */ (/** @type {unknown} */ (made.instance.exports));
  found.wake();
  return found;
}

/** @param {Engine} running @returns {string} */
const answerOf = (running) => new TextDecoder().decode(new Uint8Array(running.memory.buffer, running.answer(), running.answer_length()));

/** Sends a message, shows what changed and carries out the commands. @param {unknown} message @returns {boolean} whether it was accepted */
export function send(message) {
  if (broken) return false;
  if (!engine) {
    waiting.push(message);
    return false;
  }
  const random = Array.from(crypto.getRandomValues(new Uint8Array(32)));
  const time = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  const bytes = new TextEncoder().encode(JSON.stringify({ now: { time, ms: Math.round(performance.now()), random }, message }));
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
    showFailure(fault);
    return false;
  }
  if (out.error) console.error(out.error, message);
  show(out);
  for (const command of out.commands) carryOut(command);
  return out.accepted;
}

/** The engine failed; a panic leaves its message where answers are. @param {unknown} fault */
export function showFailure(fault) {
  broken = true;
  const why = document.getElementById("broken-why");
  let words = "";
  try {
    if (engine) words = answerOf(engine);
  } catch {
    // The engine cannot even give its message.
  }
  if (why) why.textContent = `${words}\n${fault instanceof Error ? fault.stack : fault}`;
  document.getElementById("broken")?.removeAttribute("hidden");
  const reload = document.getElementById("reload");
  reload?.addEventListener("click", () => location.reload());
  reload?.focus();
}
