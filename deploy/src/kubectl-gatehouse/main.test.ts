import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("main.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "gatehouse-plugin-"));
after(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const kubeconfig = file(
  "kubeconfig",
  `apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
users: [{name: u, user: {token: t}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
current-context: x
`,
);
const broken = file("broken.yaml", "kind: Pod\nmetadata: [\n");
const empty = file("empty.yaml", "---\n");

const mistakes: readonly [what: string, argv: readonly string[], message: string][] = [
  ["a command that is none", ["balme"], "there is no command balme; did you mean blame?"],
  [
    "one that is like none",
    ["explain-everything"],
    "there is no command explain-everything; kubectl gatehouse --help lists them",
  ],
  ["blame of nothing", ["blame"], "-f FILE is required; kubectl gatehouse blame --help tells more"],
  ["blame of a file that is not there", ["blame", "-f", "nowhere.yaml"], "nowhere.yaml cannot be read (ENOENT)"],
  ["blame of an empty file", ["blame", "-f", empty], `${empty} holds no object`],
  [
    "blame of half a file",
    ["blame", "-f", broken],
    `${broken} is not valid YAML: did not find expected node content at line 2`,
  ],
  ["why of nothing", ["why"], "VERB and RESOURCE are required; kubectl gatehouse why --help tells more"],
  [
    "why of too much",
    ["why", "get", "pods", "a", "b"],
    "unexpected argument: b; kubectl gatehouse why --help tells more",
  ],
];

for (const [what, argv, message] of mistakes) {
  test(`${what} is a mistake that is told in a line`, () => {
    const env = { ...process.env, KUBECONFIG: kubeconfig };
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...argv], { env, encoding: "utf8" });
    assert.deepEqual([status, stdout, stderr], [1, "", `error: ${message}\n`]);
  });
}

test("help tells how each command is called", () => {
  const { status, stdout } = spawnSync(process.execPath, [program, "help"], { encoding: "utf8" });
  assert.equal(status, 0);
  for (const usage of ["blame -f FILE", "why VERB RESOURCE", "roles --from-audit"]) {
    assert.ok(stdout.includes(`Usage: kubectl gatehouse ${usage}`), usage);
  }
});
