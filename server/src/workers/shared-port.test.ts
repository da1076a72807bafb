import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { Locks } from "./locks.js";
import { type ConnectionTaker, SharedPort } from "./shared-port.js";

class Taker implements ConnectionTaker {
  readonly taken: Socket[] = [];
  connections = 0;

  hand(connection: Socket): void {
    this.taken.push(connection);
    this.connections++;
  }
}

async function untilTaken(takers: readonly Taker[], count: number): Promise<void> {
  while (takers.reduce((sum, { taken }) => sum + taken.length, 0) < count) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test("each connection goes to the worker with the fewest, and of several with as few to the next one", async () => {
  const takers = [new Taker(), new Taker(), new Taker()];
  const port = new SharedPort(
    () => takers,
    () => {},
  );
  const number = await port.open("127.0.0.1", 0);
  const clients: Socket[] = [];
  for (let count = 1; count <= 5; count++) {
    clients.push(connect(number, "127.0.0.1"));
    await untilTaken(takers, count);
  }
  assert.deepEqual(
    takers.map(({ taken }) => taken.length),
    [2, 2, 1],
  );
  (takers[0] as Taker).connections = 0;
  clients.push(connect(number, "127.0.0.1"));
  await untilTaken(takers, 6);
  assert.equal(takers[0]?.taken.length, 3);
  port.close();
  for (const socket of [...clients, ...takers.flatMap(({ taken }) => taken)]) {
    socket.destroy();
  }
});

test("connections wait while no worker serves, and are closed when the server ends", async () => {
  let takers: readonly Taker[] = [];
  const port = new SharedPort(
    () => takers,
    () => {},
  );
  const number = await port.open("127.0.0.1", 0);
  assert.equal(await port.open("127.0.0.1", 0), number, "the port is opened once");
  const early = connect(number, "127.0.0.1");
  await once(early, "connect");
  const taker = new Taker();
  const accepted = new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  await accepted;
  takers = [taker];
  port.handOver();
  await untilTaken([taker], 1);
  takers = [];
  const late = connect(number, "127.0.0.1").on("error", () => {});
  await once(late, "connect");
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  const closed = once(late, "close");
  port.close();
  await closed;
  early.destroy();
  taker.taken[0]?.destroy();
});

test("a lock has one holder at a time, in the order of asking, and outlives none of them", async () => {
  const locks = new Locks<string>();
  const held: string[] = [];
  const acquire = (holder: string): Promise<void> => locks.acquire("file", holder).then(() => void held.push(holder));
  await acquire("a");
  const waiting = [acquire("b"), acquire("c"), acquire("d")];
  await locks.acquire("other", "b");
  locks.release("file", "b");
  assert.deepEqual(held, ["a"], "only the holder gives it back");
  locks.release("file", "a");
  await waiting[0];
  locks.ended("c");
  locks.ended("b");
  await waiting[2];
  assert.deepEqual(held, ["a", "b", "d"]);
  locks.release("file", "d");
  await acquire("e");
  await locks.acquire("other", "e");
});
