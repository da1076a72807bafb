import assert from "node:assert/strict";
import { test } from "node:test";
import { digestOf } from "../log/digest.js";
import type { NewBatch } from "../log/log-batch.js";
import { auditEvent, eventList } from "../sink.test.support.js";
import { DuplicateFilter } from "./duplicate-filter.js";
import { FingerprintSet, senderSalt } from "./fingerprint-set.js";
import { Intake, type IntakeResult } from "./intake.js";

const digest = (n: number): string => digestOf(Buffer.from(String(n)));

test("the last events of the window are known, by sender, and much older ones are forgotten", () => {
  const set = new FingerprintSet(10_000);
  const [a, b] = [senderSalt("a"), senderSalt("b")];
  for (let n = 0; n < 50_000; n++) {
    assert.ok(set.add(a, digest(n)), String(n));
  }
  for (let n = 40_000; n < 50_000; n++) {
    assert.ok(!set.add(a, digest(n)) && set.has(a, digest(n)) && !set.has(b, digest(n)), String(n));
  }
  assert.ok(!set.has(a, digest(20_000)));
  set.delete(a, digest(49_999));
  assert.ok(!set.has(a, digest(49_999)) && set.has(a, digest(49_998)));
  assert.ok(set.add(a, digest(49_999)) && !set.add(a, digest(49_999)));
});

/** An intake whose log writes when it is told. */
function heldIntake(recalled: Promise<void> = Promise.resolve()) {
  const appended: { readonly batch: NewBatch; done(): void; fail(): void }[] = [];
  const seen: number[] = [];
  const duplicates = new DuplicateFilter(1000);
  const intake = new Intake({
    log: {
      append: (batch) =>
        new Promise((resolve, reject) => {
          appended.push({ batch, done: () => resolve(0), fail: () => reject(new Error("disk full")) });
        }),
    },
    duplicates,
    recalled,
    sequences: { hasRoom: () => true, received: (_sender, _origin, count) => void seen.push(count) },
    maxEventBytes: 10_000,
  });
  const takeItems = (items: object[]): Promise<IntakeResult> =>
    intake.take({ sender: "a", origin: undefined, body: Buffer.from(JSON.stringify(eventList(items))) });
  const take = (...numbers: readonly number[]): Promise<IntakeResult> => takeItems(numbers.map((n) => auditEvent(n)));
  return { take, takeItems, appended, seen, duplicates };
}

test("events that cannot be kept have come all the same: their numbers are not missing", async () => {
  const { takeItems, appended, seen } = heldIntake();
  const taken = takeItems([auditEvent(1), {}, auditEvent(2)]);
  await turn();
  appended[0]?.done();
  const { kept, refused } = await taken;
  assert.deepEqual([kept, refused.map(({ index }) => index), seen], [2, [1], [3]]);
});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("an event that is just being kept is acknowledged only when it is kept", async () => {
  const { take, appended, seen } = heldIntake();
  const first = take(1, 2);
  let isSecondDone = false;
  const second = take(2, 2, 3).finally(() => {
    isSecondDone = true;
  });
  await turn();
  assert.deepEqual(
    appended.map(({ batch }) => batch.events.map(({ offset }) => offset)),
    [[0, 1], [2]],
  );
  appended[1]?.done();
  await turn();
  assert.equal(isSecondDone, false);
  appended[0]?.done();
  assert.deepEqual(await first, { kept: 2, duplicates: 0, refused: [] });
  assert.deepEqual(await second, { kept: 1, duplicates: 2, refused: [] });
  assert.deepEqual(seen, [2, 3]);
});

test("events whose keeping failed are new again, and whoever waited for them hears of it", async () => {
  const { take, appended, seen } = heldIntake();
  const first = take(1, 2);
  const second = take(2, 3);
  const third = take(2);
  await turn();
  appended[0]?.fail();
  await assert.rejects(first, new Error("disk full"));
  appended[1]?.done();
  await assert.rejects(third, new Error("disk full"));
  await assert.rejects(second, new Error("disk full"));
  assert.deepEqual(seen, []);
  const again = take(1, 2, 3);
  await turn();
  appended[2]?.done();
  assert.deepEqual(await again, { kept: 2, duplicates: 1, refused: [] });
});

test("who sends before the events of an earlier life are recalled waits, and is not taken for new", async () => {
  let recalled = (): void => undefined;
  const recalling = new Promise<void>((resolve) => {
    recalled = resolve;
  });
  const { take, appended, duplicates } = heldIntake(recalling);
  const taking = take(1, 2);
  await turn();
  assert.equal(appended.length, 0);
  duplicates.add("a", digestOf(Buffer.from(JSON.stringify(auditEvent(1)))));
  recalled();
  await turn();
  appended[0]?.done();
  assert.deepEqual(await taking, { kept: 1, duplicates: 1, refused: [] });
});
