import type { IPFamily } from "@gatehouse/apiserver/options";
import { type JsonObject, objectAt, ownObject } from "@gatehouse/envelopes/json";
import { clusterIPsOf, headlessAddress, ipFamiliesOf, isHeadless, takesClusterIP } from "../service-fields.js";
import type { AddressPool } from "./address-pool.js";
import { heldAddresses } from "./held-numbers.js";
import type { ClusterFamilies } from "./ip-families.js";

/** The addresses of a cluster by family. */
export interface ClusterAddresses {
  /** The families of the cluster, the default one first. */
  readonly families: ClusterFamilies;
  /**
   * Takes addresses for the families of a service from index `from` on, and writes them into the service. Returns the
   * taken ones; a dry run takes none. Takes nothing when it throws.
   */
  take(service: JsonObject, from: number, dryRun: boolean): Promise<readonly string[]>;
  /** Releases addresses of a service. Those outside of the ranges are ignored. */
  release(addresses: readonly string[], service: JsonObject): Promise<void>;
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
 * Returns the addresses of a cluster; the pools are of different families. `reportFault` is called with the error when
 * an address that is not used after all could not be released; the repair finds it later.
 */
export function clusterAddresses(
  pools: readonly [AddressPool, ...AddressPool[]],
  reportFault: (error: unknown) => void,
): ClusterAddresses {
  const byFamily = new Map<string, AddressPool>(pools.map((pool) => [pool.family, pool]));
  const [primary, ...others] = pools;
  const families: [IPFamily, ...IPFamily[]] = [primary.family, ...others.map(({ family }) => family)];
  const release: ClusterAddresses["release"] = async (addresses, service) => {
    await Promise.all(pools.map((pool) => pool.release(addresses, service)));
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
      const taken: string[] = [];
      try {
        for (const [index, family] of [...wanted.entries()].slice(from)) {
          const requested = addresses[index] ?? "";
          const address = await byFamily.get(family)?.take({ service, addresses, requested, dryRun });
          if (address !== undefined) {
            addresses[index] = address;
            taken.push(address);
          }
        }
      } catch (error) {
        await release(dryRun ? [] : taken, service).catch(reportFault);
        throw error;
      }
      spec["clusterIP"] = addresses[0] as string;
      spec["clusterIPs"] = addresses;
      return dryRun ? [] : taken;
    },
  };
}
