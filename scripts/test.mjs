// Runs every compiled test file (`*.test.js` under a dist folder) and the tests of the scripts with node's own runner.
// Node 20 expands no globs itself. Reports by test-reporter.mjs.
// Usage: node scripts/test.mjs [WORKSPACE-OR-FOLDER ...]
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";

const { workspaces } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const roots = process.argv.length > 2 ? process.argv.slice(2) : [...workspaces, "scripts"];

/**
 * Folders whose test files share processes, many files each: workspaces whose tests start few processes, so that to load
 * them is most of what they cost, and tests of single requests, most of which share a server of their process.
 */
const foldersOfBatches = [
  ...["envelopes", "policies", "component-base", "apiserver", "custom-resources", "server"],
  ...["webhooks", "credential-plugins", "deploy", "bench", "test/dist/requests"],
];
const filesPerProcess = 16;

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

/** Properties are tried on the same values each time, so that no change fails by what chance found elsewhere. */
const propertySeed = Number(process.env.PROPERTY_SEED ?? 1129);

/** Returns a script that runs several test files one after the other; one that cannot be loaded is a failed test. */
function batchOf(files) {
  return `import { test } from "node:test";
import { configureGlobal } from ${JSON.stringify(import.meta.resolve("fast-check"))};
configureGlobal({ seed: ${propertySeed} });
for (const file of ${JSON.stringify(files.map((file) => pathToFileURL(resolve(file)).href))}) {
  await import(file).catch((error) => test(file, () => { throw error; }));
}
`;
}

/**
 * Reports whether a test file needs a process of its own. While a file waits before its first test, node may take the
 * tests before it for all, and run the hooks that clean up; and hooks outside of a suite are for all tests of a
 * process.
 */
function needsItsOwnProcess(file) {
  return /^(?:(?:(?:export )?(?:const|let) .*= )?await |(?:before|beforeEach|afterEach)\()/m.test(
    readFileSync(file, "utf8"),
  );
}

/** The files that node is to run: those of batches stand for many. */
function entriesOf(files, folder) {
  const isBatched = (file) =>
    foldersOfBatches.some((folder) => resolve(file).startsWith(resolve(folder) + sep)) && !needsItsOwnProcess(file);
  const batched = files.filter(isBatched);
  const batches = [];
  for (let start = 0; start < batched.length; start += filesPerProcess) {
    const path = join(folder, `batch-${batches.length + 1}.mjs`);
    writeFileSync(path, batchOf(batched.slice(start, start + filesPerProcess)));
    batches.push(path);
  }
  return [...files.filter((file) => !isBatched(file)), ...batches];
}

const files = roots.flatMap((root) => [...testFiles(root, /(^|\/)dist(\/|$)/.test(root))]).sort();
if (files.length === 0) {
  console.error("no test files found; run `npm run build` first");
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), "gatehouse-tests-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
// Tests wait for other processes, disks and clocks so often that two at a time leave half of two cores idle.
const concurrency = `--test-concurrency=${availableParallelism() + 1}`;
// A file that hangs is ended and told by its name: the longest takes two minutes, several times that on a machine that does much else.
const timeout = "--test-timeout=900000";
const reporter = `--test-reporter=${new URL("test-reporter.mjs", import.meta.url).href}`;
const destination = "--test-reporter-destination=stdout";
const flags = ["--enable-source-maps", "--test", concurrency, timeout, reporter, destination];
// What tests make in the folder for temporary files goes with this run, also when they are killed.
const TMPDIR = join(folder, "tmp");
mkdirSync(TMPDIR);
const env = {
  ...process.env,
  TMPDIR,
  // Tests start the API server a hundred times.
  GATEHOUSE_APISERVER: resolve("server/bundle/gatehouse-apiserver.js"),
  // Each of a thousand processes would read these authorities at its start, which takes longer than the rest of it. Those of npm do.
  NODE_EXTRA_CA_CERTS: undefined,
  REGISTRY_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS,
};
const result = spawnSync(process.execPath, [...flags, ...entriesOf(files, folder)], { stdio: "inherit", env });
process.exit(result.status ?? 1);
