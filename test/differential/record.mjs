#!/usr/bin/env node
// Writes down what the believed server answers to sequences of the area `apply` or `apply-versions`, for the test that
// replays them.
//   node test/differential/record.mjs --area AREA --lib DIR --left KUBECONFIG --right KUBECONFIG --seed N --count N --out FILE
// Sequences to which the server under test answers otherwise are left out, and counted.
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { brotliCompressSync, constants } from "node:zlib";
import { comparable } from "./lib/comparable.mjs";

const text = { type: "string" };
const { values: flags } = parseArgs({
  options: { area: text, lib: text, left: text, right: text, seed: text, count: text, out: text },
});
const load = (file) => import(pathToFileURL(resolve(flags.lib, file)).href);
const [{ connect }, { runCase }] = await Promise.all([load("client.mjs"), load("run-case.mjs")]);
const sides = { left: connect(flags.left), right: connect(flags.right) };
const [seed, count] = [Number(flags.seed), Number(flags.count)];
const { prepare, sequences } = await import(new URL(`areas/${flags.area}.mjs`, import.meta.url));
await prepare([sides.left, sides.right]);
const answers = {};
for (const [index, sequence] of [...sequences(seed, count)].entries()) {
  const seen = [];
  for (const step of sequence.steps.filter(({ quiet }) => !quiet)) {
    // Both sides are looked at, the believed one last.
    const both = [];
    step.view = (answer) => {
      both.push([answer.status, comparable(answer)]);
      return both.at(-1)[1];
    };
    seen.push(both);
  }
  const results = await runCase(sides, sequence);
  if (results.every(({ differences }) => differences.length === 0)) {
    answers[index] = seen.map((both) => both[1]);
  }
}
const recorded = JSON.stringify({ seed, count, answers });
const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
writeFileSync(flags.out, brotliCompressSync(recorded, { params }));
console.log(`${Object.keys(answers).length} of ${count} sequences, ${recorded.length} characters`);
for (const side of Object.values(sides)) side.close();
