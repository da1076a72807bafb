import assert from "node:assert/strict";
import { test } from "node:test";
import { PendingCharges } from "./pending-charges.js";
import { amountsText, resourceList } from "./resource-list.js";

test("charges count until their objects are seen, or no write can be under way any more", () => {
  let now = 0;
  const pending = new PendingCharges(() => now);
  const counting = new AbortController();
  pending.follow(counting.signal);
  const of = (quota: string): string => amountsText(pending.of("n", quota));
  pending.add("n", "1", new Map([["q", resourceList({ pods: "1", cpu: "500m" })]]));
  now = 40_000;
  pending.add(
    "n",
    "2",
    new Map([
      ["q", resourceList({ pods: "1" })],
      ["r", resourceList({ pods: "1" })],
    ]),
  );
  assert.deepEqual([of("q"), of("r")], ["cpu=500m,pods=2", "pods=1"]);
  now = 60_000;
  assert.deepEqual([of("q"), of("r")], ["pods=1", "pods=1"]);
  pending.settle("n", "2");
  assert.deepEqual([of("q"), pending.isPending("n")], ["", false]);
  pending.add("n", "3", new Map([["q", resourceList({ pods: "1" })]]));
  counting.abort();
  assert.equal(of("q"), "");
});

test("an object that is written twice is seen twice", () => {
  const pending = new PendingCharges(() => 0);
  pending.follow(new AbortController().signal);
  pending.add("n", "1", new Map([["q", resourceList({ services: "1" })]]));
  pending.add("n", "1", new Map([["q", resourceList({ "services.nodeports": "1" })]]));
  pending.settle("n", "1");
  assert.equal(amountsText(pending.of("n", "q")), "services.nodeports=1");
});

test("nothing is kept while nobody counts", () => {
  const pending = new PendingCharges(() => 0);
  pending.add("n", "1", new Map());
  assert.equal(pending.isPending("n"), false);
});
