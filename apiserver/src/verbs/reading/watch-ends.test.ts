import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { WatchEnds } from "./watch-ends.js";

function watches(count: number): { readonly ends: WatchEnds; readonly ended: number[] } {
  const ends = new WatchEnds();
  const ended: number[] = [];
  for (let number = 0; number < count; number++) {
    ends.add(() => ended.push(number));
  }
  return { ends, ended };
}

describe("The watches of a server that stops", () => {
  it("all end at once without a grace period", () => {
    const { ends, ended } = watches(1000);
    void ends.endAll(0);
    assert.equal(ended.length, 1000);
  });

  it("end one after the other with one, at 200 a second at least", async () => {
    const { ends, ended } = watches(5);
    const done = ends.endAll(60_000);
    assert.deepEqual(ended, [0, 1]);
    await done;
    assert.deepEqual(ended, [0, 1, 2, 3, 4]);
  });

  it("are not ended when they have ended before", async () => {
    const ends = new WatchEnds();
    const forget = ends.add(() => assert.fail());
    forget();
    await ends.endAll(0);
  });
});
