import assert from "node:assert/strict";
import type { CpuInfo } from "node:os";
import { test } from "node:test";
import { freeCores, parseWorkers } from "./worker-count.js";

test("--workers is auto, or a number from 1 to 64", () => {
  assert.deepEqual(["auto", "1", "64"].map(parseWorkers), ["auto", 1, 64]);
  for (const text of ["", "0", "65", "-1", "2.5", "1e1", "all", " 2"]) {
    assert.equal(parseWorkers(text), undefined, text);
  }
});

/** The times of cores that have been idle for so many of 100 ms. */
function cores(...idle: number[]): () => CpuInfo[] {
  let reads = 0;
  return () => {
    const round = reads++;
    return idle.map((ms) => ({
      model: "",
      speed: 0,
      times: { user: round * (100 - ms), nice: 0, sys: 0, idle: round * ms, irq: 0 },
    }));
  };
}

test("the cores that other work leaves free are counted, at least one, and no more than the process may use", async () => {
  const free = (available: number, ...idle: number[]) => freeCores({ available, times: cores(...idle), sampleMs: 0 });
  assert.equal(await free(4, 100, 100, 100, 100), 4);
  assert.equal(await free(4, 100, 0, 90, 5), 2);
  assert.equal(await free(4, 0, 0, 0, 0), 1);
  assert.equal(await free(2, 100, 100, 100, 100), 2);
});
