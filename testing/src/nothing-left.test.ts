import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { eventually } from "./eventually.js";

const kit = JSON.stringify(new URL("index.js", import.meta.url).href);

/** Builds the test file of a user, which starts a control plane, restarts it, and ends with the statements in `then`. */
function program(mode: string, then: string): string {
  return `
const { startControlPlane } = await import(${kit});
const listeners = () => process.eventNames().map((name) => [String(name), process.listenerCount(name)]);
const before = JSON.stringify(listeners());
const options = { mode: "${mode}", temporaryDirectory: process.env.TMPDIR };
const cluster = await startControlPlane(options);
const watch = { path: "/api/v1/configmaps?watch=true", signal: new AbortController().signal, timeoutMs: 600_000 };
const watching = cluster.client.request(watch).catch(() => {});
await cluster.restart();
process.stdout.write(JSON.stringify({ port: cluster.port, pid: cluster.pid, folder: cluster.folder }) + "\\n");
${then}`;
}

const stopped = `await cluster.stop();
await watching;
if (JSON.stringify(listeners()) !== before) throw new Error("listeners were left: " + JSON.stringify(listeners()));`;

interface Told {
  readonly port: number;
  readonly pid: number;
  readonly folder: string;
}

/** Time after which a process that does not end is taken to hang. */
const longestMs = 120_000;

async function runUser(mode: string, then: string, folder: string): Promise<{ child: ChildProcess; told: Told }> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", program(mode, then)], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ["ignore", "pipe", "inherit"],
    timeout: longestMs,
    killSignal: "SIGKILL",
  });
  const { value: line } = await child.stdout.setEncoding("utf8")[Symbol.asyncIterator]().next();
  assert.equal(typeof line, "string", "the process has ended before its control plane was started again");
  return { child, told: JSON.parse(line) as Told };
}

/** Resolves when a process has ended: to its exit code, or to the signal that ended it. */
async function endOf(child: ChildProcess): Promise<number | NodeJS.Signals | null> {
  if (child.exitCode === null && child.signalCode === null) {
    await once(child, "exit");
  }
  return child.exitCode ?? child.signalCode;
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Ids of the processes whose command line names the text. */
async function processesNaming(text: string): Promise<readonly string[]> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const named = await Promise.all(
    ids.map(async (id) => (await readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "")).includes(text)),
  );
  return ids.filter((_, index) => named[index]);
}

async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "nothing-left-"));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

for (const mode of ["in-process", "process"]) {
  test(`nothing left: a process that has stopped its control plane ends by itself (${mode})`, async () => {
    await inFolder(async (folder) => {
      const { child, told } = await runUser(mode, stopped, folder);
      assert.equal(await endOf(child), 0);
      assert.deepEqual(await readdir(folder), []);
      assert.equal(await isOpen(told.port), false);
      assert.deepEqual(await processesNaming(told.folder), []);
    });
  });

  test(`nothing left: a process that ends without stopping its control plane takes it with it (${mode})`, async () => {
    await inFolder(async (folder) => {
      const { child, told } = await runUser(mode, "process.exit(5);", folder);
      assert.equal(await endOf(child), 5);
      // A process that dies gives up its command line before its files and ports.
      await eventually(async () => assert.deepEqual(await processesNaming(told.folder), []));
      await eventually(async () => assert.equal(await isOpen(told.port), false));
      await eventually(async () => assert.deepEqual(await readdir(folder), []));
    });
  });

  test(`nothing left: a process that is killed takes its control plane with it (${mode})`, async () => {
    await inFolder(async (folder) => {
      const { child, told } = await runUser(mode, "", folder);
      assert.equal(await isOpen(told.port), true);
      assert.notDeepEqual(await processesNaming(told.folder), []);
      child.kill("SIGKILL");
      assert.equal(await endOf(child), "SIGKILL");
      // A process that dies gives up its command line before its files and ports.
      await eventually(async () => assert.deepEqual(await processesNaming(told.folder), []));
      await eventually(async () => assert.equal(await isOpen(told.port), false));
      await eventually(async () => assert.deepEqual(await readdir(folder), []));
    });
  });
}
