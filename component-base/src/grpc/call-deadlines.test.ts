import assert from "node:assert/strict";
import { test } from "node:test";
import { CallDeadlines, TimedCall } from "./call-deadlines.js";

class Call extends TimedCall {
  readonly endsAtMs: number;
  readonly #expire: () => void;

  constructor(endsAtMs: number, expire: () => void) {
    super();
    this.endsAtMs = endsAtMs;
    this.#expire = expire;
  }

  expire(): void {
    this.#expire();
  }
}

test("a call whose end is that of another one too keeps none of the rest from their deadlines", async () => {
  const deadlines = new CallDeadlines();
  const ended: string[] = [];
  const now = performance.now();
  await new Promise<void>((resolve) => {
    const second = new Call(now, () => ended.push("second"));
    deadlines.add(
      new Call(now, () => {
        ended.push("first");
        deadlines.delete(second);
      }),
    );
    deadlines.add(second);
    // Keeps the process alive, which the timer of deadlines does not.
    const wait = setTimeout(resolve, 60_000);
    deadlines.add(
      new Call(now, () => {
        ended.push("third");
        clearTimeout(wait);
        resolve();
      }),
    );
  });
  assert.deepEqual(ended, ["first", "third"]);
});
