import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { endWith } from "./maybe-promise.js";

describe("work that ends with something", () => {
  const ends: string[] = [];
  const end = (): void => void ends.push("end");
  const taken = (): readonly string[] => ends.splice(0);

  it("ends at once when nothing is waited for", () => {
    assert.equal(
      endWith(() => 7, end),
      7,
    );
    assert.deepEqual(taken(), ["end"]);
  });

  it("ends before the error is thrown", () => {
    const failing = (): number => {
      throw new Error("at once");
    };
    assert.throws(() => endWith(failing, end), /^Error: at once$/);
    assert.deepEqual(taken(), ["end"]);
  });

  it("ends when the promise is kept, with its value", async () => {
    const outcome = endWith(() => Promise.resolve(7), end);
    assert.deepEqual(taken(), []);
    assert.equal(await outcome, 7);
    assert.deepEqual(taken(), ["end"]);
  });

  it("ends when the promise is broken, with its error", async () => {
    await assert.rejects(async () => endWith(() => Promise.reject(new Error("later")), end), /^Error: later$/);
    assert.deepEqual(taken(), ["end"]);
  });
});
