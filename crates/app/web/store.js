// Storage in this browser (IndexedDB): the log lines of games, a card for each game, and small values by name. An operation
// succeeds only when its data is durable.

/** @typedef {{id: string, name: string, pack: string, at: string, last: number, token: string}} Card */

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const settled = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** @returns {Promise<IDBDatabase>} */
function openStore() {
  const request = indexedDB.open("adjutant", 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("tables", { keyPath: "id" });
    request.result.createObjectStore("lines", { keyPath: ["table", "n"] });
    request.result.createObjectStore("kept");
  };
  return settled(request);
}

/** @type {Promise<IDBDatabase> | null} */
let opened = null;
const store = () => (opened ??= openStore());

/** Runs one transaction. The promise resolves when the data is durable. @template T
 * @param {string[]} names @param {IDBTransactionMode} mode @param {(t: IDBTransaction) => Promise<T>} work @returns {Promise<T>} */
async function transact(names, mode, work) {
  const transaction = (await store()).transaction(names, mode, { durability: "strict" });
  const done = new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(null);
    transaction.onabort = () => reject(transaction.error ?? new DOMException("aborted", "AbortError"));
  });
  try {
    const found = await work(transaction);
    await done;
    return found;
  } catch (fault) {
    done.catch(() => {});
    try {
      transaction.abort();
    } catch {
      // The transaction has already ended.
    }
    throw fault;
  }
}

/** @param {string} table */
const linesOf = (table) => IDBKeyRange.bound([table, 0], [table, Infinity]);

/** @param {Card} card @param {number} after @param {string[]} lines */
export const keep = (card, after, lines) =>
  transact(["tables", "lines"], "readwrite", async (transaction) => {
    const [tables, kept] = [transaction.objectStore("tables"), transaction.objectStore("lines")];
    const known = /** @type {Card | undefined} */ (await settled(tables.get(card.id)));
    const last = known?.last ?? 0;
    if (last !== after) return { moved_on: last };
    lines.forEach((text, place) => kept.put({ table: card.id, n: after + place + 1, text }));
    tables.put({ ...card, last: after + lines.length });
    return "done";
  });

/** @param {string} table */
export const read = (table) =>
  transact(["lines"], "readonly", async (transaction) => {
    const all = /** @type {{text: string}[]} */ (await settled(transaction.objectStore("lines").getAll(linesOf(table))));
    return { lines: all.map((line) => line.text) };
  });

/** @returns {Promise<Card[]>} */
export const cards = () => transact(["tables"], "readonly", (transaction) => settled(transaction.objectStore("tables").getAll()));

/** @param {string} table */
export const forget = (table) =>
  transact(["tables", "lines"], "readwrite", async (transaction) => {
    transaction.objectStore("tables").delete(table);
    transaction.objectStore("lines").delete(linesOf(table));
    return "done";
  });

/** @param {string} key @param {string | null} value */
export const remember = (key, value) =>
  transact(["kept"], "readwrite", async (transaction) => {
    const kept = transaction.objectStore("kept");
    if (value === null) kept.delete(key);
    else kept.put(value, key);
    return "done";
  });

/** Compare and swap: stores a text if the old one is unchanged, because several windows share the store.
 * @param {string} key @param {string | null} before @param {string} value */
export const exchange = (key, before, value) =>
  transact(["kept"], "readwrite", async (transaction) => {
    const kept = transaction.objectStore("kept");
    const found = /** @type {string | undefined} */ (await settled(kept.get(key))) ?? null;
    if (found !== before) return { value_changed: found };
    kept.put(value, key);
    return "done";
  });

/** @returns {Promise<Object<string, string>>} */
export const remembered = () =>
  transact(["kept"], "readonly", async (transaction) => {
    const kept = transaction.objectStore("kept");
    const [keys, values] = [await settled(kept.getAllKeys()), await settled(kept.getAll())];
    return Object.fromEntries(keys.map((key, place) => [String(key), values[place]]));
  });

/** @param {Card} card */
export const keepCard = (card) => transact(["tables"], "readwrite", async (transaction) => (transaction.objectStore("tables").put(card), "done"));
