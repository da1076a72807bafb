// Slows a process of Node.js down for simulate-cores.ts, from SIGUSR2 on: after each round of its event loop the main thread waits
// (GATEHOUSE_SLOWDOWN - 1) times as long as the round was at work. Loaded by --require.
const { performance } = require("node:perf_hooks");
const { isMainThread } = require("node:worker_threads");

const never = new Int32Array(new SharedArrayBuffer(4));
let factor = 1;
let before = performance.eventLoopUtilization();

function waitAfterRound() {
  const { active } = performance.eventLoopUtilization(before);
  if (factor > 1 && active > 0) {
    Atomics.wait(never, 0, 0, active * (factor - 1));
  }
  before = performance.eventLoopUtilization();
  // Without a reference it runs once in each round, and makes no round of its own.
  setImmediate(waitAfterRound).unref();
}

if (isMainThread) {
  process.on("SIGUSR2", () => {
    factor = Number(process.env.GATEHOUSE_SLOWDOWN ?? 1);
    before = performance.eventLoopUtilization();
  });
  waitAfterRound();
}
