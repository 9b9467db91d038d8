// The engine of Adjutant for Node and browsers. `load` fetches the WebAssembly once; then every call answers at once.

import { InputError, RequestError, errorOf } from "./errors.js";
import { Branch, Chance, FightOdds, FightTable, Odds, OddsTable, Roll, Sample } from "./results.js";

export { AdjutantError, InputError, LimitError, NeedsError, NotFoundError, PackError, RequestError, RulesError, TooLargeError } from "./errors.js";
export { Branch, Chance, FightOdds, FightTable, Odds, OddsTable, Roll, Sample };

/** @typedef {{memory: WebAssembly.Memory, room(n: number): number, call(): void, answer(): number, answer_length(): number, wake(): void}} Engine */
/** @typedef {Object<string, any>} Data */

/** @type {Promise<Engine> | null} */
let starting = null;
/** Node 18 has it only in a module. @type {{getRandomValues(bytes: Uint8Array): Uint8Array}} */
let random = globalThis.crypto;

/** A module of Node. Bundlers for browsers leave it alone. @param {string} name @returns {Promise<any>} */
const ofNode = (name) => import(/* webpackIgnore: true */ /* @vite-ignore */ `node:${name}`);

/** @param {BufferSource | Response | Promise<Response>} [wasm] @returns {Promise<Engine>} */
async function instantiate(wasm) {
  const imports = { adjutant: { now: () => performance.now() } };
  const place = new URL("./adjutant.wasm", import.meta.url);
  let source = await wasm;
  if (!source && place.protocol === "file:") {
    const { readFile } = await ofNode("fs/promises");
    source = /** @type {BufferSource} */ (await readFile(place));
  }
  source ??= await fetch(place);
  // A host may serve the file with the wrong type, so the bytes are compiled, not the stream.
  const bytes = source instanceof ArrayBuffer || ArrayBuffer.isView(source) ? source : await /** @type {Response} */ (source).arrayBuffer();
  const { instance } = await WebAssembly.instantiate(/** @type {BufferSource} */ (bytes), imports);
  const engine = /** @type {Engine} */ (/** @type {unknown} */ (instance.exports));
  engine.wake();
  random ??= (await ofNode("crypto")).webcrypto;
  return engine;
}

/** Starts the engine. `load` does this by itself; call it to bring the WebAssembly from elsewhere.
 * @param {BufferSource | Response | Promise<Response>} [wasm] */
export async function start(wasm) {
  starting ??= instantiate(wasm);
  try {
    return await starting;
  } catch (fault) {
    starting = null;
    throw fault;
  }
}

/** @param {Engine} engine */
const answerOf = (engine) => new TextDecoder().decode(new Uint8Array(engine.memory.buffer, engine.answer(), engine.answer_length()));

/** Sends a message and returns the answer as text. @param {Engine} engine @param {unknown} message @returns {string} */
function send(engine, message) {
  const bytes = new TextEncoder().encode(JSON.stringify(message));
  const room = engine.room(bytes.length);
  new Uint8Array(engine.memory.buffer, room, bytes.length).set(bytes);
  try {
    engine.call();
  } catch (fault) {
    // The memory of an engine that failed cannot be trusted: the next `load` starts another.
    starting = null;
    throw new RequestError(`the engine failed: ${answerOf(engine) || fault}`);
  }
  return answerOf(engine);
}

/** @param {Engine} engine @param {unknown} message @returns {any} */
function answered(engine, message) {
  const answer = JSON.parse(send(engine, message));
  if (answer.fault) throw errorOf(answer.fault);
  return answer.ok;
}

/** The ids of the packs that come with Adjutant. @returns {Promise<string[]>} */
export async function packs() {
  return answered(await start(), { ids: {} });
}

/** Loads a pack: its id, the text of a `pack.toml` or of a bundle, or files by name.
 * @param {string | {files: Object<string, string>}} source @param {{tables?: string}} [more] */
export async function load(source, { tables } = {}) {
  const engine = await start();
  const text = typeof source === "string" && /[\n{]/.test(source);
  const from = typeof source !== "string" ? { files: source.files } : text ? { text: source } : { id: source };
  return new Pack(engine, answered(engine, { load: { source: from, tables: tables ?? null } }));
}

/** The files of a pack in a folder, for `load` and `check`. In Node only. @param {string} folder */
export async function readFolder(folder) {
  const { readFile, readdir } = await ofNode("fs/promises");
  const names = (await readdir(folder)).filter((/** @type {string} */ name) => /\.(toml|csv)$/.test(name)).sort();
  const texts = await Promise.all(names.map((/** @type {string} */ name) => readFile(`${folder}/${name}`, "utf8")));
  return { files: Object.fromEntries(names.map((/** @type {string} */ name, /** @type {number} */ place) => [name, texts[place]])) };
}

/** Checks a pack and its cases: the text of `pack.toml`, or files by name.
 * @param {string | {files: Object<string, string>}} source @returns {Promise<import("./adjutant.js").Check>} */
export async function check(source) {
  return answered(await start(), { check: { files: typeof source === "string" ? { "pack.toml": source } : source.files } });
}

/** The charts, fights and decks of a game. */
export class Pack {
  #engine;
  #number;
  /** @param {Engine} engine @param {number} number */
  constructor(engine, number) {
    this.#engine = engine;
    this.#number = number;
    /** The pack as data. @type {Data} */
    this.data = this.ask({ show: {} });
  }
  /** Sends a request as data and returns the answer as JSON text. @param {Data} request */
  askText(request) {
    const luck = Array.from(random.getRandomValues(new Uint8Array(32)));
    return send(this.#engine, { ask: { pack: this.#number, request: JSON.stringify(request), luck } });
  }
  /** The same as data. An error is thrown. @param {Data} request @returns {any} */
  ask(request) {
    const answer = JSON.parse(this.askText(request));
    if (answer.fault) throw errorOf(answer.fault);
    return answer.ok;
  }
  /** @returns {string} */
  get id() {
    return this.data.id;
  }
  /** @returns {string} */
  get title() {
    return this.data.title;
  }
  /** @returns {string[]} */
  get charts() {
    return this.data.charts.map((/** @type {Data} */ chart) => chart.id);
  }
  /** @returns {string[]} */
  get fights() {
    return this.data.fights.map((/** @type {Data} */ fight) => fight.id);
  }
  /** @returns {string[]} */
  get decks() {
    return this.data.decks.map((/** @type {Data} */ deck) => deck.id);
  }
  /** A chart by its id. @param {string} id */
  chart(id) {
    if (!this.charts.includes(id)) this.ask({ odds: { pack: this.id, chart: id } });
    return new Chart(this, id);
  }
  /** A fight by its id. @param {string} id */
  fight(id) {
    if (!this.fights.includes(id)) this.ask({ fight: { query: { pack: this.id, fight: id } } });
    return new Fight(this, id);
  }
  /** The pack, or one of its charts or fights, as data. @param {string} [name] @returns {Data} */
  show(name) {
    return this.ask({ show: name === undefined ? {} : { name } });
  }
  /** Draws cards. A deck that runs out is reshuffled. @param {string} deck @param {number} [count] @param {{gone?: number[], seed?: number}} [more] */
  draw(deck, count = 1, { gone = [], seed } = {}) {
    const asked = { deck, count: whole("count", count, 1, 2 ** 32 - 1), gone: cardNumbers("gone", gone) };
    return this.ask({ draw: { ...asked, ...(seed === undefined ? {} : { seed: seedOf(seed) }) } });
  }
  /** The pack as the text of one file, `NAME.adjutant`. @returns {string} */
  bundle() {
    return answered(this.#engine, { bundle: { pack: this.#number } });
  }
  /** Gives the memory of the pack back. It cannot be used after that. */
  free() {
    send(this.#engine, { free: { pack: this.#number } });
  }
}

/** A whole number between these. @param {string} name @param {unknown} value @param {number} least @param {number} most @returns {number} */
function whole(name, value, least, most) {
  if (typeof value !== "number") throw new TypeError(`${name} is a whole number, not ${value === null ? "null" : typeof value}`);
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new InputError(`${name}: ${value} is not accepted: a whole number from ${least} to ${most}`);
  }
  return value;
}

/** Numbers of cards. @param {string} name @param {unknown} values @returns {number[]} */
function cardNumbers(name, values) {
  if (!Array.isArray(values)) throw new TypeError(`${name} is a list of card numbers`);
  return values.map((value) => whole(name, value, 0, 2 ** 32 - 1));
}

const MOST_SAMPLES = 1e12;
const SETTINGS = ["options", "memory", "answers", "gone", "hand"];

/** Refuses settings that have no effect. @param {Data} settings @param {string[]} known */
function checkSettings(settings, known) {
  if (typeof settings !== "object" || settings === null) throw new TypeError("settings are an object, such as { seed: 7 }");
  const wrong = Object.keys(settings).find((name) => !known.includes(name));
  if (wrong !== undefined) throw new TypeError(`there is no setting "${wrong}" here: there are ${known.join(", ")}`);
}

/** A value as players write it. @param {unknown} value @returns {string} */
function text(value) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (["string", "number", "bigint"].includes(typeof value) || value instanceof Chance) return String(value);
  throw new TypeError(`a value is a text, a number, true or false, not ${value === null ? "null" : typeof value}`);
}

/** `{firer: {hesa: 6}}` as `{"firer.hesa": "6"}`; a list of units is numbered from 1.
 * @param {Data} given @param {string} [before] @returns {Object<string, string>} */
function flat(given, before = "") {
  if (typeof given !== "object" || given === null) throw new TypeError("inputs are an object of names and values");
  const found = Object.entries(given).flatMap(([name, value]) => {
    if (Array.isArray(value)) value = Object.fromEntries(value.map((member, place) => [place + 1, member]));
    const nested = typeof value === "object" && value !== null && !(value instanceof Chance);
    return nested ? Object.entries(flat(value, `${before}${name}.`)) : [[`${before}${name}`, text(value)]];
  });
  return Object.fromEntries(found);
}

/** @param {unknown} dice @returns {string[]} */
function faces(dice) {
  if (!Array.isArray(dice)) throw new TypeError("dice is a list of faces, such as [7, 3]");
  return dice.map(text);
}

/** @param {unknown} seed */
const seedOf = (seed) => whole("seed", seed, 0, Number.MAX_SAFE_INTEGER);

/** @param {Pack} pack @param {{chart: string} | {fight: string}} what @param {Data} inputs @param {Data} settings */
function query(pack, what, inputs, { options = {}, memory = {}, answers = {}, gone = [], hand = [], dice, cards, seed, follow = false }) {
  const all = Object.entries(answers).map(([key, value]) => [key, (Array.isArray(value) ? value : [value]).map(text)]);
  return {
    pack: pack.id,
    ...what,
    given: flat(inputs),
    options: flat(options),
    memory: flat(memory),
    answers: Object.fromEntries(all),
    gone: cardNumbers("gone", gone),
    hand: cardNumbers("hand", hand),
    follow,
    ...(dice === undefined ? {} : { dice: faces(dice) }),
    ...(cards === undefined ? {} : { cards: cardNumbers("cards", cards) }),
    ...(seed === undefined ? {} : { seed: seedOf(seed) }),
  };
}

/** @param {Data} over */
const axes = (over) =>
  Object.entries(over).map(([input, values]) => ({ input, values: typeof values === "string" ? values : Array.from(values, text) }));

const LIMITS = ["samples", "maxTime", "maxMemory"];

/** @param {Data} settings */
function limits({ samples, maxTime, maxMemory }) {
  if (maxTime !== undefined && !(typeof maxTime === "number" && maxTime >= 0)) throw new InputError(`maxTime: ${maxTime} is not accepted: seconds, not below 0`);
  return {
    ...(samples === undefined ? {} : { samples: whole("samples", samples, 1, MOST_SAMPLES) }),
    ...(maxTime === undefined ? {} : { max_time: maxTime }),
    ...(maxMemory === undefined ? {} : { max_memory: whole("maxMemory", maxMemory, 0, 1e9) }),
  };
}

/** A chart of a pack. */
export class Chart {
  /** @param {Pack} pack @param {string} id */
  constructor(pack, id) {
    this.pack = pack;
    this.id = id;
  }
  /** @returns {Data} */
  get data() {
    return this.pack.show(this.id);
  }
  /** @param {Data} inputs @param {Data} settings @param {string[]} more */
  #query(inputs, settings, more) {
    checkSettings(settings, [...SETTINGS, ...more]);
    return query(this.pack, { chart: this.id }, inputs, settings);
  }
  /** Rolls the chart. @param {Data} [inputs] @param {Data} [settings] */
  roll(inputs = {}, settings = {}) {
    return new Roll(this.pack.ask({ roll: this.#query(inputs, settings, ["dice", "cards", "seed"]) }));
  }
  /** The exact chances. @param {Data} [inputs] @param {Data} [settings] */
  odds(inputs = {}, settings = {}) {
    const query = this.#query(inputs, settings, ["follow"]);
    return new Odds(this.pack.ask({ odds: query }), () => this.pack.ask({ plot: { query, over: [] } }));
  }
  /** What each yes-or-no input that does not hold now would change. @param {Data} [inputs] @param {Data} [settings] */
  modifiers(inputs = {}, settings = {}) {
    const data = this.pack.ask({ modifiers: this.#query(inputs, settings, ["follow"]) });
    const changes = data.changes.map((/** @type {Data} */ change) => ({ input: change.input, label: change.label, odds: new Odds(change.odds) }));
    return { now: new Odds(data.now), changes, data };
  }
  /** How often each result comes in so many checks. @param {number} times @param {Data} [inputs] @param {Data} [settings] @returns {Data} */
  times(times, inputs = {}, settings = {}) {
    return this.pack.ask({ times: { query: this.#query(inputs, settings, []), times: whole("times", times, 1, 2 ** 32 - 1) } });
  }
  /** The chances over one or two inputs. @param {Data} over @param {Data} [inputs] @param {Data} [settings] */
  vary(over, inputs = {}, settings = {}) {
    const asked = { query: this.#query(inputs, settings, ["follow"]), over: axes(over) };
    return new OddsTable(this.pack.ask({ vary: asked }), () => this.pack.ask({ plot: asked }));
  }
  /** Samples the chart `n` times. @param {Data} [inputs] @param {Data} [settings] */
  sim(inputs = {}, { n = 1_000_000, ...settings } = {}) {
    return new Sample(this.pack.ask({ sim: { query: this.#query(inputs, settings, ["follow", "seed"]), samples: whole("n", n, 1, MOST_SAMPLES) } }));
  }
}

/** A fight of a pack. */
export class Fight {
  /** @param {Pack} pack @param {string} id */
  constructor(pack, id) {
    this.pack = pack;
    this.id = id;
  }
  /** @returns {Data} */
  get data() {
    return this.pack.show(this.id);
  }
  /** @param {Data} inputs @param {Data} settings @param {string[]} more */
  #query(inputs, settings, more) {
    checkSettings(settings, ["options", "memory", "answers", "seed", ...more]);
    return query(this.pack, { fight: this.id }, inputs, settings);
  }
  /** What to expect. @param {Data} [inputs] @param {Data} [settings] */
  odds(inputs = {}, settings = {}) {
    return new FightOdds(this.pack.ask({ fight: { query: this.#query(inputs, settings, LIMITS), limits: limits(settings) } }));
  }
  /** What to expect over one or two inputs. @param {Data} over @param {Data} [inputs] @param {Data} [settings] */
  vary(over, inputs = {}, settings = {}) {
    return new FightTable(this.pack.ask({ vary: { query: this.#query(inputs, settings, LIMITS), over: axes(over), limits: limits(settings) } }));
  }
  /** Simulates the fight `n` times. @param {Data} [inputs] @param {Data} [settings] */
  sim(inputs = {}, { n = 100_000, ...settings } = {}) {
    return new Sample(this.pack.ask({ sim: { query: this.#query(inputs, settings, []), samples: whole("n", n, 1, MOST_SAMPLES) } }));
  }
}
