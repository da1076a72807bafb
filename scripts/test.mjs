// Runs every compiled test file (`*.test.js` under a dist folder) and the tests of the scripts with node's own runner.
// Node 20 expands no globs itself. The report is node's: TAP in a pipe, readable text on a terminal, totals at the end.
// Usage: node scripts/test.mjs [WORKSPACE-OR-FOLDER ...]
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";

const { workspaces } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const roots = process.argv.length > 2 ? process.argv.slice(2) : [...workspaces, "scripts"];

function* testFiles(path, compiled) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) {
    return;
  }
  if (!stat.isDirectory()) {
    yield path;
    return;
  }
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory() && entry.name !== "node_modules") {
      yield* testFiles(child, compiled || entry.name === "dist");
    } else if (entry.name.endsWith(".test.mjs") || (compiled && entry.name.endsWith(".test.js"))) {
      yield child;
    }
  }
}

const files = roots.flatMap((root) => [...testFiles(root, /(^|\/)dist(\/|$)/.test(root))]).sort();
if (files.length === 0) {
  console.error("no test files found; run `npm run build` first");
  process.exit(1);
}
// Node leaves a processor free; tests wait for other processes so often that two cores have room for two files.
const concurrency = `--test-concurrency=${Math.max(2, availableParallelism() - 1)}`;
const flags = ["--enable-source-maps", "--test", concurrency];
const result = spawnSync(process.execPath, [...flags, ...files], { stdio: "inherit" });
process.exit(result.status ?? 1);
