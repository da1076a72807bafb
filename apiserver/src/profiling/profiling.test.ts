import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";
import { gunzipSync } from "node:zlib";
import { Profile } from "pprof-format";
import { answerProfiling, type ProfilingAnswer } from "./answer-profiling.js";
import { openDebugSocket } from "./debug-socket.js";

const hasGo = spawnSync("go", ["version"]).status === 0;

async function ask(target: string, signal = new AbortController().signal): Promise<ProfilingAnswer> {
  const { pathname, searchParams } = new URL(target, "http://localhost");
  const answer = await answerProfiling({ path: pathname, query: searchParams, signal });
  assert.ok(answer);
  return answer;
}

/** Keeps the processor busy and allocates, in a function whose name profiles show, until the work is done. */
async function whileBusy<T>(work: Promise<T>): Promise<T> {
  let isDone = false;
  const kept: string[][] = [];
  const done = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    kept.push(keepTheProcessorBusy());
    await new Promise(setImmediate);
  }
  assert.ok(kept.length > 0);
  return done;
}

function keepTheProcessorBusy(): string[] {
  return Array.from({ length: 20_000 }, (_, index) => `text ${index}`.toUpperCase());
}

function namesIn(body: Buffer): { names: string[]; sorts: string[]; profile: Profile } {
  const profile = Profile.decode(gunzipSync(body));
  const text = (index: number | bigint): string => profile.stringTable.strings[Number(index)] ?? "";
  return {
    names: profile.function.map(({ name }) => text(name)),
    sorts: profile.sampleType.map(({ type, unit }) => `${text(type)}/${text(unit)}`),
    profile,
  };
}

describe("Profiles", () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-profiles-"));
  });
  after(() => rm(folder, { recursive: true }));

  it("a CPU profile tells which functions the processor spent its time in, in pprof's format", async () => {
    const { code, body } = await whileBusy(ask("/debug/pprof/profile?seconds=0.5"));
    assert.equal(code, 200);
    const { names, sorts, profile } = namesIn(body);
    assert.deepEqual(sorts, ["samples/count", "cpu/nanoseconds"]);
    assert.ok(names.includes("keepTheProcessorBusy"), names.join());
    assert.ok(profile.sample.every(({ value }) => Number(value[0]) > 0));
    const file = join(folder, "cpu.pb.gz");
    await writeFile(file, body);
    if (hasGo) {
      const { stdout, stderr, status } = spawnSync("go", ["tool", "pprof", "-top", file], { encoding: "utf8" });
      assert.equal(status, 0, stderr);
      assert.match(stdout, /Type: cpu[\s\S]*keepTheProcessorBusy/);
    }
  });

  it("a heap profile tells which functions allocated what is in use", async () => {
    const { code, body } = await whileBusy(ask("/debug/pprof/heap?seconds=0.5"));
    assert.equal(code, 200);
    const { names, sorts } = namesIn(body);
    assert.deepEqual(sorts, ["inuse_space/bytes"]);
    assert.ok(names.length > 0);
    assert.deepEqual(namesIn((await whileBusy(ask("/debug/pprof/allocs?seconds=0.1"))).body).sorts, [
      "alloc_space/bytes",
    ]);
  });

  it("one profile is collected at a time, and one that nobody waits for is given up", async () => {
    const gone = new AbortController();
    const first = ask("/debug/pprof/profile?seconds=300", gone.signal);
    const second = await ask("/debug/pprof/heap?seconds=1");
    assert.equal(second.code, 500);
    assert.match(second.body.toString(), /another profile is being collected/);
    gone.abort();
    await assert.rejects(first);
    assert.equal((await ask("/debug/pprof/heap?seconds=0.01")).code, 200);
  });

  it("a time that is none is refused", async () => {
    for (const seconds of ["0", "-1", "x", "301", "Infinity"]) {
      assert.equal((await ask(`/debug/pprof/profile?seconds=${seconds}`)).code, 400, seconds);
    }
  });

  it("profiles of Go that V8 has nothing for are refused by name, with the reason", async () => {
    for (const name of ["goroutine", "threadcreate", "block", "mutex", "trace"]) {
      const { code, body } = await ask(`/debug/pprof/${name}`);
      assert.equal(code, 404);
      assert.match(body.toString(), new RegExp(`^The profile ${name} does not exist here: `));
    }
    assert.equal((await ask("/debug/pprof/nope")).body.toString(), "Unknown profile\n");
  });

  it("the index lists the profiles, and the command line is told", async () => {
    assert.match((await ask("/debug/pprof/")).body.toString(), /href="profile"[\s\S]*href="heap"/);
    assert.equal((await ask("/debug/pprof/cmdline")).body.toString(), process.argv.join("\0"));
    assert.equal((await ask("/debug/pprof/symbol")).code, 200);
    assert.equal((await ask("/debug/pprof")).headers["Location"], "/debug/pprof/");
  });

  it("the debug socket serves profiles to its owner alone, and takes the place of no other file", async () => {
    const socketPath = join(folder, "debug.sock");
    const get = (path: string): Promise<{ status: number | undefined; body: string }> =>
      new Promise((resolve, reject) => {
        request({ socketPath, path }, (response) => {
          buffer(response).then((body) => resolve({ status: response.statusCode, body: body.toString() }), reject);
        })
          .once("error", reject)
          .end();
      });
    {
      await using _socket = await openDebugSocket(socketPath);
      const { mode } = await stat(socketPath);
      assert.equal(mode & 0o777, 0o600);
      assert.equal((await get("/debug/pprof/")).status, 200);
      assert.equal((await get("/api/v1/namespaces")).status, 404);
    }
    await assert.rejects(stat(socketPath), { code: "ENOENT" });
    await writeFile(socketPath, "");
    await assert.rejects(openDebugSocket(socketPath), { code: "EADDRINUSE" });
  });
});
