// The store of this browser (IndexedDB): the lines of tables, their cards, and values by key. A promise resolves when the data is durable.

/** @typedef {{id: string, name: string, pack: string, at: string, last: number, token: string, turn: number, next: unknown, sample: boolean}} Card */

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const settled = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** @returns {Promise<IDBDatabase>} */
async function openStore() {
  if (!globalThis.indexedDB) throw new DOMException("no store", "NotSupportedError");
  const request = indexedDB.open("adjutant", 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("tables", { keyPath: "id" });
    request.result.createObjectStore("lines", { keyPath: ["table", "n"] });
    request.result.createObjectStore("kept");
  };
  const store = await settled(request);
  // The browser closes it when its data is deleted or cannot be read.
  store.onclose = () => (opened = null);
  return store;
}

/** @type {Promise<IDBDatabase> | null} */
let opened = null;
/** Opens the store, and again after a failure. */
const store = () =>
  (opened ??= openStore().catch((fault) => {
    opened = null;
    throw fault;
  }));

/** One transaction; resolves when it is durable. @template T
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
      // It has ended already.
    }
    throw fault;
  }
}

/** @param {string} table */
const linesOf = (table) => IDBKeyRange.bound([table, 0], [table, Infinity]);

/** @param {Card} card @param {number} after @param {string[]} lines */
export const appendLines = (card, after, lines) =>
  transact(["tables", "lines"], "readwrite", async (transaction) => {
    const [tables, stored] = [transaction.objectStore("tables"), transaction.objectStore("lines")];
    const known = /** @type {Card | undefined} */ (await settled(tables.get(card.id)));
    const last = known?.last ?? 0;
    if (last !== after) return { moved_on: last };
    lines.forEach((text, place) => stored.put({ table: card.id, n: after + place + 1, text }));
    tables.put({ ...card, last: after + lines.length });
    return "done";
  });

/** @param {string} table */
export const readLines = (table) =>
  transact(["lines"], "readonly", async (transaction) => {
    const all = /** @type {{text: string}[]} */ (await settled(transaction.objectStore("lines").getAll(linesOf(table))));
    return { lines: all.map((line) => line.text) };
  });

/** @returns {Promise<Card[]>} */
export const listTables = () => transact(["tables"], "readonly", (transaction) => settled(transaction.objectStore("tables").getAll()));

/** @param {string} table */
export const deleteTable = (table) =>
  transact(["tables", "lines"], "readwrite", async (transaction) => {
    transaction.objectStore("tables").delete(table);
    transaction.objectStore("lines").delete(linesOf(table));
    return "done";
  });

/** Saves values or deletes them, all or none. @param {[string, string | null][]} pairs */
export const saveValues = (pairs) =>
  transact(["kept"], "readwrite", async (transaction) => {
    const values = transaction.objectStore("kept");
    for (const [key, value] of pairs) {
      if (value === null) values.delete(key);
      else values.put(value, key);
    }
    // Does not wait for the replies, so that a reload at this moment does not cut it off.
    transaction.commit?.();
    return "done";
  });

/** Replaces a value if the known one is still stored. The windows of a browser take turns. @param {string} key @param {string | null} before @param {string} value */
export const replaceValue = (key, before, value) =>
  transact(["kept"], "readwrite", async (transaction) => {
    const values = transaction.objectStore("kept");
    const found = /** @type {string | undefined} */ (await settled(values.get(key))) ?? null;
    if (found !== before) return { value_changed: found };
    values.put(value, key);
    return "done";
  });

/** @returns {Promise<Object<string, string>>} */
export const savedValues = () =>
  transact(["kept"], "readonly", async (transaction) => {
    const values = transaction.objectStore("kept");
    const [keys, texts] = [await settled(values.getAllKeys()), await settled(values.getAll())];
    return Object.fromEntries(keys.map((key, place) => [String(key), texts[place]]));
  });

/** @param {Card} card */
export const saveCard = (card) => transact(["tables"], "readwrite", async (transaction) => (transaction.objectStore("tables").put(card), "done"));
