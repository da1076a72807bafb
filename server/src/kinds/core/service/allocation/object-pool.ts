import { type IPFamily, parseIp } from "@gatehouse/apiserver/options";
import { internalError, StatusError } from "@gatehouse/envelopes/status";
import type { AddressObjects, Refusal } from "../../../../ip-addresses/address-objects.js";
import { nameOfService } from "../../../../ip-addresses/ip-address-object.js";
import type { AddressPool } from "./address-pool.js";
import { refusedAddress } from "./reserve-address.js";

/** Addresses that are valid and nobody's. */
const placeholders: Readonly<Record<IPFamily, string>> = { IPv4: "0.0.0.0", IPv6: "::" };

/**
 * Returns the addresses of a family that are taken by making an IPAddress. `objects` resolves when addresses can be
 * allocated, and to undefined when that takes too long.
 */
export function objectPool(family: IPFamily, objects: () => Promise<AddressObjects | undefined>): AddressPool {
  return {
    family,
    async take({ service, addresses, requested, dryRun }) {
      const owner = nameOfService(service);
      if (owner.name === "") {
        // Nothing can be taken for a Service without a name, which validation refuses; v1.29 fails with 500.
        return requested || placeholders[family];
      }
      const opened = await objects();
      if (opened === undefined) {
        throw noAddress("allocator not ready");
      }
      if (requested === "") {
        const outcome = dryRun ? opened.dryRun(family, undefined) : await withRefusal(opened.takeAny(family, owner));
        if (typeof outcome !== "string") {
          throw noAddress(outcome.refusal);
        }
        return outcome;
      }
      const address = parseIp(requested);
      if (address === undefined) {
        throw internalError(`failed to parse service IP ${JSON.stringify(requested)}`);
      }
      const outcome = dryRun ? opened.dryRun(family, address) : await withRefusal(opened.take(address, owner));
      if (typeof outcome !== "string") {
        throw refusedAddress({ service, addresses, requested }, outcome.refusal);
      }
      return requested;
    },
    async release(addresses, service) {
      const opened = addresses.length === 0 ? undefined : await objects();
      const owner = nameOfService(service);
      for (const address of addresses.map(parseIp)) {
        if (address?.family === family) {
          await opened?.release(address, owner);
        }
      }
    },
  };
}

/** Takes it as a refusal when an IPAddress is not admitted; that the store does not work remains a failure. */
async function withRefusal(taking: Promise<string | Refusal>): Promise<string | Refusal> {
  try {
    return await taking;
  } catch (error) {
    if (error instanceof StatusError && error.code < 500 && error.reason !== "TooManyRequests") {
      return { refusal: error.message };
    }
    throw error;
  }
}

function noAddress(refusal: string): Error {
  return internalError(`failed to allocate a serviceIP: ${refusal}`);
}
