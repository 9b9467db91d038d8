import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

const folder = process.env.ADJUTANT_NPM ?? new URL("../../target/npm", import.meta.url).pathname;
const adjutant = await import(`${folder}/adjutant.js`);
const { load } = adjutant;
const shot = { ammo: "hesa", firer: { hesa: 6 }, target: { def: 4 } };
const sum = (chances) => chances.reduce((total, chance) => total + chance.value, 0);

test("odds are exact fractions that sum to one", async () => {
  const odds = (await load("panzer8")).chart("fire").odds(shot);
  const chance = odds.results[0].chance;
  assert.equal(typeof chance.numerator, "bigint");
  assert.equal(`${chance}`, odds.data.results[0].chance.exact);
  assert.ok(Math.abs(sum(odds.results.map((result) => result.chance)) - 1) < 1e-12);
  assert.equal(odds.chance(odds.results[0].id).value, chance.value);
  assert.match(odds.svg(), /^<svg/);
});

test("your own dice give the result of the sheet", async () => {
  const rally = (await load("panzer8")).chart("rally");
  assert.equal(rally.roll({}, { dice: [8] }).result, "unsuppressed");
  assert.equal(rally.roll({}, { seed: 5 }).result, rally.roll({}, { seed: 5 }).result);
  assert.ok(rally.roll().result);
});

test("tables, modifiers, series, samples, fights, cards", async () => {
  const pack = await load("panzer8");
  const fire = pack.chart("fire");
  const table = fire.vary({ "firer.hesa": [5, 6] }, shot);
  assert.deepEqual(table.rows.map((row) => row.at), [{ "firer.hesa": "5" }, { "firer.hesa": "6" }]);
  assert.equal(`${table.rows[1].results[0].chance}`, `${fire.odds(shot).results[0].chance}`);
  assert.match(table.svg(), /^<svg/);
  assert.ok(fire.modifiers(shot).changes.length > 0);
  assert.equal(fire.times(2, shot).times, 2);
  const sample = fire.sim(shot, { n: 1000, seed: 7 });
  assert.equal(sample.outcomes.reduce((all, outcome) => all + outcome.count, 0), 1000);
  const fight = pack.fight("fire-fight").odds({ ours: 1, theirs: 1, "ours.hesa": 6, "ours.def": 4, "theirs.hesa": 6, "theirs.def": 4 });
  assert.equal(fight.exact, true);
  assert.ok(Math.abs(sum([...fight.ends.map((end) => end.chance), fight.never]) - 1) < 1e-12);
  const cards = (await load("combat-leader")).draw("action", 3, { seed: 1 });
  assert.equal(cards.cards.length, 3);
});

test("every error is a class with its data", async () => {
  const pack = await load("panzer8");
  const thrown = (act) => {
    try {
      act();
    } catch (error) {
      return error;
    }
    assert.fail("nothing was thrown");
  };
  const unknown = thrown(() => pack.chart("fier"));
  assert.ok(unknown instanceof adjutant.NotFoundError && unknown instanceof adjutant.AdjutantError);
  assert.equal(unknown.inputs[0].nearest, "fire");
  const input = thrown(() => pack.chart("fire").odds({ ...shot, ammo: "x" }));
  assert.ok(input instanceof adjutant.InputError);
  assert.match(input.inputs[0].accepted, /hesa/);
  const needs = thrown(() => pack.chart("fire").roll(shot, { dice: [7] }));
  assert.ok(needs instanceof adjutant.NeedsError);
  assert.equal(needs.needs[0].wanted, "dice");
  await assert.rejects(load("[pack]\nid = 3"), (error) => error instanceof adjutant.PackError && error.faults.length > 0 && error.faults[0].line > 0);
  await assert.rejects(load("panzer"), adjutant.NotFoundError);
  assert.throws(() => pack.chart("fire").odds({ ammo: null }), TypeError);
  assert.equal((await adjutant.check("[pack]\nid = 3")).sound, false);
});

test("misuse is an error that says what is accepted", async () => {
  const pack = await load("panzer8");
  const [fire, fight] = [pack.chart("fire"), pack.fight("fire-fight")];
  for (const [act, error, text] of [
    [() => fire.sim(shot, { n: 0 }), adjutant.InputError, /n: 0 is not accepted: a whole number from 1/],
    [() => fire.sim(shot, { n: 1.5 }), adjutant.InputError, /n: 1.5 is not accepted/],
    [() => fire.sim(shot, { n: "many" }), TypeError, /n is a whole number, not string/],
    [() => fire.roll(shot, { seed: -1 }), adjutant.InputError, /seed: -1 is not accepted/],
    [() => fire.roll(shot, { dice: "73" }), TypeError, /dice is a list of faces/],
    [() => fire.roll(shot, { cards: [null] }), TypeError, /cards is a whole number, not null/],
    [() => fire.odds(shot, { sead: 7 }), TypeError, /there is no setting "sead" here: there are options, /],
    [() => fire.odds(shot, { seed: 7 }), TypeError, /there is no setting "seed" here/],
    [() => fire.odds("ammo=hesa"), TypeError, /inputs are an object/],
    [() => fire.times(0, shot), adjutant.InputError, /times: 0 is not accepted/],
    [() => fight.odds({}, { gone: [3] }), TypeError, /there is no setting "gone" here/],
    [() => fight.odds({}, { maxTime: -1 }), adjutant.InputError, /maxTime: -1 is not accepted/],
    [() => pack.draw("action", 0), adjutant.InputError, /count: 0 is not accepted/],
  ]) {
    assert.throws(act, (thrown) => thrown instanceof error && text.test(thrown.message), `${act}`);
  }
});

test("a bundler for browsers meets no module of Node", () => {
  for (const name of ["adjutant.js", "errors.js", "results.js"]) {
    assert.doesNotMatch(readFileSync(`${folder}/${name}`, "utf8"), /(?:from|import\(|require\()\s*["']node:/);
  }
});

test("a pack travels as a bundle, and is freed", async () => {
  const pack = await load("panzer8");
  const again = await load(pack.bundle());
  assert.deepEqual(again.data, pack.data);
  again.free();
  assert.throws(() => again.show(), adjutant.RequestError);
  assert.ok((await adjutant.packs()).includes("panzer8"));
});

test("the declarations name what the module exports", () => {
  const text = readFileSync(`${folder}/adjutant.d.ts`, "utf8");
  const declared = [...text.matchAll(/^export (?:class|function) (\w+)/gm)].map(([, name]) => name);
  assert.deepEqual([...new Set(declared)].sort(), Object.keys(adjutant).sort());
});

test("npm pack makes a complete package", () => {
  const [made] = JSON.parse(execFileSync("npm", ["pack", "--dry-run", "--json"], { cwd: folder, encoding: "utf8" }));
  const packed = made.files.map((file) => file.path).sort();
  assert.deepEqual(packed, readdirSync(folder).filter((name) => !name.endsWith(".tgz")).sort());
  assert.ok(packed.includes("adjutant.wasm") && packed.includes("LICENSE-MIT"));
});
