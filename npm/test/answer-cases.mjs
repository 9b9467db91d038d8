// Answers the cases that `tools/libraries` wrote, one JSON text in a line: node answer-cases.mjs CASES ROOT
import { readFileSync } from "node:fs";
const { load, readFolder } = await import(`${process.env.ADJUTANT_NPM ?? ".."}/adjutant.js`);

const [cases, root] = process.argv.slice(2);
const packs = new Map();
for (const line of readFileSync(cases, "utf8").split("\n").filter(Boolean)) {
  const { folder, tables, request } = JSON.parse(line);
  const key = JSON.stringify([folder, tables]);
  if (!packs.has(key)) packs.set(key, await load(await readFolder(`${root}/${folder}`), { tables: tables ?? undefined }));
  console.log(packs.get(key).askText(request));
}
