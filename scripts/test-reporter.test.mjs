import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "gatehouse-reporter-")));
after(() => rmSync(folder, { recursive: true, force: true }));
const reporter = new URL("test-reporter.mjs", import.meta.url).href;

/** Runs a test file as `npm test` does. */
function run(name, source) {
  writeFileSync(join(folder, name), `import { describe, test } from "node:test";\n${source}`);
  const flags = ["--test", `--test-reporter=${reporter}`, "--test-reporter-destination=stdout", name];
  // This process is a test itself, of which node tells its children.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, flags, { cwd: folder, encoding: "utf8", env });
  return { status, stdout };
}

/** The expressions by which .ci/run finds totals and names of failures. */
const [totals, failures] = readFileSync(new URL("../.ci/run", import.meta.url), "utf8")
  .match(/grep -aE '[^']+'/g)
  .map((command) => new RegExp(command.slice("grep -aE '".length, -1), "gm"));

test("tests that pass are a character each, those that are skipped are told by reason, and totals come last", () => {
  const { status, stdout } = run(
    "passing.test.mjs",
    `for (let n = 0; n < 120; n++) test("t" + n, () => {});
test("no", { skip: "there is no peer" }, () => {});
describe("s", () => { test("in", () => {}); });
test("later", { todo: true }, () => { throw new Error("not yet"); });\n`,
  );
  assert.equal(status, 0);
  const [first, second, third, ...rest] = stdout.split("\n");
  assert.deepEqual([first, second, third], [".".repeat(100), `${".".repeat(20)}s.t`, "skipped 1: there is no peer"]);
  assert.deepEqual(rest.join("\n").match(totals).slice(0, 4), ["ℹ tests 123", "ℹ suites 1", "ℹ pass 121", "ℹ fail 0"]);
  assert.equal(stdout.match(failures), null);
});

test("a test that fails is named at once, and explained at the end, where its suite is not another failure", () => {
  const { status, stdout } = run(
    "failing.test.mjs",
    `import assert from "node:assert/strict";
describe("sums", () => { test("are right", () => assert.equal(1 + 1, 3)); });
test("passes", (t) => { console.log("said by a test"); t.diagnostic("17 sums"); });\n`,
  );
  assert.equal(status, 1);
  assert.match(stdout, /^said by a test$/m);
  assert.match(stdout, /^note: 17 sums$/m);
  assert.match(stdout, /^failed: sums > are right \(failing\.test\.mjs(:\d+)?\)$/m);
  assert.match(stdout, /\n✖ sums > are right \(failing\.test\.mjs(:\d+)?\)\n {2}AssertionError.*\n(.*\n)*.*2 !== 3/);
  assert.deepEqual(stdout.match(failures), ["✖ "]);
  assert.deepEqual(stdout.match(totals).slice(2, 4), ["ℹ pass 1", "ℹ fail 1"]);
});

test("a file that cannot be loaded, or ends its process, is a failure that is named", () => {
  for (const [name, source] of [
    ["broken.test.mjs", "import './not-there.mjs';"],
    ["ends.test.mjs", "process.exit(7);"],
  ]) {
    const { status, stdout } = run(name, source);
    assert.equal(status, 1);
    assert.match(stdout, new RegExp(`^✖ .*${name}`, "m"));
  }
});
