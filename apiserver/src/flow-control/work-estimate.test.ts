import assert from "node:assert/strict";
import { test } from "node:test";
import { resolveRequestInfo } from "../request/request-info.js";
import { RetryAfter } from "./retry-after.js";
import { WatchCounts } from "./watch-counts.js";
import { estimateWork, type WorkEstimate } from "./work-estimate.js";

function estimate(
  line: string,
  { stored = 0, watchers = 0, maxSeats = 10, hasStreamingLists = false } = {},
): WorkEstimate {
  const [method = "", url = ""] = line.split(" ");
  const [path = "", text = ""] = url.split("?");
  const query = new URLSearchParams(text);
  return estimateWork({ info: resolveRequestInfo(method, path, query), query }, maxSeats, {
    countObjects: () => (stored < 0 ? undefined : stored),
    countWatchers: () => watchers,
    hasStreamingLists,
  });
}

const lists: readonly (readonly [line: string, stored: number, seats: number])[] = [
  ["GET /api/v1/pods", 0, 1],
  ["GET /api/v1/pods", 50, 1],
  ["GET /api/v1/pods", 51, 2],
  ["GET /api/v1/pods", 10_000, 10],
  ["GET /api/v1/pods", -1, 1],
  ["GET /api/v1/pods?resourceVersion=0", 400, 4],
  ["GET /api/v1/pods?resourceVersion=0&limit=10", 400, 4],
  ["GET /api/v1/pods?resourceVersion=5", 400, 4],
  ["GET /api/v1/pods?resourceVersion=5&resourceVersionMatch=Exact", 400, 8],
  ["GET /api/v1/pods?limit=100", 400, 2],
  ["GET /api/v1/pods?limit=100&labelSelector=a", 400, 5],
  ["GET /api/v1/pods?limit=100&fieldSelector=a%3Db", 400, 5],
  ["GET /api/v1/pods?limit=x", 0, 10],
  ["GET /api/v1/pods?fieldSelector=metadata.name%3Db", 10_000, 1],
  ["GET /api/v1/namespaces/a/pods/b", 10_000, 1],
  ["GET /api/v1/pods?watch=1", 10_000, 1],
];

for (const [line, stored, seats] of lists) {
  test(`${line} of ${stored} objects takes ${seats} ${seats === 1 ? "seat" : "seats"}`, () => {
    assert.deepEqual(estimate(line, { stored }), { initialSeats: seats, finalSeats: 0, additionalMs: 0 });
  });
}

test("a watch that begins with a list costs as much, where there are such watches", () => {
  const line = "GET /api/v1/pods?watch=1&sendInitialEvents=true";
  assert.equal(estimate(line, { stored: 500 }).initialSeats, 1);
  assert.equal(estimate(line, { stored: 500, hasStreamingLists: true }).initialSeats, 5);
});

test("no request takes more seats than its level allows", () => {
  assert.equal(estimate("GET /api/v1/pods", { stored: 10_000, maxSeats: 3 }).initialSeats, 3);
  assert.equal(estimate("GET /api/v1/pods", { stored: 10_000, maxSeats: 300 }).initialSeats, 10);
  assert.equal(estimate("GET /api/v1/pods", { stored: 10_000, maxSeats: 0 }).initialSeats, 10);
});

test("a write takes seats for its watchers after the answer, and longer where it may have fewer", () => {
  const line = "POST /api/v1/namespaces/a/pods";
  assert.deepEqual(estimate(line, { watchers: 9 }), { initialSeats: 1, finalSeats: 0, additionalMs: 0, watchers: 9 });
  assert.deepEqual(estimate(line, { watchers: 95 }), {
    initialSeats: 1,
    finalSeats: 10,
    additionalMs: 5,
    watchers: 95,
  });
  assert.deepEqual(estimate(line, { watchers: 200, maxSeats: 4 }), {
    initialSeats: 1,
    finalSeats: 4,
    additionalMs: 25,
    watchers: 200,
  });
});

test("a token request concerns no watcher", () => {
  const line = "POST /api/v1/namespaces/a/serviceaccounts/b/token";
  assert.deepEqual(estimate(line, { watchers: 100 }), { initialSeats: 1, finalSeats: 0, additionalMs: 0 });
});

test("a write concerns the watchers of the resource, of the namespace and of the object", () => {
  const counts = new WatchCounts();
  const watch = (url: string): (() => void) => {
    const [path = "", text = ""] = url.split("?");
    const query = new URLSearchParams(`watch=1&${text}`);
    return counts.add(resolveRequestInfo("GET", path, query), query);
  };
  const of = (method: string, path: string): number =>
    counts.interestedIn(resolveRequestInfo(method, path, new URLSearchParams()));
  watch("/api/v1/secrets");
  watch("/api/v1/namespaces/a/secrets");
  const end = watch("/api/v1/namespaces/a/secrets?fieldSelector=metadata.name%3Db");
  watch("/api/v1/configmaps");
  watch("/api/v1/pods?fieldSelector=spec.nodeName%3Dn");
  assert.equal(of("PUT", "/api/v1/namespaces/a/secrets/b"), 3);
  assert.equal(of("PUT", "/api/v1/namespaces/a/secrets/c"), 2);
  assert.equal(of("POST", "/api/v1/namespaces/z/secrets"), 1);
  assert.equal(of("GET", "/api/v1/namespaces/a/secrets/b"), 0);
  assert.equal(of("POST", "/api/v1/namespaces/a/pods"), 0);
  end();
  end();
  assert.equal(of("PUT", "/api/v1/namespaces/a/secrets/b"), 2);
});

test("clients are told to wait longer while many requests are rejected, and less when few are", () => {
  const retryAfter = new RetryAfter();
  const told: number[] = [];
  for (let second = 1000; second < 1012; second++) {
    for (let request = 0; request < 30; request++) {
      retryAfter.rejected(second);
    }
    told.push(retryAfter.seconds);
  }
  assert.equal(told[0], 1);
  assert.ok(told.includes(4) && Math.max(...told) <= 32, told.join(" "));
  for (let second = 2000; second < 4000; second += 40) {
    retryAfter.rejected(second);
  }
  assert.equal(retryAfter.seconds, 1);
});
