import assert from "node:assert/strict";
import { test } from "node:test";
import { ageOf, humanDuration } from "./duration.js";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

const rows: readonly (readonly [number, string])[] = [
  [-2 * second, "<invalid>"],
  [-1.5 * second, "0s"],
  [0, "0s"],
  [119.9 * second, "119s"],
  [2 * minute, "2m"],
  [3 * minute + 20 * second, "3m20s"],
  [10 * minute + 5 * second, "10m"],
  [3 * hour - second, "179m"],
  [3 * hour, "3h"],
  [7 * hour + 59 * minute, "7h59m"],
  [8 * hour + 59 * minute, "8h"],
  [47 * hour, "47h"],
  [2 * day, "2d"],
  [7 * day + 23 * hour, "7d23h"],
  [8 * day + 23 * hour, "8d"],
  [729 * day, "729d"],
  [2 * year, "2y"],
  [3 * year + 12 * day, "3y12d"],
  [8 * year + 12 * day, "8y"],
  [292 * year, "292y"],
  [2000 * year, "292y"],
  [-2000 * year, "<invalid>"],
];

for (const [milliseconds, text] of rows) {
  test(`a duration of ${milliseconds} ms shows as ${text}`, () => {
    assert.equal(humanDuration(milliseconds), text);
  });
}

test("an age is counted from the time of the request, with fractions of seconds cut off", () => {
  const now = Date.parse("2024-03-01T00:01:00Z");
  assert.equal(ageOf("2024-03-01T00:00:00Z", { now }), "60s");
  assert.equal(ageOf("2024-03-01T00:00:00.123456Z", { now }), "59s");
});

test("the age of a time that is absent or null is unknown", () => {
  assert.equal(ageOf(undefined, { now: 0 }), "<unknown>");
  assert.equal(ageOf(null, { now: 0 }), "<unknown>");
});
