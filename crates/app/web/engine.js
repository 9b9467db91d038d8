// The engine and its only interface: a message goes in, changed regions and commands come out. All rules and all texts are in it.

import { show } from "./morph.js";

/** @typedef {{id: string, html: string}} Region */
/** @typedef {{title: string, theme: string, regions: Region[], commands: Object<string, any>[], accepted: boolean, error?: string}} Out */
/** @typedef {{memory: WebAssembly.Memory, room(n: number): number, step(): void, answer(): number, answer_length(): number, wake(): void}} Engine */

/** @type {Engine | null} */
let engine = null;
let broken = false;
/** How long the engine took for the last message, in milliseconds. */
export let took = 0;
/** Messages that arrived before the engine was loaded. @type {unknown[]} */
const waiting = [];
/** Carries out commands. @type {(command: Object<string, any> | string) => void} */
let hands = () => {};

/** Starts the engine: sends the first message, then those that arrived earlier.
 * @param {Engine} running @param {(command: Object<string, any> | string) => void} carryOut @param {unknown} first */
export function awake(running, carryOut, first) {
  [engine, hands] = [running, carryOut];
  send(first);
  for (const message of waiting.splice(0)) send(message);
}

/** @returns {Promise<Engine>} */
export async function fetchEngine() {
  const response = fetch("engine.wasm");
  // Fallback for hosts that serve the file with the wrong MIME type.
  const made = await WebAssembly.instantiateStreaming(response, {}).catch(async () =>
    WebAssembly.instantiate(await (await fetch("engine.wasm")).arrayBuffer(), {}),
  );
  const found = /** @type {Engine} */ (/** @type {unknown} */ (made.instance.exports));
  found.wake();
  return found;
}

/** @param {Engine} running @returns {string} */
const answerOf = (running) => new TextDecoder().decode(new Uint8Array(running.memory.buffer, running.answer(), running.answer_length()));

/** Sends a message, shows the changed regions and carries out the commands.
 * @param {unknown} message @returns {boolean} whether it was accepted */
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
    breakDown(fault);
    return false;
  }
  if (out.error) console.error(out.error, message);
  show(out);
  for (const command of out.commands) hands(command);
  return out.accepted;
}

/** Shows the error page after a panic. The panic message is where the answer would be. @param {unknown} fault */
export function breakDown(fault) {
  broken = true;
  const why = document.getElementById("broken-why");
  let words = "";
  try {
    if (engine) words = answerOf(engine);
  } catch {
    // The message cannot be read either.
  }
  if (why) why.textContent = `${words}\n${fault instanceof Error ? fault.stack : fault}`;
  document.getElementById("broken")?.removeAttribute("hidden");
  const reload = document.getElementById("reload");
  reload?.addEventListener("click", () => location.reload());
  reload?.focus();
}
