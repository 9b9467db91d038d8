// Never run: tsc checks that a program in TypeScript can use the package as the documents say.
import { Chance, InputError, load, type Odds } from "../adjutant.js";

async function example(): Promise<bigint> {
  const pack = await load("panzer8");
  const odds: Odds = pack.chart("fire").odds({ ammo: "hesa", firer: { hesa: 6 }, target: { def: 4 } });
  const chance: Chance = odds.chance("suppressed");
  const percent: number = chance.value * 100;
  const table = pack.chart("fire").vary({ "firer.hesa": [1, 2, 3] }, { ammo: "hesa", target: { def: 4 } });
  const rows: (Chance | undefined)[] = table.rows.map((row) => row.results[0]?.chance);
  const fight = pack.fight("fire-fight").odds({ ours: 2, theirs: 1 }, { maxTime: 5 });
  const end: Chance | number | undefined = fight.ends[0]?.chance;
  try {
    pack.chart("fire").roll({ ammo: "x" }, { dice: [7, 3] });
  } catch (error) {
    if (error instanceof InputError) console.log(error.inputs[0]?.accepted, percent, rows, end);
  }
  // @ts-expect-error: a chart takes no such setting
  pack.chart("rally").odds({}, { dicee: [7] });
  return chance.numerator;
}
void example;
