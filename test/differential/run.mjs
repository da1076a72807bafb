#!/usr/bin/env node
// Sends the cases of the areas in this folder to two API servers and tells where their answers differ.
//   node test/differential/run.mjs --lib DIR --left KUBECONFIG --right KUBECONFIG [--only AREA,...] [--out FILE] [--quiet]
// `--lib` is the folder with `client.mjs` and `run-case.mjs` of a differential that speaks to servers (or
// DIFFERENTIAL_LIB). Left is the server under test, right the one that is believed.
import { createWriteStream, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const here = new URL("areas/", import.meta.url);
const known = readdirSync(here).map((file) => file.replace(/\.mjs$/, ""));
const { values: flags } = parseArgs({
  options: {
    lib: { type: "string" },
    left: { type: "string" },
    right: { type: "string" },
    only: { type: "string" },
    match: { type: "string" },
    out: { type: "string" },
    quiet: { type: "boolean" },
  },
});
const lib = flags.lib ?? process.env.DIFFERENTIAL_LIB;
if (lib === undefined || flags.left === undefined || flags.right === undefined) {
  throw new Error("--lib, --left and --right are needed");
}
const load = (file) => import(pathToFileURL(resolve(lib, file)).href);
const [{ connect }, { runCase }] = await Promise.all([load("client.mjs"), load("run-case.mjs")]);
const sides = { left: sideOf("left"), right: sideOf("right") };
const out = flags.out && createWriteStream(flags.out);
const totals = [];
const statusMembers = new Set(["status", "body.code", "body.reason", "body.body.code", "body.body.reason"]);
for (const area of known.filter((name) => flags.only === undefined || flags.only.split(",").includes(name))) {
  const { cases, parallel = 1 } = await import(new URL(`${area}.mjs`, here));
  const total = { area, cases: 0, equal: 0, different: 0, "right rejects": 0, "of these equal": 0 };
  const queue = cases(sides.right, sides.left)[Symbol.asyncIterator]();
  await Promise.all(Array.from({ length: parallel }, () => work(queue, area, total)));
  totals.push(total);
}
console.table(totals);
out?.end();
for (const side of Object.values(sides)) side.close();

/** Returns a client of the server of a side. Its answers name the side, for views that look at more than an answer. */
function sideOf(side) {
  const client = connect(flags[side]);
  const naming = (send) => async (sent) => ({ ...(await send(sent)), side });
  return {
    ...client,
    ...Object.fromEntries(["request", "request2", "raw"].map((name) => [name, naming(client[name])])),
  };
}

async function work(queue, area, total) {
  for (let next = await queue.next(); !next.done; next = await queue.next()) {
    if (flags.match && !next.value.name.includes(flags.match)) continue;
    // What comes after a difference differs because of it.
    for (const result of await runCase(sides, next.value)) {
      report(area, result, total);
      if (result.differences.length > 0 && !isMilder(result) && !next.value.independent) break;
    }
  }
}

/**
 * Reports whether two answers differ only in status: 400 or 403 for a client's fault where v1.29 says 500 (decision
 * 0008).
 */
function isMilder({ differences }) {
  return (
    differences.every(({ path }) => statusMembers.has(path)) &&
    differences.some(({ path, left, right }) => path === "status" && (left === 400 || left === 403) && right === 500)
  );
}

function report(area, result, total) {
  const isEqual = result.differences.length === 0 || isMilder(result);
  total.cases++;
  if (result.rejected) total["right rejects"]++;
  if (result.rejected && isEqual) total["of these equal"]++;
  total[isEqual ? "equal" : "different"]++;
  if (isEqual) return;
  out?.write(`${JSON.stringify({ area, ...result })}\n`);
  if (!flags.quiet) {
    const [{ path, left, right }] = result.differences;
    const short = (value) => (JSON.stringify(value) ?? "absent").slice(0, 200);
    console.log(`${area}: ${result.name}: ${path}: ${short(left)} | ${short(right)}`);
  }
}
