// Removes outputs of sources that are gone, and builds what has changed: the types and tables of the IDL, then everything in TypeScript, then the bundled programs, then the objects that every cluster has.
// Tells on standard error what takes a while. Usage: node scripts/build.mjs
import "./require-node.mjs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pruneOutputs } from "./prune-outputs.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const tsc = "node_modules/typescript/lib/tsc.js";

/** A step that takes longer is told of, and how long it took. */
const worthTellingMs = 500;

/** Steps of the build in their order; each one finds out itself that nothing has changed. */
const steps = [
  { name: "the compiler of the API definitions", argv: [tsc, "-b", "envelopes/idl-compiler"] },
  { name: "the API definitions", argv: ["envelopes/idl-compiler/dist/main.js"] },
  { name: "TypeScript", argv: [tsc, "-b"] },
  { name: "bundles", argv: ["scripts/bundle.mjs"] },
  { name: "the objects of every cluster", argv: ["scripts/write-bootstrap-objects.mjs"] },
];

async function run({ name, argv }) {
  const startedAt = performance.now();
  let isTold = false;
  const timer = setTimeout(() => {
    isTold = true;
    process.stderr.write(`building ${name} ...`);
  }, worthTellingMs);
  const child = spawn(process.execPath, argv, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  const [code, signal] = await once(child, "exit");
  clearTimeout(timer);
  const failure = code === 0 ? undefined : `failed (${signal ?? `exit code ${code}`})`;
  if (isTold) {
    process.stderr.write(` ${failure ?? "done"}, ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`);
  } else if (failure !== undefined) {
    process.stderr.write(`building ${name} ${failure}\n`);
  }
  return code ?? 1;
}

for (const workspace of JSON.parse(readFileSync(join(root, "package.json"), "utf8")).workspaces) {
  pruneOutputs(join(root, workspace));
}
for (const step of steps) {
  process.exitCode = await run(step);
  if (process.exitCode !== 0) {
    break;
  }
}
