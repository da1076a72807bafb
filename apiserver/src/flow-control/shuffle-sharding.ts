import { createHash } from "node:crypto";

/** Returns the first 64 bits of the SHA-256 of a flow's identity: the source of entropy for its hand of queues. */
export function hashFlow(schemaName: string, distinguisher: string): bigint {
  const digest = createHash("sha256").update(schemaName).update("\0").update(distinguisher).digest();
  return digest.readBigUInt64LE(0);
}

/**
 * Deals `handSize` different cards from a deck of `deckSize`, the same ones for the same hash. Two flows have the same
 * hand only by chance, so that a flow that fills its queues leaves others to most flows.
 */
export function dealHand(hash: bigint, deckSize: number, handSize: number): readonly number[] {
  const hand: number[] = [];
  const remainders: number[] = [];
  let rest = hash;
  for (let index = 0; index < handSize; index++) {
    const choices = BigInt(deckSize - index);
    remainders.push(Number(rest % choices));
    rest /= choices;
  }
  for (let index = 0; index < handSize; index++) {
    let card = remainders[index] as number;
    for (let earlier = index; earlier > 0; earlier--) {
      if (card >= (remainders[earlier - 1] as number)) {
        card++;
      }
    }
    hand.push(card);
  }
  return hand;
}
