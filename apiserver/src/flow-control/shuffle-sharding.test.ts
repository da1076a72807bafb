import assert from "node:assert/strict";
import { test } from "node:test";
import { dealHand, hashFlow } from "./shuffle-sharding.js";

/** Hands that v1.29's dealer gives to the same flows. */
const dealt: readonly (readonly [string, string, number, number, bigint, readonly number[]])[] = [
  ["global-default", "u1", 128, 6, 16380909306443766073n, [57, 82, 97, 13, 36, 8]],
  ["system-nodes", "system:node:a", 64, 6, 7695584434719420071n, [39, 38, 30, 56, 55, 0]],
  ["system-leader-election", "system:kube-scheduler", 16, 4, 11657850540737501994n, [10, 15, 8, 13]],
  ["x", "", 1, 1, 15577321897059547156n, [0]],
];

for (const [schema, distinguisher, deckSize, handSize, hash, hand] of dealt) {
  test(`a flow of ${schema} gets the queues that v1.29 gives it`, () => {
    assert.equal(hashFlow(schema, distinguisher), hash);
    assert.deepEqual(dealHand(hash, deckSize, handSize), hand);
  });
}

test("the queues of a hand differ from each other", () => {
  for (let flow = 0; flow < 500; flow++) {
    const hand = dealHand(hashFlow("schema", `user ${flow}`), 10, 8);
    assert.equal(new Set(hand).size, 8);
    assert.ok(hand.every((queue) => queue >= 0 && queue < 10));
  }
});
