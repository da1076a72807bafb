import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { countedAddresses } from "./counted-addresses.js";

describe("countedAddresses", () => {
  for (const { title, present, own, count, wanted } of [
    { title: "is the server alone when there is no other", present: [], own: "b", count: 1, wanted: ["b"] },
    { title: "adds the server to others, in order", present: ["c", "a"], own: "b", count: 3, wanted: ["a", "b", "c"] },
    { title: "replaces the only other", present: ["a"], own: "b", count: 1, wanted: ["b"] },
    { title: "leaves out those after the server", present: ["a", "c", "d"], own: "b", count: 2, wanted: ["a", "b"] },
    { title: "goes on with the first after the last", present: ["a", "b"], own: "c", count: 2, wanted: ["b", "c"] },
    { title: "keeps what is there already", present: ["a", "b"], own: "a", count: 2, wanted: ["a", "b"] },
  ]) {
    it(title, () => assert.deepEqual(countedAddresses(present, own, count), wanted));
  }
});
