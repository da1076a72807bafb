import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { yieldToEventLoop } from "@gatehouse/envelopes/scheduling";
import { Connection } from "./connection.js";
import { Scheduler } from "./scheduler.js";

/** A work of `pieces` pieces, each of which takes 5 ms by the clock that is given. */
async function work(
  scheduler: Scheduler,
  connection: Connection,
  order: number,
  pieces: number,
  done: (piece: number) => void,
) {
  for (let piece = 0; piece < pieces; piece++) {
    const turn = scheduler.yield(connection, order);
    if (turn !== undefined) {
      await turn;
    }
    done(piece);
  }
}

describe("Scheduler", () => {
  test("short work goes on at once; long work waits for a round of the event loop after each slice", () => {
    let now = 0;
    const scheduler = new Scheduler(() => now);
    const connection = new Connection();
    assert.equal(scheduler.yield(connection, 1), undefined);
    now += 7;
    assert.equal(scheduler.yield(connection, 1), undefined);
    now += 1;
    assert.ok(scheduler.yield(connection, 1) instanceof Promise);
  });

  test("there is one slice in a round of the event loop, whoever many work; connections take turns", async () => {
    let now = 0;
    const scheduler = new Scheduler(() => now);
    const order: string[] = [];
    const greedy = new Connection();
    const modest = new Connection();
    const slice = (name: string) => (): void => {
      now += 8;
      order.push(name);
    };
    const works = [
      work(scheduler, greedy, 1, 3, slice("greedy 1")),
      work(scheduler, greedy, 2, 3, slice("greedy 2")),
      work(scheduler, modest, 3, 3, slice("modest")),
    ];
    let rounds = 0;
    let busiestRound = 0;
    for (let before = 0; order.length < 9; before = order.length) {
      await yieldToEventLoop();
      busiestRound = Math.max(busiestRound, order.length - before);
      assert.ok(++rounds < 100);
    }
    await Promise.all(works);
    assert.ok(busiestRound <= 2, `${busiestRound} slices in a round`);
    assert.deepEqual(order, [
      "greedy 1",
      "greedy 1",
      "modest",
      "greedy 1",
      "modest",
      "greedy 2",
      "modest",
      "greedy 2",
      "greedy 2",
    ]);
  });

  test("a connection whose client does not read gets no turn until it does, and others do", async () => {
    const scheduler = new Scheduler();
    const unread = new Connection();
    const release = unread.hold(64 * 1024 * 1024);
    const done: string[] = [];
    const late = work(scheduler, unread, 1, 2, () => done.push("unread"));
    await work(scheduler, new Connection(), 2, 2, () => done.push("read"));
    for (let round = 0; round < 10; round++) {
      await yieldToEventLoop();
    }
    assert.deepEqual(done, ["read", "read"]);
    release();
    await late;
    assert.deepEqual(done, ["read", "read", "unread", "unread"]);
  });
});
