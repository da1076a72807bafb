import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { createCacheFixture, podsPrefix, summarizeEvent } from "./cache.test.support.js";
import type { CacheEntry } from "./cache-entry.js";
import type { CacheEvent } from "./cache-event.js";
import type { CacheWatcher } from "./cache-watcher.js";
import type { WatchInterest } from "./watch-interest.js";

const extractors = new Map([
  ["spec.text", (stored: Record<string, unknown>) => String((stored["spec"] as Record<string, unknown>)["text"])],
]);

/** Returns an interest in pods whose spec has a text. */
function inText(value: string): WatchInterest {
  return { index: "field spec.text", value, textOf: (entry) => entry.field("spec.text", extractors) };
}

function ofKey(name: string): WatchInterest {
  return { index: "key", value: podsPrefix + name, textOf: (entry) => entry.key };
}

function concerns({ textOf, value }: WatchInterest, { entry, previous }: CacheEvent): boolean {
  return [entry, previous].some((state: CacheEntry | undefined) => state !== undefined && textOf(state) === value);
}

describe("the index of a cache's watchers", () => {
  it("wakes only those whom an event concerns, before it or after it", async () => {
    await using fixture = await createCacheFixture();
    const { cache } = fixture;
    await cache.ready();
    const woken: string[] = [];
    const watch = (name: string, interest?: WatchInterest) =>
      cache.watch({ afterRevision: cache.revision, interest, onEvents: () => woken.push(name) });
    const watchers = Array.from({ length: 1000 }, (_, i) => watch(`node ${i}`, inText(`node-${i}`)));
    watchers.push(watch("key a", ofKey("a")), watch("key b", ofKey("b")), watch("all"));
    for (const watcher of watchers) {
      assert.deepEqual(watcher.next(10), []);
    }
    await fixture.put("a", "node-7");
    assert.deepEqual(woken.splice(0).sort(), ["all", "key a", "node 7"]);
    await fixture.put("a", "node-8");
    assert.deepEqual(woken.splice(0).sort(), ["all", "key a", "node 7", "node 8"]);
    await fixture.remove("a");
    assert.deepEqual(woken.splice(0).sort(), ["all", "key a", "node 8"]);
    const { revision } = cache;
    for (const watcher of watchers) {
      watcher.next(10);
      assert.equal(watcher.revision, revision, "whoever is not concerned has come as far as all others");
      watcher.close();
    }
    await fixture.put("a", "node-7");
    assert.deepEqual(woken, []);
  });

  it("lets others have their turn while many patient ones are notified, and notifies each", async () => {
    await using fixture = await createCacheFixture();
    const { cache } = fixture;
    await cache.ready();
    const told = new Set<number>();
    const watchers = Array.from({ length: 100 }, (_, index) =>
      cache.watch({
        afterRevision: cache.revision,
        isPatient: true,
        onEvents() {
          told.add(index);
          // The work for one watcher.
          for (const until = performance.now() + 1; performance.now() < until; ) {}
        },
      }),
    );
    await fixture.put("a", "x");
    let toldBefore = 0;
    await new Promise<void>((resolve) => {
      setTimeout(() => {
        toldBefore = told.size;
        resolve();
      });
    });
    assert.ok(toldBefore < watchers.length, `${toldBefore} were notified before anybody else had a turn`);
    while (told.size < watchers.length) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const watcher of watchers) {
      assert.equal(watcher.next(10).length, 1);
      watcher.close();
    }
  });

  it("loses nothing that is of interest, however late it is taken and however little the ring holds", async () => {
    const step = fc.record({
      name: fc.constantFrom("a", "b", "c"),
      text: fc.constantFrom("x", "y", "z", ""),
      takes: fc.integer({ min: 0, max: 7 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        await using fixture = await createCacheFixture({ ringLimits: { maxEvents: 4, maxBytes: 100_000 } });
        const { cache } = fixture;
        await cache.ready();
        const interests = [inText("x"), ofKey("b"), undefined];
        const taken: CacheEvent[][] = interests.map(() => []);
        let wake = (): void => {};
        const watchers: CacheWatcher[] = interests.map((interest) =>
          cache.watch({ afterRevision: cache.revision, interest, onEvents: () => wake() }),
        );
        const take = (index: number): void => {
          taken[index]?.push(...(watchers[index] as CacheWatcher).next(3));
        };
        for (const { name, text, takes } of steps) {
          if (text === "" && cache.get(podsPrefix + name) !== undefined) {
            await fixture.remove(name);
          } else {
            await fixture.put(name, text);
          }
          for (let index = 0; index < interests.length; index++) {
            if ((takes & (1 << index)) !== 0) {
              take(index);
            }
          }
        }
        const deadline = performance.now() + 60_000;
        while (watchers.some((watcher) => watcher.revision < cache.revision)) {
          assert.ok(performance.now() < deadline, "a watcher does not come to the end");
          const woken = new Promise<void>((resolve) => {
            wake = resolve;
            setTimeout(resolve, 10);
          });
          const before = taken.flat().length;
          interests.forEach((_, index) => {
            take(index);
          });
          if (taken.flat().length === before) {
            await woken;
          }
        }
        const all = taken[2] as CacheEvent[];
        for (const [index, interest] of interests.entries()) {
          const wanted = (events: readonly CacheEvent[]) =>
            events.filter((event) => interest === undefined || concerns(interest, event)).map(summarizeEvent);
          assert.deepEqual(wanted(taken[index] as CacheEvent[]), wanted(all));
        }
        assert.equal(all.length, steps.length);
        for (const watcher of watchers) {
          watcher.close();
        }
      }),
      { numRuns: 25 },
    );
  });

  for (const { many, among, expected } of [
    { many: "a few", among: 14, expected: ["hasty", "patient", "patient a", "answer"] },
    { many: "many", among: 15, expected: ["hasty", "answer", "patient", "patient a"] },
  ]) {
    it(`tells the patient ${expected.at(-1) === "answer" ? "before" : "after"} the writers when they are ${many}`, async () => {
      await using fixture = await createCacheFixture();
      const { cache } = fixture;
      await cache.ready();
      const order: string[] = [];
      const watch = (name: string, isPatient: boolean, interest?: WatchInterest) => {
        const onEvents = (): void => void (name === "" || order.push(name));
        return cache.watch({ afterRevision: cache.revision, interest, isPatient, onEvents });
      };
      const watchers = [
        watch("patient", true),
        watch("hasty", false),
        watch("patient a", true, ofKey("a")),
        ...Array.from({ length: among }, () => watch("", true)),
      ];
      for (const watcher of watchers) {
        watcher.next(1);
      }
      await fixture.put("a", "1");
      order.push("answer");
      await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(order, expected);
      for (const watcher of watchers) {
        assert.equal(watcher.next(10).length, 1);
        watcher.close();
      }
    });
  }

  it("asks those whom it cannot tell to look for themselves", async () => {
    await using fixture = await createCacheFixture();
    const { cache } = fixture;
    await cache.ready();
    let woken = 0;
    const textOf = (): never => {
      throw new Error("not to be read");
    };
    const watcher = cache.watch({
      afterRevision: cache.revision,
      interest: { index: "broken", value: "x", textOf },
      onEvents: () => {
        woken++;
      },
    });
    await fixture.put("a", "1");
    assert.equal(woken, 1);
    assert.equal(watcher.next(10).length, 1);
    assert.deepEqual(fixture.troubles, []);
    watcher.close();
  });
});
