import assert from "node:assert/strict";
import { test } from "node:test";
import { LogLines } from "./log-lines.js";

async function collect(lines: AsyncIterable<string>): Promise<string[]> {
  const collected: string[] = [];
  for await (const line of lines) {
    collected.push(line);
  }
  return collected;
}

test("log lines: output that comes in pieces becomes lines", () => {
  const logs = new LogLines();
  logs.write("one\ntw");
  assert.deepEqual(logs.lines(), ["one"]);
  assert.equal(logs.text(), "one\ntw");
  logs.write("o\n\n");
  assert.deepEqual(logs.lines(), ["one", "two", ""]);
});

test("log lines: the oldest are dropped beyond the bound, and counted", () => {
  const logs = new LogLines(100);
  for (let i = 0; i < 1000; i++) {
    logs.write(`line ${i}\n`);
  }
  const kept = logs.lines();
  assert.ok(logs.text().length <= 100);
  assert.equal(kept.length + logs.dropped, 1000);
  assert.equal(kept.at(-1), "line 999");
});

test("log lines: a line longer than the bound is cut while it is incomplete", () => {
  const logs = new LogLines(100);
  for (let i = 0; i < 100; i++) {
    logs.write("0123456789");
  }
  assert.equal(logs.text().length, 100);
});

test("log lines: a reader gets what is kept and what is added, until the log is closed", async () => {
  const logs = new LogLines();
  logs.write("before\n");
  const read = collect(logs.follow());
  logs.write("after\nlast");
  logs.close();
  assert.deepEqual(await read, ["before", "after", "last"]);
});

test("log lines: a reader ends when its signal aborts", async () => {
  const logs = new LogLines();
  const stop = new AbortController();
  const read = collect(logs.follow(stop.signal));
  stop.abort();
  assert.deepEqual(await read, []);
});

test("log lines: a reader that falls behind goes on with the oldest line that is kept", async () => {
  const logs = new LogLines(20);
  const reader = logs.follow()[Symbol.asyncIterator]();
  logs.write("first\n");
  assert.equal((await reader.next()).value, "first");
  logs.write("second\nthird---------\nfourth--------\n");
  assert.equal((await reader.next()).value, "fourth--------");
  assert.equal(logs.dropped, 3);
});
