import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DecodeError } from "../codec/decode-error.js";
import { canonicalDuration, formatDuration, formatMilliseconds, parseDuration, parseMilliseconds } from "./duration.js";

const durations: readonly (readonly [string, string])[] = [
  ["0", "0s"],
  ["0s", "0s"],
  ["1s", "1s"],
  ["90s", "1m30s"],
  ["1h", "1h0m0s"],
  ["1h2m3.5s", "1h2m3.5s"],
  ["-1.5h", "-1h30m0s"],
  ["+5s", "5s"],
  [".5s", "500ms"],
  ["1.s", "1s"],
  ["100ms", "100ms"],
  ["1500us", "1.5ms"],
  ["1500µs", "1.5ms"],
  ["1500μs", "1.5ms"],
  ["1ns", "1ns"],
  ["1us1ns", "1.001µs"],
  ["2562047h47m16.854775807s", "2562047h47m16.854775807s"],
  ["-9223372036854775808ns", "-2562047h47m16.854775808s"],
];

for (const [text, expected] of durations) {
  test(`the duration ${text} is written ${expected}`, () => {
    assert.equal(canonicalDuration(text), expected);
    assert.equal(formatDuration(parseDuration(expected)), expected);
  });
}

const refused: readonly (readonly [string, string])[] = [
  ["", 'time: invalid duration ""'],
  ["-", 'time: invalid duration "-"'],
  ["s", 'time: invalid duration "s"'],
  [".s", 'time: invalid duration ".s"'],
  ["3", 'time: missing unit in duration "3"'],
  ["1d", 'time: unknown unit "d" in duration "1d"'],
  ["1toString", 'time: unknown unit "toString" in duration "1toString"'],
  ["9223372036854775808ns", 'time: invalid duration "9223372036854775808ns"'],
  ["2562048h", 'time: invalid duration "2562048h"'],
];

for (const [text, message] of refused) {
  test(`the duration ${JSON.stringify(text)} is refused`, () => {
    assert.throws(() => parseDuration(text), { name: DecodeError.name, message });
  });
}

test("durations follow Go's text form", () => {
  const rows: [string, number | undefined][] = [
    ["0", 0],
    ["5s", 5000],
    ["1h2m3.5s", 3_723_500],
    ["-1.5h", -5_400_000],
    ["+300ms", 300],
    [".5s", 500],
    ["1us", 0.001],
    ["1µs", 0.001],
    ["2.3s", 2300],
    ["", undefined],
    ["5", undefined],
    ["s", undefined],
    ["1.2.3s", undefined],
    ["1d", undefined],
    ["1h ", undefined],
    ["9999999999h", undefined],
  ];
  for (const [text, expected] of rows) {
    assert.equal(parseMilliseconds(text), expected, text);
  }
});

test("a duration that is printed reads back as itself", () => {
  assert.deepEqual([0, 1, 1500, 60_000, 3_600_000, -90_500, 0.25].map(formatMilliseconds), [
    "0s",
    "1ms",
    "1.5s",
    "1m0s",
    "1h0m0s",
    "-1m30.5s",
    "250µs",
  ]);
  fc.assert(
    fc.property(fc.integer({ min: -1e12, max: 1e12 }), (milliseconds) => {
      assert.equal(parseMilliseconds(formatMilliseconds(milliseconds)), milliseconds);
    }),
  );
});
