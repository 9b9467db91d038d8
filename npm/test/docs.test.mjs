// The examples of docs/libraries.md, run as they stand.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { test } from "node:test";

const folder = process.env.ADJUTANT_NPM ?? new URL("../../target/npm", import.meta.url).pathname;

test("the examples of the documents run", async () => {
  const page = readFileSync(new URL("../../docs/libraries.md", import.meta.url), "utf8");
  const blocks = [...page.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code);
  assert.equal(blocks.length, 3);
  const code = blocks.join("\n").replace('from "adjutant"', `from ${JSON.stringify(`${folder}/adjutant.js`)}`);
  const whole = `import assert from "node:assert/strict";\n${code}\nexport const done = true;`;
  const file = `${mkdtempSync(`${tmpdir()}/adjutant-`)}/example.mjs`;
  writeFileSync(file, whole);
  const { done } = await import(file);
  assert.equal(done, true);
});
