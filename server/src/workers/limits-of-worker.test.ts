import assert from "node:assert/strict";
import { test } from "node:test";
import { limitsOfWorker } from "./limits-of-worker.js";

const limits = { fairness: true, maxReadOnly: 400, maxMutating: 200 };

test("each worker has its part of the limits, rounded up", () => {
  assert.deepEqual(limitsOfWorker(limits), limits);
  assert.deepEqual(limitsOfWorker(limits, 3), { fairness: true, maxReadOnly: 134, maxMutating: 67 });
  assert.deepEqual(limitsOfWorker({ ...limits, maxMutating: 1 }, 4), {
    fairness: true,
    maxReadOnly: 100,
    maxMutating: 1,
  });
});

test("no limit stays none", () => {
  assert.equal(limitsOfWorker({ ...limits, maxReadOnly: 0 }, 4).maxReadOnly, 0);
});
