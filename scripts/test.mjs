// Runs every compiled test file (`*.test.js` under a dist folder) with node's own runner. Node 20 expands no globs itself.
// Usage: node scripts/test.mjs [WORKSPACE-OR-FOLDER ...]
import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const workspaces = ["envelopes", "component-base", "policies", "server", "deploy", "test"];
const roots = process.argv.length > 2 ? process.argv.slice(2) : workspaces.map((name) => join(name, "dist"));

function* testFiles(path) {
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
    if (entry.isDirectory()) {
      yield* testFiles(child);
    } else if (entry.name.endsWith(".test.js")) {
      yield child;
    }
  }
}

const files = roots.flatMap((root) => [...testFiles(root)]).sort();
if (files.length === 0) {
  console.error("no test files found; run `npm run build` first");
  process.exit(1);
}
const result = spawnSync(process.execPath, ["--enable-source-maps", "--test", ...files], { stdio: "inherit" });
process.exit(result.status ?? 1);
