import assert from "node:assert/strict";
import { test } from "node:test";
import { absentMetrics } from "./absent-metrics.js";
import { readKnownMetrics, registeredMetrics } from "./known-metrics.js";

const known = readKnownMetrics();
const registered = registeredMetrics();

test("every metric of v1.29 is registered, or listed as absent with the reason", () => {
  const missing = [...known.keys()].filter((name) => !registered.has(name) && !(name in absentMetrics));
  assert.deepEqual(missing, []);
});

test("no metric that is listed as absent is registered", () => {
  const contradictions = Object.keys(absentMetrics).filter((name) => registered.has(name));
  assert.deepEqual(contradictions, []);
});

test("only metrics of v1.29 are listed as absent", () => {
  const strangers = Object.keys(absentMetrics).filter((name) => !known.has(name));
  assert.deepEqual(strangers, []);
});
