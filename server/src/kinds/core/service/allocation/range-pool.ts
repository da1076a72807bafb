import { type AddressRange, networkAddress, numberOfAddress } from "@gatehouse/apiserver/options";
import type { AddressPool } from "./address-pool.js";
import { available } from "./available.js";
import type { RangeAllocator } from "./range-allocator.js";
import { reserveAddress } from "./reserve-address.js";

/** Returns the addresses of a range whose taken ones are kept in a RangeAllocation. */
export function rangePool(range: AddressRange, numbers: RangeAllocator): AddressPool {
  return {
    family: range.family,
    take: (request) =>
      request.dryRun && request.requested === ""
        ? networkAddress(range)
        : available("a serviceIP", () => numbers.update((edit) => reserveAddress(edit, { ...request, range }))),
    async release(addresses) {
      const held = addresses.map((address) => numberOfAddress(range, address));
      await numbers.release(held.filter((number) => number !== undefined));
    },
  };
}
