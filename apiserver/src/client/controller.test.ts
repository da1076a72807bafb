import assert from "node:assert/strict";
import { test } from "node:test";
import { runController } from "./controller.js";
import { untilAborted } from "./reconcile.js";

test("a controller that fails as a whole is reported and started again, with a signal of its own", async () => {
  const stopping = new AbortController();
  const signals: AbortSignal[] = [];
  const reported: [string, unknown][] = [];
  const failure = new Error("no store");
  await runController(
    {
      name: "namespace-controller",
      async run(signal) {
        signals.push(signal);
        if (signals.length === 1) {
          throw failure;
        }
        stopping.abort();
        await untilAborted(signal);
      },
    },
    { signal: stopping.signal, onError: (name, error) => reported.push([name, error]), random: () => 0 },
  );
  assert.deepEqual(reported, [["namespace-controller", failure]]);
  assert.equal(signals.length, 2);
  assert.equal(signals[0]?.aborted, true);
});

test("a controller that fails because everything stops is not reported", async () => {
  const stopping = new AbortController();
  const reported: unknown[] = [];
  await runController(
    {
      name: "namespace-controller",
      async run() {
        stopping.abort();
        throw new Error("store closed");
      },
    },
    { signal: stopping.signal, onError: (_name, error) => reported.push(error) },
  );
  assert.deepEqual(reported, []);
});
