import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isEqual } from "./equality.js";
import { toJson } from "./json.js";
import { messageText } from "./message-text.js";
import { doubleValue } from "./numbers.js";
import { compareStrings } from "./order.js";
import { codePointCount } from "./size.js";
import { durationText, parseDuration, parseTimestamp, timestampText } from "./time-text.js";
import {
  BoxedDouble,
  CelMap,
  type CelValue,
  Duration,
  OpaqueValue,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
} from "./value.js";

class Amount extends OpaqueValue {
  override readonly typeName = "Amount";
  readonly #amount: number;
  constructor(amount: number) {
    super();
    this.#amount = amount;
  }
  override equals(other: OpaqueValue): boolean {
    return other instanceof Amount && other.#amount === this.#amount;
  }
}

describe("Values", () => {
  for (const [what, left, right, equal] of [
    ["an int and the double that stands for the same", 1, new BoxedDouble(1), true],
    ["an int beyond 2^53 and an equal uint", 2n ** 60n, new Uint(2n ** 60n), true],
    ["NaN and itself", Number.NaN, Number.NaN, false],
    ["a number and its text", 1, "1", false],
    ["a JSON object and a map with the same entries", { a: [1] }, new CelMap(new Map([["a", [new Uint(1n)]]])), true],
    ["objects of which one has a member that all inherit", { a: 1 }, { toString: 1 }, false],
    ["timestamps of different zones", new Timestamp(5n, 60), new Timestamp(5n), true],
    ["absent values", new Optional(undefined), new Optional(undefined), true],
    ["an absent value and null", new Optional(undefined), new Optional(null), false],
    ["opaque values that say so", new Amount(1), new Amount(1), true],
    ["opaque values that differ", new Amount(1), new Amount(2), false],
    ["bytes", new Uint8Array([1, 2]), Buffer.from([1, 2]), true],
  ] as const satisfies readonly (readonly [string, CelValue, CelValue, boolean])[]) {
    it(`are ${equal ? "equal" : "not equal"}: ${what}`, () => {
      assert.equal(isEqual(left, right), equal);
      assert.equal(isEqual(right, left), equal);
    });
  }

  it("are ordered by code points where they are texts", () => {
    assert.ok(compareStrings("\uffff", "\u{1f600}") < 0);
    assert.ok(compareStrings("a", "ab") < 0);
    assert.equal(compareStrings("a", "a"), 0);
  });

  it("have the size of their code points where they are texts, of which a lone surrogate is one", () => {
    assert.deepEqual(["", "a\u{1f600}", "\ud800\ud800\udc00", "\udc00"].map(codePointCount), [0, 2, 2, 1]);
  });

  it("become JSON", () => {
    const map = new CelMap(
      new Map<string | number, CelValue>([
        ["__proto__", 1],
        [2, new Uint(3n)],
      ]),
    );
    const json = toJson([
      map,
      doubleValue(2),
      Number.NaN,
      new Timestamp(0n),
      new Duration(1_500_000_000n),
      new TypeValue("int"),
    ]);
    assert.equal(JSON.stringify(json), '[{"2":3,"__proto__":1},2,"NaN","1970-01-01T00:00:00Z","1.5s","int"]');
    assert.deepEqual(toJson([new Optional(undefined), new Optional(1), new Uint8Array([255]), new Amount(1)]), [
      null,
      1,
      "/w==",
      "Amount",
    ]);
  });

  it("have a text in messages", () => {
    assert.equal(
      messageText([1, "a", { b: null }, 1e-7, new BoxedDouble(1e20), new Optional(1)]),
      "[1, a, {b: null}, 1e-07, 1e+20, optional(1)]",
    );
  });

  it("keep their zone where they are timestamps", () => {
    const text = "2020-02-29T23:59:59.000000001-08:30";
    assert.equal(timestampText(parseTimestamp(text) as Timestamp), text);
  });

  it("are read from the texts of durations in any unit, and refused beyond 64 bits", () => {
    const texts = ["-1h2m3.5s", "1us", "0.000000001s", "9223372036854775808ns", "1", "-9223372036854775808ns"];
    assert.deepEqual(
      texts.map((text) => parseDuration(text)?.nanoseconds),
      [-3_723_500_000_000n, 1000n, 1n, undefined, undefined, -(2n ** 63n)],
    );
    assert.equal(durationText(new Duration(1n)), "0.000000001s");
  });
});
