import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, it } from "node:test";
import { Throttle } from "./throttle.js";

describe("A throttle", () => {
  it("lets all bytes pass in order, and their end", async () => {
    const throttle = new Throttle(1_000_000);
    throttle.write("a");
    throttle.write("b");
    throttle.end("c");
    let text = "";
    for await (const piece of throttle) {
      text += String(piece);
    }
    assert.equal(text, "abc");
  });

  it("holds what follows back until the time for the bytes before it is over", async () => {
    const throttle = new Throttle(0.001);
    throttle.write("a");
    throttle.write("b");
    const [first] = (await once(throttle, "data")) as [Buffer];
    assert.equal(first.toString(), "a");
    throttle.once("data", () => assert.fail("the second piece came at once"));
    for (let turn = 0; turn < 100; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    throttle.destroy();
  });
});
