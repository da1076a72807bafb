import assert from "node:assert/strict";
import { test } from "node:test";
import type { Benchmark } from "./benchmark.js";
import { formatNumber, formatResult, formatStall } from "./report.js";

const benchmark: Benchmark = {
  name: "get",
  what: "get an object",
  limit: "a bare server",
  unit: "requests/s",
  wanted: { atLeast: 0.6 },
  run: () => Promise.reject(new Error("not run")),
};

test("a line names figure, limit, ratio, what is wanted and whether that is met", () => {
  const line = formatResult(benchmark, { figure: 12345.6, limit: 20000, ratio: 0.617, notes: [] });
  assert.match(line, /^get +12,346 requests\/s +limit 20,000 requests\/s +ratio 0\.62 +wanted >= 0\.6 +met/);
});

test("a ratio at most is met from below only", () => {
  const slow = { ...benchmark, wanted: { atMost: 10 } };
  assert.match(formatResult(slow, { figure: 500, limit: 40, ratio: 12.5, notes: [] }), /wanted <= 10 +NOT MET/);
});

test("a benchmark that wants nothing is neither met nor not", () => {
  const { wanted: _, ...printed } = benchmark;
  assert.doesNotMatch(formatResult(printed, { figure: 500, limit: 40, ratio: 12.5, notes: [] }), /wanted|met/i);
});

test("a stall has its name, its worst time, the limit, and how the request went", () => {
  const row = { name: "a long list", worstMs: 1234.5, outcome: "200", isMet: false };
  assert.match(formatStall(row), /^stall +1,235 ms +limit 200 ms +NOT MET +a long list \(200\)$/);
});

test("numbers keep three digits below a hundred and none of the decimals above", () => {
  assert.deepEqual([1234567.8, 100, 99.94, 0.5].map(formatNumber), ["1,234,568", "100", "99.9", "0.500"]);
});
