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
  [
    "blame of a file that is not there",
    ["blame", "-f", "nowhere.yaml"],
    "ENOENT: no such file or directory, open 'nowhere.yaml'",
  ],
  ["blame of an empty file", ["blame", "-f", empty], `${empty} holds no object`],
  [
    "blame of half a file",
    ["blame", "-f", broken],
    `${broken} is not valid YAML: did not find expected node content at line 2`,
  ],
  [
    "why of nothing",
    ["why"],
    "arguments: 2 problems:\n  - VERB: is required\n  - RESOURCE[.GROUP][/SUBRESOURCE]|/PATH: is required",
  ],
  ["why of too much", ["why", "get", "pods", "a", "b"], 'arguments: unexpected argument: "b"'],
];

for (const [what, argv, message] of mistakes) {
  test(`${what} is a mistake that is told in a line`, () => {
    const env = { ...process.env, KUBECONFIG: kubeconfig };
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...argv], { env, encoding: "utf8" });
    assert.deepEqual([status, stdout, stderr], [1, "", `kubectl gatehouse: ${message}\n`]);
  });
}

for (const [command, usage] of [
  ["blame", "blame -f FILE"],
  ["why", "why VERB RESOURCE"],
  ["roles", "roles --from-audit FILE"],
] as const) {
  test(`help names the command ${command}, which tells how it is called`, () => {
    const run = (...argv: string[]) => spawnSync(process.execPath, [program, ...argv], { encoding: "utf8" });
    const { status, stdout } = run("help");
    assert.equal(status, 0);
    assert.ok(stdout.includes(`\n  ${command} `), stdout);
    assert.ok(run(command, "--help").stdout.includes(`kubectl gatehouse ${usage}`));
  });
}
