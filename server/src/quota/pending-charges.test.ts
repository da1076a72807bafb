import assert from "node:assert/strict";
import { test } from "node:test";
import { PendingCharges } from "./pending-charges.js";
import { amountsText, resourceList } from "./resource-list.js";

test("charges count until their objects are seen, or no write can be under way any more", () => {
  let now = 0;
  const pending = new PendingCharges(() => now);
  const counting = new AbortController();
  void pending.follow(counting.signal);
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
  void pending.follow(new AbortController().signal);
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

test("a process that does not count passes charges on before they can be seen, and what it keeps is gathered later", async () => {
  let now = 0;
  const counting = new PendingCharges(() => now);
  void counting.follow(new AbortController().signal);
  const other = new PendingCharges(() => now, {
    publish: async (changes) => counting.learn(changes),
    gather: async () => [],
  });
  assert.equal(counting.published(), undefined, "a server of one process waits for nothing");
  other.add("n", "1", new Map([["q", resourceList({ pods: "1" })]]));
  other.add("n", "2", new Map([["q", resourceList({ pods: "2" })]]));
  await other.published();
  assert.equal(amountsText(counting.of("n", "q")), "pods=3");
  other.settle("n", "2");
  await other.published();
  assert.equal(amountsText(counting.of("n", "q")), "pods=1");
  const next = new PendingCharges(() => now, { publish: async () => {}, gather: async () => other.all() });
  await next.follow(new AbortController().signal);
  assert.equal(amountsText(next.of("n", "q")), "pods=1");
  now = 100_000;
  assert.deepEqual(other.all(), []);
});

test("a caller waits for changes that are under way for another one", async () => {
  let arrive = (): void => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const pending = new PendingCharges(() => 0, { publish: () => arrived, gather: async () => [] });
  pending.add("n", "1", new Map([["q", resourceList({ pods: "1" })]]));
  pending.add("m", "2", new Map([["q", resourceList({ pods: "1" })]]));
  const first = pending.published();
  const second = pending.published();
  assert.notEqual(second, undefined);
  arrive();
  await Promise.all([first, second]);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(pending.published(), undefined);
});

test("a process that stops counting for a while keeps what is pending, where others share the server", async () => {
  const pending = new PendingCharges(() => 0, { publish: async () => {}, gather: async () => [] });
  const counting = new AbortController();
  await pending.follow(counting.signal);
  pending.add("n", "1", new Map([["q", resourceList({ pods: "1" })]]));
  assert.equal(pending.published(), undefined, "it counts itself");
  counting.abort();
  await pending.follow(new AbortController().signal);
  assert.equal(amountsText(pending.of("n", "q")), "pods=1");
});
