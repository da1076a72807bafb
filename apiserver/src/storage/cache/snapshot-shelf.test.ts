import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CacheEntry } from "./cache-entry.js";
import { newEntryTree, noDamage, Snapshot } from "./snapshot.js";
import { SnapshotShelf } from "./snapshot-shelf.js";

const minuteMs = 60_000;

function entryAt(revision: number, bytes: number): CacheEntry {
  return CacheEntry.of(`/${revision}`, revision, Buffer.alloc(bytes));
}

function snapshotAt(revision: number): Snapshot {
  return new Snapshot(revision, newEntryTree(), noDamage);
}

function shelfOf(maxBytes: number) {
  const clock = { now: 0 };
  return { clock, shelf: new SnapshotShelf({ now: () => clock.now, maxBytes }) };
}

describe("the shelf of snapshots", () => {
  it("keeps a snapshot for five minutes after its last use, and at most 64 of them", () => {
    const { clock, shelf } = shelfOf(1000);
    shelf.put(snapshotAt(1));
    shelf.put(snapshotAt(2));
    clock.now = 4 * minuteMs;
    assert.equal(shelf.get(1)?.revision, 1);
    clock.now = 6 * minuteMs;
    shelf.prune();
    assert.equal(shelf.get(2), undefined);
    assert.equal(shelf.get(1)?.revision, 1);
    for (let revision = 10; revision < 74; revision++) {
      shelf.put(snapshotAt(revision));
    }
    assert.equal(shelf.size, 64);
    assert.equal(shelf.get(1), undefined);
  });

  it("counts the bytes of replaced objects that a snapshot still has, and only those", () => {
    const { shelf } = shelfOf(1000);
    assert.equal(shelf.replaced(entryAt(1, 100)), false, "there is no snapshot");
    shelf.put(snapshotAt(5));
    assert.equal(shelf.replaced(entryAt(5, 100)), true);
    assert.equal(shelf.replaced(entryAt(6, 100)), false, "the object is newer than the snapshot");
    assert.equal(shelf.keptBytes, 100);
    shelf.put(snapshotAt(7), 30);
    assert.equal(shelf.replaced(entryAt(6, 100)), true);
    assert.equal(shelf.keptBytes, 230);
    shelf.clear();
    assert.equal(shelf.keptBytes, 0);
    assert.equal(shelf.replaced(entryAt(3, 100)), false);
  });

  it("lets the oldest snapshots go when what they keep is too much, but not the last one", () => {
    const { shelf } = shelfOf(1000);
    shelf.put(snapshotAt(10));
    shelf.replaced(entryAt(1, 600));
    shelf.put(snapshotAt(20));
    shelf.get(10);
    shelf.replaced(entryAt(2, 600));
    assert.equal(shelf.get(10), undefined, "it was taken first, though used last");
    assert.equal(shelf.keptBytes, 600);
    shelf.replaced(entryAt(3, 5000));
    assert.equal(shelf.get(20)?.revision, 20);
    shelf.put(snapshotAt(30));
    assert.equal(shelf.get(20), undefined);
    assert.equal(shelf.keptBytes, 0);
  });
});
