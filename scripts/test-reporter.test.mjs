import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import report from "./test-reporter.mjs";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "gatehouse-reporter-")));
after(() => rmSync(folder, { recursive: true, force: true }));
const reporter = new URL("test-reporter.mjs", import.meta.url).href;

/** Runs a test file as `npm test` does. */
function run(name, source) {
  writeFileSync(join(folder, name), `import { describe, test } from "node:test";\n${source}`);
  const flags = ["--test", `--test-reporter=${reporter}`, "--test-reporter-destination=stdout", name];
  // This process is a test itself, of which node tells its children.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return spawnSync(process.execPath, flags, { cwd: folder, encoding: "utf8", env });
}

/** Returns what a function of .ci/run, `totals` or `failures`, finds in the output of a run. */
function foundByCi(name, stdout) {
  const file = join(folder, "output");
  writeFileSync(file, stdout);
  const source = readFileSync(new URL("../.ci/run", import.meta.url), "utf8");
  const [body] = new RegExp(`^${name}\\(\\) \\{\\n[^]*?^\\}`, "m").exec(source);
  const script = `output=$1\n${body}\n${name}`;
  return spawnSync("bash", ["-c", script, "bash", file], { encoding: "utf8" }).stdout;
}

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
  assert.match(foundByCi("totals", rest.join("\n")), /^ℹ tests 123\nℹ suites 1\nℹ pass 121\nℹ fail 0\n/);
  assert.equal(foundByCi("failures", stdout), "");
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
  const failures = foundByCi("failures", stdout);
  assert.match(failures, /^✖ sums > are right .*\n {2}AssertionError.*\n(.*\n)*.*2 !== 3/);
  assert.doesNotMatch(failures, /ℹ|17 sums|said by a test/);
  assert.match(foundByCi("totals", stdout), /\nℹ pass 1\nℹ fail 1\n/);
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

test("a file that takes too long is a failure, and the tests that still run are named", async () => {
  const file = join(process.cwd(), "hangs.test.mjs");
  const [waits, shortly, forEver] = ["waits", "shortly", "for ever"].map((name, at) => ({ name, file, line: at + 1 }));
  const error = { failureType: "testTimeoutFailure" };
  // The events of node in their order: results of tests of the file are told when those before them are.
  const events = [
    ...[{ name: file, file }, waits, shortly].map((data) => ({ type: "test:dequeue", data })),
    { type: "test:complete", data: shortly },
    { type: "test:dequeue", data: forEver },
    { type: "test:complete", data: { name: file, file } },
    { type: "test:start", data: { name: file, file, nesting: 0 } },
    { type: "test:fail", data: { name: file, file, nesting: 0, details: { error } } },
  ];
  let text = "";
  for await (const part of report(events)) {
    text += part;
  }
  const lines = text.split("\n");
  assert.equal(lines[0], `failed: ${file} (hangs.test.mjs)`);
  assert.deepEqual(
    lines.slice(1, 3).map((line) => line.replace(/\d+ s/, "N s")),
    ["running for N s: waits (hangs.test.mjs:1)", "running for N s: for ever (hangs.test.mjs:3)"],
  );
  assert.equal(lines.filter((line) => line.startsWith("running")).length, 2);
});

test("a run ends, and fails, although a process that a test has left holds the output of the test", () => {
  const { status, stdout, stderr } = run(
    "leaving.test.mjs",
    `import { spawn } from "node:child_process";
test("leaves", { timeout: 60_000 }, async () => {
  const left = spawn("sleep", ["600"], { stdio: ["ignore", "ignore", "inherit"], detached: true });
  left.unref();
  process.stdout.write("left: " + left.pid + "\\n");
});\n`,
  );
  process.kill(Number(/left: (\d+)/.exec(stdout)[1]));
  assert.equal(status, 1);
  assert.match(stderr, /^failed: a process that a test has started still runs, and holds the output of the test$/m);
  assert.match(stdout, /^ℹ pass 1$/m);
});
