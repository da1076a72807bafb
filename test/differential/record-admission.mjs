#!/usr/bin/env node
// Writes down what the believed server answers to the cases of an area, for the test that replays them: for each case the
// answers to its steps, in order, without those that only prepare something. Of cases that leave nothing behind every
// third is enough for that test.
//   node test/differential/record-admission.mjs --lib DIR --server KUBECONFIG --area NAME
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { brotliCompressSync, constants } from "node:zlib";

const text = { type: "string" };
const { values: flags } = parseArgs({ options: { lib: text, server: text, area: text } });
const { connect } = await import(pathToFileURL(resolve(flags.lib, "client.mjs")).href);
const { cases } = await import(new URL(`areas/${flags.area}.mjs`, import.meta.url));
const server = connect(flags.server);
const answers = {};
let index = 0;
for await (const { name, steps } of cases()) {
  if (steps.length === 1 && steps[0].path.endsWith("?dryRun=All") && index++ % 3 !== 0) continue;
  answers[name] = [];
  for (const { method, path, headers, body, quiet, view } of steps) {
    const answer = await server.request({ method, path, headers, body: body && JSON.stringify(body) });
    if (!quiet) answers[name].push([answer.status, view(answer)]);
  }
}
const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
const file = new URL(`recorded/${flags.area}.json.br`, import.meta.url);
writeFileSync(file, brotliCompressSync(JSON.stringify(answers), { params }));
console.log(`${Object.keys(answers).length} cases`);
server.close();
