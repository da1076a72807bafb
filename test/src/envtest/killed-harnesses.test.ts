import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { isFree } from "../support/free-port.js";
import { gatehouseScript } from "../support/programs.js";
import { until } from "../support/until.js";
import { EnvtestPair } from "./pair.js";

const count = Number(process.env["KILLED_HARNESSES"] ?? 0);
/** A folder of programs to use in place of those that are installed here, such as an archive of `npm run dist`. */
const given = process.env["ENVTEST_ASSETS"];
/** A harness is killed at most this long after its start, in milliseconds: until after both programs are ready. */
const longestLifeMs = 1500;

/** Starts both programs in groups of their own as envtest does: kube-apiserver when etcd is healthy. */
const harness = `
  const { spawn } = require("node:child_process");
  const [binaries, etcd, url, apiServer] = JSON.parse(process.argv[1]);
  const start = (name, argv) => spawn(binaries + "/" + name, argv, { detached: true, stdio: "ignore" });
  start("etcd", etcd);
  const poll = () => fetch(url + "/health").then(
    ({ status }) => (status === 200 ? start("kube-apiserver", apiServer) : setTimeout(poll, 20)),
    () => setTimeout(poll, 20),
  );
  poll();
  setInterval(() => {}, 1000);
`;

const skip =
  count === 0
    ? "npm run soak kills harnesses"
    : process.platform !== "linux" && "processes are found in /proc, which other systems lack";

it(`${count} harnesses that are killed leave no process, port or folder`, { skip }, async () => {
  const binaries = given ?? (await mkdtemp(join(tmpdir(), "gatehouse-killed-")));
  if (given === undefined) {
    await promisify(execFile)(process.execPath, [gatehouseScript, "envtest", "install", binaries]);
  }
  const random = randomFrom(Number(process.env["FUZZ_SEED"] ?? 1));
  try {
    for (let run = 1; run <= count; run++) {
      await killHarness(binaries, random() * longestLifeMs, `harness ${run}`);
    }
  } finally {
    if (given === undefined) {
      await rm(binaries, { recursive: true, force: true });
    }
  }
});

async function killHarness(binaries: string, lifeMs: number, name: string): Promise<void> {
  await using pair = await EnvtestPair.prepare(binaries);
  const { certDir, dataDir, etcdPort, securePort } = pair.place;
  const line = [binaries, pair.etcdArguments(), pair.etcdUrl, pair.apiServerArguments()];
  const child = spawn(process.execPath, ["-e", harness, JSON.stringify(line)], { stdio: "ignore" });
  const ended = once(child, "exit");
  await sleep(lifeMs);
  const started = await processesOf([certDir, dataDir], child.pid);
  child.kill("SIGKILL");
  await ended;
  await until(`${name}, killed after ${Math.round(lifeMs)} ms, leaves no process`, async () => {
    return (await processesOf([certDir, dataDir])).length === 0;
  });
  const used = started.map((text) => (text.includes("--data-dir") ? dataDir : certDir));
  for (const folder of used) {
    assert.equal(existsSync(folder), false, `${name}, killed after ${Math.round(lifeMs)} ms, leaves ${folder}`);
  }
  for (const port of [etcdPort, securePort]) {
    // A process that ends loses its command line before its port.
    await until(`${name}, killed after ${Math.round(lifeMs)} ms, leaves port ${port}`, () => isFree(port));
  }
}

/** Returns the command lines of processes in which one of the texts occurs, without that of `except`. */
async function processesOf(texts: readonly string[], except?: number): Promise<string[]> {
  const ids = (await readdir("/proc")).filter((id) => /^\d+$/.test(id) && Number(id) !== except);
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "")));
  return lines.filter((line) => texts.some((text) => line.includes(text)));
}

/** Returns a generator of numbers from 0 to 1 that depend on the seed alone. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
