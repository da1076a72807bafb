import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mock, test } from "node:test";
import { inNextRound } from "@gatehouse/component-base/time";
import { Environment } from "./environment.js";
import { RevisionSignal } from "./revision-signal.js";
import { openTables } from "./tables.js";

const never = { maxResidentBytes: Number.POSITIVE_INFINITY, checkIntervalMs: 3_600_000 };

test("the revision is read once for the requests of one round, and anew for each other question", async () => {
  const path = await mkdtemp(join(tmpdir(), "gatehouse-revision-signal-"));
  const environment = await Environment.open(path, never, openTables);
  const signal = new RevisionSignal(environment, 1000);
  const reads = mock.method(environment.tables.root, "resetReadTxn").mock;
  const readsOf = async (ask: () => void): Promise<number> => {
    const before = reads.callCount();
    ask();
    await new Promise((resolve) => setImmediate(resolve));
    return reads.callCount() - before;
  };
  const revisions: (number | undefined)[] = [];
  const look = (): void => void revisions.push(signal.check());
  try {
    const inRound = (): void => {
      inNextRound(look);
      inNextRound(look);
      inNextRound(look);
    };
    assert.equal(await readsOf(inRound), 1);
    assert.equal(await readsOf(inRound), 1);
    assert.equal(await readsOf(look), 1);
    assert.equal(await readsOf(look), 1);
    assert.deepEqual(new Set(revisions), new Set([1]));
  } finally {
    signal[Symbol.dispose]();
    await environment.close();
    await rm(path, { recursive: true });
  }
});
