import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createSupervisor } from "./supervisor.js";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-supervisor-"));
after(() => rmSync(folder, { recursive: true }));

function script(name: string, text: string) {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, text);
  return { name, script: path, flags: [], logFile: join(folder, `${name}.log`), env: {} };
}

test("a process that keeps ending is started again ever more slowly, then given up", async () => {
  const delays: number[] = [];
  const ending = await new Promise<string>((resolve) => {
    const supervisor = createSupervisor(
      script("dying", "process.exit(4);"),
      {
        restarting: (_, delayMs) => delays.push(delayMs),
        gaveUp: resolve,
      },
      { firstMs: 1, maxMs: 3, healthyAfterMs: 60_000, maxFailures: 4 },
    );
    void supervisor.start(async () => {});
  });
  assert.equal(ending, "ended with code 4");
  assert.deepEqual(delays, [1, 2, 3, 3]);
});

test("a process whose log cannot be opened any more is started again ever more slowly, then given up", async () => {
  const logs = join(folder, "logs");
  mkdirSync(logs);
  const supervised = {
    ...script("vandal", `import { rmSync } from "node:fs"; rmSync(${JSON.stringify(logs)}, { recursive: true });`),
    logFile: join(logs, "vandal.log"),
  };
  const endings: string[] = [];
  const last = await new Promise<string>((resolve) => {
    const supervisor = createSupervisor(
      supervised,
      { restarting: (ending) => endings.push(ending), gaveUp: resolve },
      { firstMs: 1, maxMs: 3, healthyAfterMs: 60_000, maxFailures: 3 },
    );
    void supervisor.start(async () => {});
  });
  assert.equal(endings[0], "ended with code 0");
  assert.match(endings[1] ?? "", /^could not be started: ENOENT/);
  assert.match(last, /^could not be started: ENOENT/);
});

test("a process that does not end when asked is forced at the deadline", async () => {
  const silence = { restarting: () => assert.fail(), gaveUp: () => assert.fail() };
  const stubborn = script(
    "stubborn",
    'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log("ready");',
  );
  const supervisor = createSupervisor(stubborn, silence);
  await supervisor.start(async () => {
    for (const end = performance.now() + 60_000; !readFileSync(stubborn.logFile, "utf8").includes("ready"); ) {
      assert.ok(performance.now() < end, "it does not start");
      await sleep(5);
    }
  });
  assert.ok(supervisor.pid);
  await supervisor.stop(AbortSignal.timeout(50));
  assert.equal(supervisor.pid, undefined);
});

test("stopping what waits for its next start starts it no more", async () => {
  const events: string[] = [];
  await new Promise<void>((resolve) => {
    const supervisor = createSupervisor(
      script("waiting", "process.exit(1);"),
      {
        restarting() {
          events.push("restarting");
          resolve(supervisor.stop(AbortSignal.timeout(1000)));
        },
        gaveUp: () => events.push("gave up"),
      },
      { firstMs: 5, maxMs: 5, healthyAfterMs: 1, maxFailures: 2 },
    );
    void supervisor.start(async () => {});
  });
  assert.deepEqual(events, ["restarting"]);
});
