// A stand-in for Foundry, as its API documentation of versions 12 to 14 describes it: as much as the module's script uses. The module is
// started three times: in a new world, in the same world, and with other content. Node runs it: this file, then the module, then `check()`.
const hooks = {};
globalThis.Hooks = { once: (name, run) => (hooks[name] = run) };
const settings = new Map();
const told = [];
globalThis.ui = { notifications: { info: (text) => told.push(text), error: (text) => { throw new Error(text); } } };
const master = { isGM: true };
globalThis.game = {
  user: master,
  users: { activeGM: master },
  packs: new Map(),
  settings: {
    register: (module, key, how) => settings.set(`${module}.${key}`, how.default),
    get: (module, key) => settings.get(`${module}.${key}`),
    set: async (module, key, value) => settings.set(`${module}.${key}`, value),
  },
};
const written = [];
class Stored {
  static async createDocuments(documents, { pack, keepId }) {
    if (!keepId) throw new Error("the ids are not kept");
    for (const document of documents) {
      if (game.packs.get(pack).documents.has(document._id)) throw new Error(`${document._id} is there already`);
      game.packs.get(pack).documents.set(document._id, document);
      written.push(document.name);
    }
  }
  static async deleteDocuments(ids, { pack }) {
    for (const id of ids) if (!game.packs.get(pack).documents.delete(id)) throw new Error(`there is no ${id}`);
  }
}
globalThis.CONFIG = { Cards: { documentClass: Stored }, RollTable: { documentClass: Stored } };
class Compendium {
  static async createCompendium({ type, name, label }) {
    if (!/^[a-z0-9_-]+$/.test(name) || !label || !CONFIG[type]) throw new Error(`not a compendium: ${name}`);
    const pack = { collection: `world.${name}`, type, label, locked: true, documents: new Map() };
    pack.configure = async (changes) => Object.assign(pack, changes);
    pack.getIndex = async () => [...pack.documents.values()].map(({ _id, name, flags }) => ({ _id, name, flags }));
    game.packs.set(pack.collection, pack);
    return pack;
  }
}
// Version 12 has the class as a global, later versions have it in a namespace.
globalThis.foundry = { utils: { getRoute: (path) => `/base/${path}` } };
if (VERSION === 12) globalThis.CompendiumCollection = Compendium;
else foundry.documents = { collections: { CompendiumCollection: Compendium } };
globalThis.fetch = async (route) => {
  const text = FILES[route.replace("/base/modules/", "")];
  return { ok: text !== undefined, status: text === undefined ? 404 : 200, json: async () => JSON.parse(text) };
};

async function check() {
  const content = () => [...game.packs.values()].map(({ collection, type, documents }) => [collection, type, documents.size]);
  hooks.init();
  await hooks.ready();
  const first = content();
  const once = written.length;
  const [pack] = game.packs.values();
  pack.documents.set("ownDocument12345", { _id: "ownDocument12345", name: "Own" });
  await hooks.ready();
  if (written.length !== once) throw new Error("the second start writes again");
  // A new version of the module: what it brought is replaced, what the players made stays.
  settings.set(`${MODULE.id}.content`, "older");
  await hooks.ready();
  if (written.length !== 2 * once) throw new Error("a new version does not write");
  if (!pack.documents.has("ownDocument12345")) throw new Error("the players' own document is gone");
  // A player's browser does nothing.
  game.user = { isGM: false };
  settings.set(`${MODULE.id}.content`, "older");
  await hooks.ready();
  if (written.length !== 2 * once) throw new Error("a player's browser writes");
  console.log(JSON.stringify({ first, told }));
}
