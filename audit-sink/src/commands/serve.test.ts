import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { type CommandIo, runCommands } from "@gatehouse/component-base/commands";
import { openAuditLog } from "../log/audit-log.js";
import { testFolder } from "../sink.test.support.js";
import { commands } from "./commands.js";

const folder = await testFolder();

/** Runs `gatehouse-audit serve` and collects what it prints. */
async function serve(argv: readonly string[], process: CommandIo["process"]) {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  const io = { print, printError: print, process, env: {} };
  return { code: await runCommands({ name: "gatehouse-audit", commands }, ["serve", ...argv], io), lines };
}

const noProcess = Object.assign(new EventEmitter(), {
  exit() {},
  endAtOnce() {},
  endAfter: () => ({ [Symbol.dispose]() {} }),
});

test("help tells the flags; without a configuration nothing starts", async () => {
  const help = await serve(["--help"], noProcess);
  assert.equal(help.code, 0);
  assert.match(help.lines.join("\n"), /gatehouse-audit-sink[\s\S]*--config/);
  assert.deepEqual(await serve([], noProcess), {
    code: 1,
    lines: ["gatehouse-audit: flags: --config: is required"],
  });
});

test("a configuration that cannot be used is told with all its problems", async () => {
  const file = join(folder.path, "bad.yaml");
  await writeFile(file, "apiVersion: config.gatehouse.dev/v1alpha1\nkind: AuditSinkConfiguration\nport: 1\n");
  assert.deepEqual(await serve([`--config=${file}`], noProcess), {
    code: 1,
    lines: [
      `gatehouse-audit: ${file}: 3 problems:\n  - serving: is required\n  - log: is required\n  - port: is not a member of this kind`,
    ],
  });
});

test("what a configuration names must be there: files, credentials, outputs", async () => {
  const file = join(folder.path, "sink.yaml");
  const head = `apiVersion: config.gatehouse.dev/v1alpha1\nkind: AuditSinkConfiguration\nanySender: true\nlog: {directory: ${join(folder.path, "log")}}\n`;
  const rows = [
    [
      "serving: {certFile: none.crt, keyFile: none.key, port: 0}",
      /^gatehouse-audit: audit sink: tls: .*none\.(crt|key)/,
    ],
    [
      "serving: {certFile: server.crt, keyFile: server.key, port: 0}\nreaders: [{name: a, tokenFile: none}]",
      /^gatehouse-audit: configuration: readers\[0\]\.tokenFile: ENOENT/,
    ],
    [
      "serving: {certFile: server.crt, keyFile: server.key, port: 0}\npipelines: [{name: a, output: {webhook: {kubeConfigFile: none}}}]",
      /^gatehouse-audit: kubeconfig: .*none: cannot be read \(ENOENT\)/,
    ],
  ] as const;
  for (const [text, expected] of rows) {
    await writeFile(file, head + text);
    const { code, lines } = await serve([`--config=${file}`], noProcess);
    assert.equal(code, 1);
    assert.match(lines.join("\n"), expected);
  }
});

test("a log that another process has open, or that cannot be made, is told in one line", async () => {
  const file = join(folder.path, "sink.yaml");
  const directory = join(folder.path, "taken");
  const text = (log: string): string =>
    `apiVersion: config.gatehouse.dev/v1alpha1\nkind: AuditSinkConfiguration\nanySender: true\nlog: {directory: ${log}}\nserving: {certFile: server.crt, keyFile: server.key, port: 0}`;
  await using _log = await openAuditLog({ directory, segmentBytes: 1e6 });
  await writeFile(file, text(directory));
  assert.deepEqual(await serve([`--config=${file}`], noProcess), {
    code: 1,
    lines: [`gatehouse-audit: configuration: log.directory: ${directory} is in use by another process`],
  });
  await writeFile(file, text(file));
  assert.deepEqual(await serve([`--config=${file}`], noProcess), {
    code: 1,
    lines: [`gatehouse-audit: configuration: log.directory: ${file} cannot be used (EEXIST)`],
  });
});

test("a signal ends it in order, with exit code 0", async () => {
  const file = join(folder.path, "good.yaml");
  await writeFile(
    file,
    `apiVersion: config.gatehouse.dev/v1alpha1
kind: AuditSinkConfiguration
serving: {bindAddress: 127.0.0.1, certFile: server.crt, keyFile: server.key, port: 0}
anySender: true
log: {directory: good-log}
pipelines: [{name: file, output: {file: {path: out/audit.log}}}]
`,
  );
  let exitCode: number | undefined;
  const process = Object.assign(new EventEmitter(), {
    exit(code: number) {
      exitCode = code;
    },
    endAtOnce() {
      exitCode = 137;
    },
    endAfter: () => ({ [Symbol.dispose]() {} }),
  });
  process.on("newListener", (signal) => {
    if (signal === "SIGTERM") {
      setImmediate(() => process.emit("SIGTERM"));
    }
  });
  await serve([`--config=${file}`], process);
  assert.equal(exitCode, 0);
});
