import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseFlags } from "@gatehouse/component-base/flags";
import { formatProblems, type Problem } from "@gatehouse/component-base/problems";
import { defaultWatchCaches, hasWatchCache, resolveWatchCaches, watchCacheFlags } from "./watch-caches.js";

const pods = { group: "", resource: "pods", custom: false };
const events = { group: "", resource: "events", custom: false };
const deployments = { group: "apps", resource: "deployments", custom: false };
const widgets = { group: "example.com", resource: "widgets", custom: true };

function cached(...argv: string[]): boolean[] {
  const problems: Problem[] = [];
  const parsed = parseFlags(watchCacheFlags, argv);
  assert.ok(parsed.outcome === "run");
  const caches = resolveWatchCaches(parsed.values, defaultWatchCaches, problems);
  assert.deepEqual(problems, []);
  return [pods, events, deployments, widgets].map((resource) => hasWatchCache(caches, resource, resource.custom));
}

describe("the flags of watch caches", () => {
  it("give all resources but events a cache by default", () => {
    assert.deepEqual(cached(), [true, false, true, true]);
    assert.deepEqual(cached("--default-watch-cache-size=0"), [true, false, true, true]);
  });

  it("give no resource a cache without watch caches", () => {
    assert.deepEqual(cached("--watch-cache=false"), [false, false, false, false]);
  });

  it("take or give the cache of a resource by its size, but not of a custom one", () => {
    const sizes = "--watch-cache-sizes=events#100,deployments.apps#0,widgets.example.com#0";
    assert.deepEqual(cached(sizes), [true, true, false, true]);
  });

  for (const text of ["pods", "pods#", "pods#-1", "pods#x", "#1"]) {
    it(`refuse the size ${text}`, () => {
      const problems: Problem[] = [];
      resolveWatchCaches({ "watch-cache": true, "watch-cache-sizes": [text] }, defaultWatchCaches, problems);
      assert.equal(formatProblems(problems), `--watch-cache-sizes: invalid value of watch cache size: ${text}`);
    });
  }
});
