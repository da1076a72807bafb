import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { ByteArena, Graveyard } from "./byte-arena.js";
import { CacheEntry } from "./cache-entry.js";

function entryOf(i: number, size: number): CacheEntry {
  return CacheEntry.of(`/${i}`, i, Buffer.alloc(size, `${i},`));
}

function slabBytes(entries: Iterable<CacheEntry>): number {
  return [...new Set([...entries].map((entry) => entry.holder))].reduce((sum, holder) => sum + holder.bytes.length, 0);
}

describe("the arena of a cache", () => {
  it("keeps the bytes of every entry as they are, wherever it moves them", () => {
    const arena = new ByteArena();
    const graveyard = new Graveyard();
    const live = new Map<number, CacheEntry>();
    const dead: CacheEntry[] = [];
    for (let i = 0; i < 5000; i++) {
      const slot = (i * 7919) % 300;
      const entry = entryOf(i, 1 + ((i * 31) % 3000));
      arena.admit(entry);
      const previous = live.get(slot);
      live.set(slot, entry);
      if (previous !== undefined) {
        arena.evict(previous, graveyard);
        dead.push(previous);
      }
    }
    for (const entry of [...live.values(), ...dead]) {
      assert.ok(entry.bytes.equals(entryOf(entry.revision, entry.length).bytes));
    }
  });

  it("needs not much more memory than what lives in it, even if one entry in fifty never changes", () => {
    const arena = new ByteArena();
    const graveyard = new Graveyard();
    const live: CacheEntry[] = [];
    for (let i = 0; i < 10_000; i++) {
      live.push(entryOf(i, 1000));
      arena.admit(live[i] as CacheEntry);
    }
    for (let i = 0; i < 10_000; i++) {
      if (i % 50 !== 0) {
        arena.evict(live[i] as CacheEntry, graveyard);
      }
    }
    const rest = live.filter((_, i) => i % 50 === 0);
    assert.ok(slabBytes(rest) < 2 * 200 * 1000 + 256 * 1024, `${slabBytes(rest)} bytes for 200 entries of 1000`);
  });

  it("knows nobody who has moved out, so that no slab keeps the memory alive to which he has moved", () => {
    const arena = new ByteArena();
    const graveyard = new Graveyard();
    const live = Array.from({ length: 2000 }, (_, i) => entryOf(i, 1000));
    let hot = entryOf(0, 1000);
    arena.admit(hot);
    for (const entry of live) {
      arena.admit(entry);
    }
    for (let i = 0; i < live.length; i++) {
      // One cold object changes, and then one hot object so often that the cold one's last state is alone in its slab.
      for (let j = 0; j < 20; j++) {
        arena.evict(hot, graveyard);
        hot = entryOf(j, 1000);
        arena.admit(hot);
      }
      arena.evict(live[i] as CacheEntry, graveyard);
      live[i] = entryOf(i, 1000);
      arena.admit(live[i] as CacheEntry);
      if (i % 100 === 99) {
        const { tenants, liveBytes, heldBytes } = arena.use();
        assert.equal(tenants, live.length + 1);
        assert.equal(liveBytes, tenants * 1000);
        assert.ok(heldBytes < liveBytes / 0.7 + 3 * 256 * 1024, `${heldBytes} bytes held for ${liveBytes}`);
      }
    }
    assert.ok(live.every((entry, i) => entry.bytes.equals(entryOf(i, 1000).bytes)));
  });

  it("takes little for few entries, and lets large ones have memory of their own", () => {
    const arena = new ByteArena();
    const small = entryOf(1, 100);
    const large = entryOf(2, 100_000);
    arena.admit(small);
    arena.admit(large);
    assert.equal(small.holder.bytes.length, 4096);
    assert.equal(large.holder.bytes.length, 100_000);
    arena.evict(large, new Graveyard());
    assert.equal(large.holder.bytes.length, 100_000);
  });

  it("keeps few entries of very different sizes whole, while slabs are still small", () => {
    const size = fc.oneof(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 32_768 }));
    const step = fc.record({ admits: fc.boolean(), size, victim: fc.nat() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const arena = new ByteArena();
        const graveyard = new Graveyard();
        const all: CacheEntry[] = [];
        const live: CacheEntry[] = [];
        for (const { admits, size, victim } of steps) {
          if (admits || live.length === 0) {
            const entry = entryOf(all.length, size);
            all.push(entry);
            live.push(entry);
            arena.admit(entry);
          } else {
            const [entry] = live.splice(victim % live.length, 1);
            arena.evict(entry as CacheEntry, graveyard);
          }
        }
        for (const entry of all) {
          assert.ok(entry.bytes.equals(Buffer.alloc(entry.length, `${entry.revision},`)));
        }
      }),
      { numRuns: 300 },
    );
  });
});
