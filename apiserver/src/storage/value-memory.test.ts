import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { ValueMemory } from "./value-memory.js";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Collects what nobody refers to any more, in turns of their own: a WeakRef keeps its target until the turn ends. */
async function collectGarbage(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    await setImmediate();
    collect();
  }
}

/** Lengths of values: small ones, and some that do not share a chunk. */
const lengths = Array.from({ length: 3000 }, (_, index) => (index % 100 === 99 ? 20_000 : (index * 37) % 900));

function fill(memory: ValueMemory, seed: number): Buffer[] {
  return lengths.map((length, index) => memory.allocate(length).fill((index + seed) % 251));
}

function assertFilled(values: readonly Buffer[], seed: number): void {
  assert.deepEqual(
    values.map(({ length }) => length),
    lengths,
  );
  const isWhole = (value: Buffer, index: number) => value.every((byte) => byte === (index + seed) % 251);
  assert.ok(values.every(isWhole));
}

describe("memory for values", () => {
  it("gives every value room of its own", () => {
    const memory = new ValueMemory();
    assertFilled(fill(memory, 0), 0);
  });

  it("gives the same chunks again when it is reused, with room of its own for every value", () => {
    const memory = new ValueMemory();
    fill(memory, 0);
    memory.reuse();
    const chunksOf = (values: readonly Buffer[]) =>
      new Set(values.filter(({ length }) => length > 0 && length < 16_000).map(({ buffer }) => buffer));
    const second = fill(memory, 1);
    assertFilled(second, 1);
    memory.reuse();
    const third = fill(memory, 2);
    assertFilled(third, 2);
    assert.deepEqual(chunksOf(third), chunksOf(second));
  });

  it("keeps no chunk before it is reused: some readers live as long as their store", async () => {
    const memory = new ValueMemory();
    const chunks = lengths.map((length) => new WeakRef(memory.allocate(length).buffer));
    await collectGarbage();
    const left = new Set(
      chunks.map((chunk) => chunk.deref()).filter((chunk) => chunk !== undefined && chunk.byteLength > 20_000),
    );
    assert.ok(left.size <= 1, `${left.size} chunks are left`);
  });

  it("passes over a chunk that is too small for a value when it is reused", () => {
    const memory = new ValueMemory();
    memory.reuse();
    for (let i = 0; i < 9; i++) {
      memory.allocate(10);
    }
    memory.reuse();
    const value = memory.allocate(1000).fill(1);
    const next = memory.allocate(1000).fill(2);
    assert.ok(value.every((byte) => byte === 1) && next.every((byte) => byte === 2));
  });
});
