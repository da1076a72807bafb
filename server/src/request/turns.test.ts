import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextRound } from "node:timers/promises";
import { Connection } from "./connection.js";
import { Turns } from "./turns.js";

/** Turns by a clock that moves only when work is done, one millisecond for each unit. */
class Workshop {
  readonly done: string[] = [];
  readonly turns = new Turns(() => this.#ms);
  #ms = 0;

  async work(name: string, units: number, connection: Connection, order = 0): Promise<void> {
    for (let unit = 0; unit < units; unit++) {
      await this.turns.next(connection, order);
      this.#ms += 1;
      this.done.push(name);
    }
  }

  /** Who worked, and how long without a break, one after the other. */
  runs(): readonly (readonly [name: string, units: number])[] {
    const runs: [string, number][] = [];
    for (const name of this.done) {
      const last = runs.at(-1);
      if (last?.[0] === name) {
        last[1]++;
      } else {
        runs.push([name, 1]);
      }
    }
    return runs;
  }
}

test("short work is done at once", () => {
  assert.equal(new Workshop().turns.next(new Connection(), 0), undefined);
});

test("long work lets the event loop go round after each slice", async () => {
  const workshop = new Workshop();
  let rounds = 0;
  let isWorking = true;
  const looping = (async () => {
    while (isWorking) {
      await nextRound();
      rounds++;
    }
  })();
  await workshop.work("a", 80, new Connection());
  isWorking = false;
  await looping;
  assert.ok(rounds >= 9, `${rounds} rounds for ten slices`);
});

test("connections take turns, however many works one of them has", async () => {
  const workshop = new Workshop();
  const greedy = new Connection();
  const modest = new Connection();
  await Promise.all([
    ...Array.from({ length: 20 }, (_, index) => workshop.work("greedy", 16, greedy, index)),
    workshop.work("modest", 16, modest),
  ]);
  const until = workshop.done.lastIndexOf("modest");
  const before = workshop.done.slice(0, until).filter((name) => name === "greedy").length;
  assert.ok(before <= 6 * 8, `modest work waited for ${before} units of the others`);
  assert.equal(workshop.done.length, 21 * 16);
});

test("of one connection the oldest work goes on first", async () => {
  const workshop = new Workshop();
  const connection = new Connection();
  await Promise.all(["a", "b", "c"].map((name, order) => workshop.work(name, 24, connection, order)));
  const ends = ["a", "b", "c"].map((name) => workshop.done.lastIndexOf(name));
  assert.deepEqual(
    ends,
    ends.toSorted((a, b) => a - b),
  );
});

test("nothing is made for a client that leaves too much unread, and others are not held up", async () => {
  const workshop = new Workshop();
  const reader = new Connection();
  const sleeper = new Connection();
  const release = sleeper.hold(1024 * 1024 * 1024);
  const sleeping = workshop.work("sleeper", 1, sleeper);
  await workshop.work("reader", 30, reader);
  assert.deepEqual(workshop.runs(), [["reader", 30]]);
  release();
  await sleeping;
  assert.deepEqual(workshop.runs().at(-1), ["sleeper", 1]);
});
