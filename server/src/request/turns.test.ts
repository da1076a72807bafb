import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Pace, paceOf, Turns } from "./turns.js";

/** A clock that moves only when it is told to. */
function clock(): { now: () => number; ms: number } {
  const state = { ms: 0, now: () => state.ms };
  return state;
}

/** Works in units of one millisecond and tells of each. */
async function work(name: string, units: number, pace: Pace, time: { ms: number }, done: string[]): Promise<void> {
  for (let unit = 0; unit < units; unit++) {
    await pace();
    time.ms += 1;
    done.push(name);
  }
}

test("short work is done at once", () => {
  const time = clock();
  const pace = new Turns(time.now).begin();
  assert.equal(pace(), undefined);
  time.ms += 7;
  assert.equal(pace(), undefined);
});

test("long work lets the event loop go on after each slice", async () => {
  const time = clock();
  const done: string[] = [];
  let turnsOfLoop = 0;
  let running = true;
  const looping = (async () => {
    while (running) {
      await nextTurn();
      turnsOfLoop++;
    }
  })();
  await work("a", 80, new Turns(time.now).begin(), time, done);
  running = false;
  await looping;
  assert.ok(turnsOfLoop >= 9, `${turnsOfLoop} turns for ten slices`);
});

test("several pieces of work take turns, one slice a turn, and who comes new waits for its own", async () => {
  const time = clock();
  const turns = new Turns(time.now);
  const done: string[] = [];
  await Promise.all(["a", "b", "c"].map((name) => work(name, 16, turns.begin(), time, done)));
  const runs: [string, number][] = [];
  for (const name of done) {
    const last = runs.at(-1);
    if (last?.[0] === name) {
      last[1]++;
    } else {
      runs.push([name, 1]);
    }
  }
  assert.ok(
    runs.every(([, length]) => length <= 8),
    JSON.stringify(runs),
  );
  assert.equal(done.length, 48);
});

test("work that nobody waits for ends at its next slice", async () => {
  const time = clock();
  const client = new AbortController();
  const pace = paceOf(client, new Turns(time.now));
  await pace();
  client.abort(new Error("gone"));
  assert.equal(pace(), undefined);
  time.ms += 10;
  await assert.rejects(async () => pace(), new Error("gone"));
});
