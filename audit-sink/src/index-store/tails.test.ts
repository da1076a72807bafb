import assert from "node:assert/strict";
import { test } from "node:test";
import { factsOf } from "./event-fields.js";
import { Tails } from "./tails.js";

function eventOf(position: number, username: string) {
  const event = { level: "Metadata", auditID: "a", stage: "Panic", requestURI: "/", verb: "get", user: { username } };
  const json = Buffer.from(JSON.stringify(event));
  return { position, json, facts: factsOf(event, { sender: "s", receivedMs: 0 }) };
}

test("those who follow are told of a bounded number at a time, and how many were left out", () => {
  const tails = new Tails();
  tails.add(1, { fields: { user: ["alice"] } });
  tails.add(2, { fields: { user: ["nobody"] } });
  for (let n = 0; n < 700; n++) {
    tails.note(eventOf(n, n % 7 === 0 ? "bob" : "alice"));
  }
  const told = [...tails.take()];
  assert.deepEqual(
    told.map(({ id, events, skipped }) => ({ id, events: events.length, skipped })),
    [{ id: 1, events: 500, skipped: 100 }],
  );
  assert.deepEqual([...tails.take()], []);
  tails.note(eventOf(1000, "alice"));
  tails.remove(1);
  assert.deepEqual([...tails.take()], []);
});
