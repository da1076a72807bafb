#!/usr/bin/env node
// Writes down what the believed server answers to the sequences of an area, for the test that replays them.
//   node test/differential/record-area.mjs --lib DIR --kubeconfig FILE --area NAME --out FILE
// The area exports `sequences` and `comparable`. Answers are kept by the names of sequences, in the order of their steps.
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { brotliCompressSync, constants } from "node:zlib";

const text = { type: "string" };
const { values: flags } = parseArgs({ options: { lib: text, kubeconfig: text, area: text, out: text } });
const { connect } = await import(pathToFileURL(resolve(flags.lib, "client.mjs")).href);
const { comparable, sequences } = await import(new URL(`areas/${flags.area}.mjs`, import.meta.url));
const server = connect(flags.kubeconfig);
const answers = {};
let count = 0;
for (const { name, steps } of sequences()) {
  answers[name] = [];
  for (const { method, path, headers, body, quiet, as, view = comparable } of steps) {
    const sent = typeof body === "function" ? body() : body;
    const answer = await server.request({
      method,
      path,
      headers,
      as,
      body: sent === undefined || Buffer.isBuffer(sent) ? sent : JSON.stringify(sent),
    });
    if (!quiet) {
      answers[name].push([answer.status, view({ ...answer, side: "right" })]);
      count++;
    }
  }
}
const recorded = JSON.stringify(answers);
const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
writeFileSync(flags.out, brotliCompressSync(recorded, { params }));
console.log(`${count} answers, ${recorded.length} characters`);
server.close();
