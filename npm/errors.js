// Every error of the engine as a class, with its text and its data.

/** Any error of the engine. */
export class AdjutantError extends Error {
  /** @param {string} message @param {Object<string, any>} [data] */
  constructor(message, data = {}) {
    super(message);
    this.name = new.target.name;
    /** The fault as the engine gave it. */
    this.data = data;
    /** Everything that is wrong. @type {string[]} */
    this.sentences = data.sentences ?? [message];
    /** The inputs, options, answers and names that cannot be used. @type {import("./adjutant.js").InputFault[]} */
    this.inputs = data.inputs ?? [];
  }
}

/** A pack cannot be used. */
export class PackError extends AdjutantError {
  /** @param {string} message @param {Object<string, any>} [data] */
  constructor(message, data = {}) {
    super(message, data);
    /** Every fault, with its file, line and column. @type {import("./adjutant.js").Fault[]} */
    this.faults = data.faults ?? [];
  }
}

/** There is no pack, chart, fight or deck of this name. */
export class NotFoundError extends AdjutantError {}

/** Something was given that cannot be used. */
export class InputError extends AdjutantError {}

/** Something must be given first: an input, an answer, dice or a card. */
export class NeedsError extends AdjutantError {
  /** What is missing. @returns {import("./adjutant.js").Need[]} */
  get needs() {
    return this.data.needs ?? [];
  }
  /** A roll that stopped, as far as it came. @returns {Object<string, any> | undefined} */
  get stopped() {
    return this.data.stopped;
  }
}

/** The rules do not allow this here. */
export class RulesError extends AdjutantError {
  /** A roll that stopped, as far as it came. @returns {Object<string, any> | undefined} */
  get stopped() {
    return this.data.stopped;
  }
}

/** A limit of time or memory was reached. */
export class LimitError extends AdjutantError {}

/** Exact odds would take too much work. Use `sim` instead. */
export class TooLargeError extends LimitError {}

/** The request cannot be read, or the engine failed. */
export class RequestError extends AdjutantError {}

/** @type {Object<string, typeof AdjutantError>} */
const KINDS = {
  pack: PackError,
  not_found: NotFoundError,
  input: InputError,
  needs: NeedsError,
  refused: RulesError,
  too_large: TooLargeError,
  limit: LimitError,
  stopped: LimitError,
  request: RequestError,
};

/** The error for a fault of the engine. @param {Object<string, any>} fault @returns {AdjutantError} */
export const errorOf = (fault) => new (KINDS[fault.kind] ?? AdjutantError)(fault.message ?? "unknown fault", fault);
