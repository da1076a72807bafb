import assert from "node:assert/strict";
import { test } from "node:test";
import { DecodeError } from "../../errors.js";
import { canonicalMicroTime, canonicalTime, formatTime, parseTime, zeroTimeSeconds } from "./time.js";

const times: readonly (readonly [string, string | null])[] = [
  ["2024-02-29T23:59:59Z", "2024-02-29T23:59:59Z"],
  ["2024-01-01T00:00:00.999Z", "2024-01-01T00:00:00Z"],
  ["2024-01-01T00:00:00,5Z", "2024-01-01T00:00:00Z"],
  ["2024-01-01T01:30:00+01:30", "2024-01-01T00:00:00Z"],
  ["2023-12-31T19:00:00-05:00", "2024-01-01T00:00:00Z"],
  ["1969-12-31T23:59:59Z", "1969-12-31T23:59:59Z"],
  ["0001-01-01T00:00:00Z", null],
  ["0001-01-01T00:00:01Z", "0001-01-01T00:00:01Z"],
  ["0099-06-01T00:00:00Z", "0099-06-01T00:00:00Z"],
  ["9999-12-31T00:00:00-23:59", "9999-12-31T23:59:00Z"],
  ["0000-01-01T12:00:00+12:00", "0000-01-01T00:00:00Z"],
  ["2024-01-01T1:00:00Z", "2024-01-01T01:00:00Z"],
];

for (const [text, expected] of times) {
  test(`the time ${text} is written ${expected}`, () => {
    assert.equal(canonicalTime(text), expected);
  });
}

const layout = '"2006-01-02T15:04:05Z07:00"';
const refused: readonly (readonly [string, string])[] = [
  ["", `parsing time "" as ${layout}: cannot parse "" as "2006"`],
  ["yesterday", `parsing time "yesterday" as ${layout}: cannot parse "yesterday" as "2006"`],
  ['"\\', `parsing time "\\"\\\\" as ${layout}: cannot parse "\\"\\\\" as "2006"`],
  ["é\u0007", `parsing time "\\xc3\\xa9\\x07" as ${layout}: cannot parse "\\xc3\\xa9\\x07" as "2006"`],
  ["2024-13-01T00:00:00Z", 'parsing time "2024-13-01T00:00:00Z": month out of range'],
  ["2023-02-29T00:00:00Z", 'parsing time "2023-02-29T00:00:00Z": day out of range'],
  ["2024-01-01T24:00:00Z", 'parsing time "2024-01-01T24:00:00Z": hour out of range'],
  ["2024-01-01T00:60:00Z", 'parsing time "2024-01-01T00:60:00Z": minute out of range'],
  ["2024-01-01T00:00:60Z", 'parsing time "2024-01-01T00:00:60Z": second out of range'],
  ["9999-12-31T23:59:59-00:01", 'parsing time "9999-12-31T23:59:59-00:01": year out of range'],
  ["0000-01-01T12:34:56+24:00", 'parsing time "0000-01-01T12:34:56+24:00": year out of range'],
  ["2024-01-01 00:00:00Z", `parsing time "2024-01-01 00:00:00Z" as ${layout}: cannot parse " 00:00:00Z" as "T"`],
  ["2024-01-01T00:00:00", `parsing time "2024-01-01T00:00:00" as ${layout}: cannot parse "" as "Z07:00"`],
  ["2024-01-01T00:00:00z", `parsing time "2024-01-01T00:00:00z" as ${layout}: cannot parse "z" as "Z07:00"`],
  ["2024-01-01T00:00:00Zx", 'parsing time "2024-01-01T00:00:00Zx": extra text: "x"'],
];

for (const [text, message] of refused) {
  test(`the time ${JSON.stringify(text)} is refused`, () => {
    assert.throws(() => canonicalTime(text), { name: DecodeError.name, message });
  });
}

test("a micro time has exactly six digits of fraction", () => {
  assert.equal(canonicalMicroTime("2024-01-01T00:00:00.000001Z"), "2024-01-01T00:00:00.000001Z");
  assert.equal(canonicalMicroTime("2024-01-01T01:00:00.120000+01:00"), "2024-01-01T00:00:00.120000Z");
  assert.equal(canonicalMicroTime("0001-01-01T00:00:00.000000Z"), null);
  assert.throws(() => canonicalMicroTime("2024-01-01T00:00:00Z"), {
    message: 'parsing time "2024-01-01T00:00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
  });
});

test("seconds and text are each other's inverse", () => {
  for (const seconds of [0, -1, 1_700_000_000, zeroTimeSeconds + 1]) {
    assert.equal(parseTime(formatTime(seconds) ?? "").seconds, seconds);
  }
  assert.equal(formatTime(zeroTimeSeconds), null);
  assert.throws(() => formatTime(1e18), DecodeError);
});
