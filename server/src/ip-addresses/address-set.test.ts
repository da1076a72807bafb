import assert from "node:assert/strict";
import { test } from "node:test";
import { AddressSet } from "./address-set.js";

test("the next address that is free is found as by looking at each, whatever is taken and given back", () => {
  let seed = 7;
  const random = (): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return seed / 0x80000000;
  };
  for (const [bits, network] of [
    [32, 0x0a00_fe00n],
    [128, 0xfd00_0000_0000_0000_0000_0000_0000_fe00n],
  ] as const) {
    const set = new AddressSet(bits);
    const taken = new Set<bigint>();
    const size = 1200;
    for (let round = 0; round < 20_000; round++) {
      const address = network + BigInt(Math.floor(random() * size));
      // The range becomes nearly full, and empty again.
      if (random() < (Math.floor(round / 5000) % 2 === 0 ? 0.9 : 0.1)) {
        set.add(address);
        taken.add(address);
      } else {
        set.delete(address);
        taken.delete(address);
      }
      if (round % 20 === 0) {
        const first = network + BigInt(Math.floor(random() * size));
        const last = first + BigInt(Math.floor(random() * size));
        let expected: bigint | undefined = first;
        while (expected <= last && taken.has(expected)) {
          expected++;
        }
        assert.equal(set.nextFree(first, last), expected <= last ? expected : undefined);
      }
    }
  }
});

test("a set that has everything has nothing free, and one address that is given back is found from anywhere", () => {
  const set = new AddressSet(32);
  const [first, last] = [0x0a00_0000n, 0x0a03_ffffn];
  for (let address = first; address <= last; address++) {
    set.add(address);
  }
  assert.equal(set.nextFree(first, last), undefined);
  assert.equal(set.nextFree(first, last + 5n), last + 1n);
  set.delete(0x0a02_1234n);
  assert.equal(set.nextFree(first, last), 0x0a02_1234n);
  assert.equal(set.nextFree(0x0a02_1235n, last), undefined);
});

test("addresses at both ends of the space are found", () => {
  const set = new AddressSet(32);
  set.add(0n);
  set.add(0xffff_ffffn);
  assert.equal(set.nextFree(0n, 10n), 1n);
  assert.equal(set.nextFree(0xffff_ffffn, 0xffff_ffffn), undefined);
  assert.equal(set.nextFree(5n, 4n), undefined);
});
