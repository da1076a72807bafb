#!/usr/bin/env node
// Writes down what the believed server answers to the cases of an area in phases, for the test that replays them.
//   AUDIT_LOGS=FILE SEED=N COUNT=N REQUESTS=N node test/differential/record-phases.mjs --lib DIR --kubeconfig FILE --area NAME --out FILE
// Answers are kept by the names of cases, in the order of their steps, with the sizes by which the cases are found again.
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { brotliCompressSync, constants } from "node:zlib";
import { sizesFrom } from "./lib/expressions/phases.mjs";

const text = { type: "string" };
const { values: flags } = parseArgs({ options: { lib: text, kubeconfig: text, area: text, out: text } });
const { connect } = await import(pathToFileURL(resolve(flags.lib, "client.mjs")).href);
const { cases } = await import(new URL(`areas/${flags.area}.mjs`, import.meta.url));
const server = connect(flags.kubeconfig);
const answers = {};
let count = 0;
for await (const { name, steps } of cases()) {
  for (const { method, path, headers, body, quiet, view } of steps) {
    const answer = await server.request({
      method,
      path,
      headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!quiet) {
      answers[name] ??= [];
      answers[name].push([answer.status, view(answer)]);
      count++;
    }
  }
}
const recorded = JSON.stringify({ ...sizesFrom(process.env, {}), answers });
const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
writeFileSync(flags.out, brotliCompressSync(recorded, { params }));
console.log(`${count} answers, ${recorded.length} characters`);
server.close();
