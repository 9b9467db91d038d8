/** The engine of Adjutant for Node and browsers. */

/** An exact chance, or an exact mean. */
export class Chance {
  /** @param exact a fraction as text, such as `3/10` */
  constructor(exact: string);
  readonly numerator: bigint;
  readonly denominator: bigint;
  /** As a decimal number. */
  readonly value: number;
  /** Such as `3/10`. */
  toString(): string;
}

/** What an input may be given as. `{firer: {hesa: 6}}` gives `firer.hesa`; a list of objects gives several units. */
export type Input = string | number | bigint | boolean | Chance | Inputs | Inputs[];
export interface Inputs {
  [name: string]: Input;
}

/** What can be given beside the inputs. A setting that has no effect on a call is an error. */
export interface GameSettings {
  /** Options of the game, by name. */
  options?: Inputs;
  /** What the game remembers, by name. */
  memory?: Inputs;
  /** Answers to questions, by key; for odds also chances, such as `"1/6"`. A list answers a question that comes up several times. */
  answers?: { [key: string]: string | number | boolean | (string | number | boolean)[] };
}
export interface Settings extends GameSettings {
  /** Cards that are out of the deck. */
  gone?: number[];
  /** Cards in the hand of the side or unit that takes the test. */
  hand?: number[];
}
export interface RollSettings extends Settings {
  /** Your own dice: numbers, or the names of faces. */
  dice?: (number | string)[];
  /** Your own cards. */
  cards?: number[];
  seed?: number;
}
export interface OddsSettings extends Settings {
  /** Follow the chain of charts to the final results. */
  follow?: boolean;
}
export interface SimSettings extends OddsSettings {
  /** How many samples. */
  n?: number;
  seed?: number;
}
export interface FightSimSettings extends GameSettings {
  /** How many samples. */
  n?: number;
  seed?: number;
}
export interface FightSettings extends GameSettings {
  /** How often to simulate a fight that is too large for exact odds. */
  samples?: number;
  /** Time limit for exact odds, in seconds (60). */
  maxTime?: number;
  /** Approximate memory limit, in MB (1000). */
  maxMemory?: number;
  seed?: number;
}
/** One or two inputs, each with its values: a list, or a text such as `"1..8"`. */
export interface Axes {
  [input: string]: string | Iterable<string | number | boolean>;
}

/** JSON as the command prints it with `--json`. */
export type Data = { [key: string]: any };

export interface Outcome {
  id: string;
  title: string;
  /** The role it applies to, if the chart says so. */
  on: string | null;
  chance: Chance;
}
export interface Value {
  value: number | string;
  chance: Chance;
  atLeast: Chance;
  atMost: Chance;
}
export class Roll {
  readonly data: Data;
  /** The id of the result. */
  readonly result: string | null;
  /** The result as the sheet prints it. */
  readonly resultTitle: string | null;
  /** The number that the chart gives. */
  readonly value: number | string | null;
}
/** The chances that hold if the open questions are answered in one way. */
export class Branch {
  readonly data: Data;
  readonly answers: { [key: string]: string | number | boolean };
  readonly results: Outcome[];
  readonly values: Value[];
  readonly also: Outcome[];
  readonly mean: Chance | null;
  chance(what: string | number): Chance;
}
export class Odds {
  readonly data: Data;
  /** One for each way in which the open questions can be answered. */
  readonly branches: Branch[];
  readonly results: Outcome[];
  readonly values: Value[];
  readonly mean: Chance | null;
  /** The chance of a result, by its id, or of a number. */
  chance(what: string | number): Chance;
  /** The chances as a picture: a bar for each result or number. */
  svg(): string;
}
export interface OddsRow {
  /** The values of the inputs that vary. */
  at: { [input: string]: string };
  results: Outcome[];
  values: { value: number | string; chance: Chance }[];
  mean: Chance | null;
}
export class OddsTable {
  readonly data: Data;
  readonly rows: OddsRow[];
  /** The table as a picture: bars over one input, a heat map over two. */
  svg(): string;
}
/** Chances are exact if `exact`, else decimal numbers. */
export interface Outlook {
  exact: boolean;
  ends: { id: string; title: string; chance: Chance | number }[];
  never: Chance | number;
  /** Null if it may never end. */
  rounds: Chance | number | null;
  sides: { id: string; title: string; began: number; lost: Chance | number; left: { units: number; chance: Chance | number }[] }[];
  /** How many fights were simulated; null if the chances were computed. */
  samples: number | null;
}
export interface FightOdds extends Outlook {}
export class FightOdds {
  readonly data: Data;
}
export class FightTable {
  readonly data: Data;
  readonly rows: (Outlook & { at: { [input: string]: string } })[];
}
export class Sample {
  readonly data: Data;
  readonly samples: number;
  readonly seed: number;
  readonly outcomes: {
    id: string;
    title: string;
    count: number;
    share: number;
    interval95: [number, number];
    /** Its chance, where that is known. */
    chance: Chance | number | null;
  }[];
}

export class Chart {
  readonly pack: Pack;
  readonly id: string;
  /** The chart as data: inputs, steps, rows. */
  readonly data: Data;
  /** Rolls the chart, with your own dice and cards if you give them. */
  roll(inputs?: Inputs, settings?: RollSettings): Roll;
  /** The exact chances. */
  odds(inputs?: Inputs, settings?: OddsSettings): Odds;
  /** What each yes-or-no input that does not hold now would change. */
  modifiers(inputs?: Inputs, settings?: OddsSettings): { now: Odds; changes: { input: string; label: string; odds: Odds }[]; data: Data };
  /** How often each result comes in so many checks. */
  times(times: number, inputs?: Inputs, settings?: Settings): Data;
  /** The chances over one or two inputs. */
  vary(over: Axes, inputs?: Inputs, settings?: OddsSettings): OddsTable;
  /** Samples the chart `n` times (1 000 000). */
  sim(inputs?: Inputs, settings?: SimSettings): Sample;
}
export class Fight {
  readonly pack: Pack;
  readonly id: string;
  readonly data: Data;
  /** What to expect: exact within the limits, else simulated. */
  odds(inputs?: Inputs, settings?: FightSettings): FightOdds;
  vary(over: Axes, inputs?: Inputs, settings?: FightSettings): FightTable;
  /** Simulates the fight `n` times (100 000). */
  sim(inputs?: Inputs, settings?: FightSimSettings): Sample;
}
export class Pack {
  private constructor();
  /** The pack as data. */
  readonly data: Data;
  readonly id: string;
  readonly title: string;
  /** The ids of the charts. */
  readonly charts: string[];
  readonly fights: string[];
  readonly decks: string[];
  chart(id: string): Chart;
  fight(id: string): Fight;
  /** The pack, or one of its charts or fights, as data. */
  show(name?: string): Data;
  /** Draws cards. A deck that runs out is reshuffled. */
  draw(deck: string, count?: number, more?: { gone?: number[]; seed?: number }): Data;
  /** The pack as the text of one file, `NAME.adjutant`. */
  bundle(): string;
  /** Gives the memory of the pack back. */
  free(): void;
  /** Sends a request as data and returns the answer as data: what all other methods do. */
  ask(request: Data): any;
  /** The same as JSON text; a fault is not thrown. */
  askText(request: Data): string;
}

/** The files of a pack by name. */
export interface PackFiles {
  files: { [name: string]: string };
}
/** Loads a pack: its id, the text of a `pack.toml` or of a bundle, or files by name. */
export function load(source: string | PackFiles, more?: { tables?: string }): Promise<Pack>;
/** The files of a pack in a folder. In Node only. */
export function readFolder(folder: string): Promise<PackFiles>;
/** The ids of the packs that come with Adjutant. */
export function packs(): Promise<string[]>;
/** Checks a pack and its cases. */
export function check(source: string | PackFiles): Promise<Check>;
/** Starts the engine. `load` does this by itself; call it to bring the WebAssembly from elsewhere. */
export function start(wasm?: BufferSource | Response | Promise<Response>): Promise<unknown>;

export interface Check {
  sound: boolean;
  faults: Fault[];
  pack: Data | null;
}
/** A fault of a pack. */
export interface Fault {
  file: string;
  /** From 1. */
  line: number | null;
  column: number | null;
  message: string;
  remedy: string;
}
/** An input, an option, an answer or a name that cannot be used. */
export interface InputFault {
  name: string;
  message: string;
  /** What is accepted, in words. */
  accepted: string | null;
  accepts: Data | null;
  /** The known name that was most likely meant. */
  nearest: string | null;
  known: string[];
}
/** Something that is missing. */
export interface Need {
  key: string;
  what_for: string;
  wanted: "input" | "answer" | "dice" | "card";
  [more: string]: any;
}

/** Any error of the engine. */
export class AdjutantError extends Error {
  constructor(message: string, data?: Data);
  readonly data: Data;
  /** Everything that is wrong. */
  readonly sentences: string[];
  readonly inputs: InputFault[];
}
/** A pack cannot be used. */
export class PackError extends AdjutantError {
  readonly faults: Fault[];
}
/** There is no pack, chart, fight or deck of this name. */
export class NotFoundError extends AdjutantError {}
/** Something was given that cannot be used. */
export class InputError extends AdjutantError {}
/** Something must be given first. */
export class NeedsError extends AdjutantError {
  readonly needs: Need[];
  readonly stopped: Data | undefined;
}
/** The rules do not allow this here. */
export class RulesError extends AdjutantError {
  readonly stopped: Data | undefined;
}
/** A limit of time or memory was reached. */
export class LimitError extends AdjutantError {}
/** Exact odds would take too much work. Use `sim` instead. */
export class TooLargeError extends LimitError {}
/** The request cannot be read, or the engine failed. */
export class RequestError extends AdjutantError {}
