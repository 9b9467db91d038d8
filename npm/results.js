// Answers of the engine as objects. `data` always holds the answer itself, as the command prints it with --json.

import { InputError } from "./errors.js";

/** @typedef {Object<string, any>} Data */

/** An exact chance. */
export class Chance {
  /** @param {string} exact such as `3/10` */
  constructor(exact) {
    const [over, under = "1"] = exact.split("/");
    this.numerator = BigInt(over);
    this.denominator = BigInt(under);
    Object.freeze(this);
  }
  /** As a decimal number, also where the parts are too long for one. */
  get value() {
    const [over, under] = [Number(this.numerator), Number(this.denominator)];
    if (Number.isFinite(over) && Number.isFinite(under)) return over / under;
    const shift = BigInt(Math.max(0, this.denominator.toString(2).length - 1000));
    return Number(this.numerator >> shift) / Number(this.denominator >> shift);
  }
  toString() {
    return this.denominator === 1n ? `${this.numerator}` : `${this.numerator}/${this.denominator}`;
  }
}

/** @param {Data} chance */
const exactly = (chance) => new Chance(chance.exact);
/** A chance or a mean that may not be exact. @param {Data | null | undefined} share @returns {Chance | number | null} */
const known = (share) =>
  share == null ? null : share.exact != null ? new Chance(share.exact) : "percent" in share ? share.percent / 100 : share.value;
/** @param {Data} entry */
const outcome = (entry) => ({ ...entry, on: entry.on ?? null, chance: exactly(entry.chance) });

/** A chart that was rolled. */
export class Roll {
  /** @param {Data} data */
  constructor(data) {
    this.data = data;
  }
  /** The id of the result. @returns {string | null} */
  get result() {
    return this.data.result?.id ?? null;
  }
  /** The result as the sheet prints it. @returns {string | null} */
  get resultTitle() {
    return this.data.result?.title ?? null;
  }
  /** The number that the chart gives. @returns {number | string | null} */
  get value() {
    return this.data.value ?? null;
  }
}

/** The chances that hold if the open questions are answered in one way. */
export class Branch {
  /** @param {Data} data */
  constructor(data) {
    this.data = data;
    this.answers = data.answers ?? {};
    this.results = data.results.map(outcome);
    this.values = data.values.map((/** @type {Data} */ v) => ({
      value: v.value,
      chance: exactly(v.chance),
      atLeast: exactly(v.at_least),
      atMost: exactly(v.at_most),
    }));
    this.also = data.also.map(outcome);
    this.mean = data.mean ? new Chance(data.mean.exact) : null;
  }
  /** The chance of a result, by its id, or of a number. @param {string | number} what @returns {Chance} */
  chance(what) {
    const found = [...this.results, ...this.also].filter((entry) => entry.id === what);
    if (found.length === 1) return found[0].chance;
    if (found.length > 1) return sum(found.map((entry) => entry.chance));
    const value = this.values.find((/** @type {Data} */ entry) => String(entry.value) === String(what));
    if (value) return value.chance;
    if (typeof what === "number") return new Chance("0");
    throw new InputError(`no result \`${what}\` can come here; these can: ${this.results.map((/** @type {Data} */ r) => r.id).join(", ")}`);
  }
}

/** @param {Chance[]} chances */
function sum(chances) {
  const under = chances.reduce((product, chance) => product * chance.denominator, 1n);
  const over = chances.reduce((total, chance) => total + chance.numerator * (under / chance.denominator), 0n);
  let [a, b] = [over, under];
  while (b) [a, b] = [b, a % b];
  return new Chance(`${over / a}/${under / a}`);
}

/** The exact chances of a chart. */
export class Odds {
  /** @param {Data} data @param {() => string} [plot] */
  constructor(data, plot) {
    this.data = data;
    /** The chances as a picture. */
    this.svg =
      plot ??
      (() => {
        throw new InputError("these odds are a part of another answer: ask for them alone to draw them");
      });
    /** One for each way in which the open questions can be answered. @type {Branch[]} */
    this.branches = data.branches.map((/** @type {Data} */ branch) => new Branch(branch));
  }
  /** @returns {Branch} */
  get only() {
    if (this.branches.length === 1) return this.branches[0];
    throw new InputError("the odds depend on answers: give `answers`, or use `branches`");
  }
  get results() {
    return this.only.results;
  }
  get values() {
    return this.only.values;
  }
  get mean() {
    return this.only.mean;
  }
  /** The chance of a result, by its id, or of a number. @param {string | number} what */
  chance(what) {
    return this.only.chance(what);
  }
}

/** Chances over one or two inputs. */
export class OddsTable {
  /** @param {Data} data @param {() => string} plot */
  constructor(data, plot) {
    this.data = data;
    this.rows = data.cells.map((/** @type {Data} */ cell) => ({
      at: cell.at,
      results: cell.results.map(outcome),
      values: (cell.values ?? []).map((/** @type {Data} */ v) => ({ value: v.value, chance: exactly(v.chance) })),
      mean: cell.mean ? new Chance(cell.mean.exact) : null,
    }));
    this.svg = plot;
  }
}

/** @param {Data} data */
const outlook = (data) => ({
  exact: data.exact,
  ends: data.ends.map((/** @type {Data} */ end) => ({ id: end.id, title: end.title, chance: known(end.chance) })),
  never: known(data.never),
  rounds: known(data.rounds),
  sides: data.sides.map((/** @type {Data} */ side) => ({
    id: side.id,
    title: side.title,
    began: side.began,
    lost: known(side.lost),
    left: side.left.map((/** @type {Data} */ left) => ({ units: left.units, chance: known(left.chance) })),
  })),
  samples: data.samples ?? null,
});

/** What to expect of a fight. Chances are exact if `exact`, else decimal numbers. */
export class FightOdds {
  /** @param {Data} data */
  constructor(data) {
    this.data = data;
    Object.assign(this, outlook(data));
  }
}

/** A fight over one or two inputs. */
export class FightTable {
  /** @param {Data} data */
  constructor(data) {
    this.data = data;
    this.rows = data.cells.map((/** @type {Data} */ cell) => ({ at: cell.at, ...outlook(cell) }));
  }
}

/** How often each outcome came. */
export class Sample {
  /** @param {Data} data */
  constructor(data) {
    this.data = data;
    this.samples = data.samples;
    this.seed = data.seed;
    this.outcomes = data.outcomes.map((/** @type {Data} */ o) => ({
      id: o.id,
      title: o.title,
      count: o.count,
      share: o.share,
      interval95: o.interval_95,
      chance: known(o.chance),
    }));
  }
}
