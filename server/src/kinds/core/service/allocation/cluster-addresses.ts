import { metaOf } from "@gatehouse/apiserver/objects";
import { type AddressRange, type IPFamily, networkAddress, numberOfAddress } from "@gatehouse/apiserver/options";
import { type JsonObject, objectAt, ownObject } from "@gatehouse/envelopes/json";
import { clusterIPsOf, headlessAddress, ipFamiliesOf, isHeadless, takesClusterIP } from "../service-fields.js";
import { available } from "./available.js";
import { heldAddresses } from "./held-numbers.js";
import type { ClusterFamilies } from "./ip-families.js";
import type { RangeAllocator } from "./range-allocator.js";
import { type ReserveAddressOptions, reserveAddress } from "./reserve-address.js";

/** A range of addresses and its allocator. */
export interface AddressAllocator {
  readonly range: AddressRange;
  readonly numbers: RangeAllocator;
}

/** The allocators of a cluster by family. */
export interface ClusterAddresses {
  /** The families of the cluster, the default one first. */
  readonly families: ClusterFamilies;
  /**
   * Takes addresses for the families of a service from index `from` on, and writes them into the service. Returns the
   * taken ones; a dry run takes none. Takes nothing when it throws.
   */
  take(service: JsonObject, from: number, dryRun: boolean): Promise<readonly string[]>;
  /** Releases addresses. Those outside of the ranges are ignored. */
  release(addresses: readonly string[]): Promise<void>;
}

/** The number of families of which a service takes no address. */
const noFamily = Number.POSITIVE_INFINITY;

/** Returns the index of the first family of which a service needs an address; infinity when it needs none. */
export function firstMissingFamily(spec: JsonObject, oldSpec: JsonObject | undefined): number {
  if (!takesClusterIP(spec)) {
    return noFamily;
  }
  if (oldSpec === undefined || !takesClusterIP(oldSpec)) {
    return clusterIPsOf(spec)[0] === headlessAddress ? noFamily : 0;
  }
  const isUpgrade = ipFamiliesOf(oldSpec).length === 1 && ipFamiliesOf(spec).length === 2;
  return isUpgrade && !isHeadless(oldSpec) ? 1 : noFamily;
}

/** Returns the addresses that a service releases with an update: all as an ExternalName, the second as single stack. */
export function releasedAddresses(service: JsonObject, old: JsonObject): readonly string[] {
  const spec = objectAt(service, "spec");
  const held = heldAddresses(old);
  if (!takesClusterIP(spec)) {
    return held;
  }
  return ipFamiliesOf(spec).length === 1 ? held.slice(1) : [];
}

/**
 * Returns the addresses of a cluster; the allocators are of different families. `reportFault` is called with the error when
 * an address that is not used after all could not be released; the repair finds it later.
 */
export function clusterAddresses(
  allocators: readonly [AddressAllocator, ...AddressAllocator[]],
  reportFault: (error: unknown) => void,
): ClusterAddresses {
  const byFamily = new Map<string, AddressAllocator>(
    allocators.map((allocator) => [allocator.range.family, allocator]),
  );
  const [primary, ...others] = allocators;
  const families: [IPFamily, ...IPFamily[]] = [primary.range.family, ...others.map(({ range }) => range.family)];
  const release = async (addresses: readonly string[]): Promise<void> => {
    await Promise.all(
      allocators.map(({ range, numbers }) => {
        const held = addresses.map((address) => numberOfAddress(range, address));
        return numbers.release(held.filter((number) => number !== undefined));
      }),
    );
  };
  return {
    families,
    release,
    async take(service, from, dryRun) {
      const spec = ownObject(service, "spec");
      const wanted = ipFamiliesOf(spec);
      if (from >= wanted.length) {
        return [];
      }
      const addresses = Object.assign(new Array<string>(wanted.length).fill(""), clusterIPsOf(spec));
      const name = metaOf(service).name ?? "";
      const taken: string[] = [];
      try {
        for (const [index, family] of [...wanted.entries()].slice(from)) {
          const allocator = byFamily.get(family);
          if (allocator !== undefined) {
            const address = await takeFrom(allocator, { name, addresses, requested: addresses[index] ?? "", dryRun });
            addresses[index] = address;
            taken.push(address);
          }
        }
      } catch (error) {
        await release(dryRun ? [] : taken).catch(reportFault);
        throw error;
      }
      spec["clusterIP"] = addresses[0] as string;
      spec["clusterIPs"] = addresses;
      return dryRun ? [] : taken;
    },
  };
}

/** An address to take from one range. */
type AddressRequest = Omit<ReserveAddressOptions, "range">;

function takeFrom({ range, numbers }: AddressAllocator, request: AddressRequest): Promise<string> | string {
  return request.dryRun && request.requested === ""
    ? networkAddress(range)
    : available("a serviceIP", () => numbers.update((edit) => reserveAddress(edit, { ...request, range })));
}
