// Puts the decks and roll tables of this module into compendia of the world: at the first start, and again after a new version.
// Compendia that a module brings along are binary databases of Foundry; these are made by Foundry itself, from the files in cards/ and tables/.

Hooks.once("init", () => {
  game.settings.register(MODULE.id, "content", { scope: "world", config: false, type: String, default: "" });
});

Hooks.once("ready", async () => {
  // One browser does it: that of the first game master.
  if (game.user !== game.users.activeGM) return;
  if (game.settings.get(MODULE.id, "content") === MODULE.content) return;
  try {
    for (const compendium of MODULE.compendia) await fill(compendium);
    await game.settings.set(MODULE.id, "content", MODULE.content);
    ui.notifications.info(`${MODULE.title}: the decks and tables are in the compendia.`);
  } catch (error) {
    console.error(error);
    ui.notifications.error(`${MODULE.title}: ${error.message}`, { permanent: true });
  }
});

async function fill({ type, name, label, files }) {
  // Since version 13 the class has a place of its own.
  const collection = foundry.documents?.collections?.CompendiumCollection ?? CompendiumCollection;
  const pack = game.packs.get(`world.${name}`) ?? (await collection.createCompendium({ type, name, label }));
  if (pack.locked) await pack.configure({ locked: false });
  const documents = await Promise.all(files.map(read));
  const documentClass = CONFIG[type].documentClass;
  const place = { pack: pack.collection };
  // What an earlier version brought is replaced. Documents of the players' own stay.
  const index = await pack.getIndex({ fields: ["flags"] });
  const ours = new Set(documents.map((document) => document._id));
  const old = index.filter((entry) => ours.has(entry._id) || entry.flags?.adjutant?.pack === MODULE.pack);
  if (old.length) await documentClass.deleteDocuments(old.map((entry) => entry._id), place);
  await documentClass.createDocuments(documents, { ...place, keepId: true, keepEmbeddedIds: true });
}

async function read(file) {
  const answer = await fetch(foundry.utils.getRoute(`modules/${MODULE.id}/${file}`));
  if (!answer.ok) throw new Error(`${file} cannot be read (${answer.status}).`);
  return answer.json();
}
