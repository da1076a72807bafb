import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { CacheEntry } from "./cache-entry.js";
import { CacheEvent } from "./cache-event.js";
import { EventRing } from "./event-ring.js";

function eventAt(revision: number, bytes = 10): CacheEvent {
  return new CacheEvent("ADDED", revision, CacheEntry.of(`/${revision}`, revision, Buffer.alloc(bytes)), undefined);
}

describe("the ring of recent events", () => {
  it("is a window on the newest events, bounded by their number and their bytes", () => {
    const limits = fc.record({
      maxEvents: fc.integer({ min: 1, max: 70 }),
      maxBytes: fc.integer({ min: 1, max: 2000 }),
    });
    const pushes = fc.array(
      fc.record({ step: fc.integer({ min: 1, max: 3 }), bytes: fc.integer({ min: 0, max: 60 }) }),
      {
        maxLength: 200,
      },
    );
    fc.assert(
      fc.property(limits, pushes, (bounds, steps) => {
        const ring = new EventRing(bounds, 100);
        const all: CacheEvent[] = [];
        for (const { step, bytes } of steps) {
          all.push(eventAt((all.at(-1)?.revision ?? 100) + step, bytes));
          ring.push(all.at(-1) as CacheEvent);
        }
        assert.equal(ring.end, all.length);
        const kept: CacheEvent[] = [];
        for (let i = all.length - 1, bytes = 0; i >= 0 && kept.length < bounds.maxEvents; i--) {
          const event = all[i] as CacheEvent;
          bytes += event.entry.length;
          if (bytes > bounds.maxBytes && kept.length > 0) {
            break;
          }
          kept.unshift(event);
        }
        const oldest = all[all.length - kept.length - 1]?.revision ?? 100;
        for (let revision = 98; revision <= (all.at(-1)?.revision ?? 100) + 2; revision++) {
          const position = ring.positionAfter(revision);
          if (revision < oldest) {
            assert.equal(position, undefined);
          } else {
            assert.ok(position !== undefined);
            assert.deepEqual(
              ring.from(position, 1000),
              kept.filter((event) => event.revision > revision),
            );
          }
        }
        if (all.length > kept.length) {
          assert.equal(ring.from(all.length - kept.length - 1, 1), undefined);
        }
      }),
    );
  });

  it("lets nobody begin before a gap but lets those go on who had come so far", () => {
    const ring = new EventRing({ maxEvents: 10, maxBytes: 1000 }, 1);
    ring.push(eventAt(2));
    const position = ring.end;
    ring.push(eventAt(9));
    ring.startAt(10);
    assert.deepEqual(
      ring.from(position, 10)?.map((event) => event.revision),
      [9],
    );
    assert.equal(ring.positionAfter(9), undefined);
    assert.equal(ring.positionAfter(10), 2);
    assert.equal(ring.newestFirst(5), undefined);
  });

  it("forgets what has been encoded of events that are no longer fresh", () => {
    const ring = new EventRing({ maxEvents: 2000, maxBytes: 1e6 }, 0);
    const first = eventAt(1);
    ring.push(first);
    first.frames.set("json", Buffer.from("{}"));
    for (let i = 2; i < 1000; i++) {
      ring.push(eventAt(i));
    }
    assert.equal(first.frames.size, 0);
  });

  it("hands out all changes of a revision at once", () => {
    const ring = new EventRing({ maxEvents: 100, maxBytes: 10_000 }, 1);
    const events = [2, 3, 3, 3, 4].map((revision) => eventAt(revision));
    for (const event of events) {
      ring.push(event);
    }
    assert.deepEqual(ring.from(0, 2), events.slice(0, 4));
    assert.deepEqual(ring.from(4, 2), events.slice(4));
  });
});
