import type { ObjectClient } from "@gatehouse/apiserver/client";
import type { IPFamily } from "@gatehouse/apiserver/options";
import { pause } from "@gatehouse/component-base/time";
import { type AddressObjects, openAddressObjects } from "../ip-addresses/address-objects.js";
import type { AddressPool } from "../kinds/core/service/allocation/address-pool.js";
import { objectPool } from "../kinds/core/service/allocation/object-pool.js";

/** The addresses of Services as objects, which are known when the server has started. */
export interface AddressObjectsPart {
  readonly pool: (family: IPFamily) => AddressPool;
  /** Follows the objects. To be called once, when the server has started. */
  open(client: ObjectClient, signal: AbortSignal, onError: (error: unknown) => void): void;
  /** Lets addresses be allocated: those of existing Services are known by objects. */
  allow(): void;
}

/** Milliseconds for which a write of a Service waits for the start of the server. */
const maxWaitMs = 10_000;

/** Returns the part; nothing is allocated before `open` and `allow` have been called. */
export function addressObjectsPart(): AddressObjectsPart {
  let allow = (): void => {};
  let opened = (_objects: AddressObjects): void => {};
  const objects = new Promise<AddressObjects>((resolve) => {
    opened = resolve;
  });
  const usable = new Promise<void>((resolve) => {
    allow = resolve;
  }).then(() => objects);
  return {
    pool: (family) =>
      objectPool(family, async () => {
        const waited = new AbortController();
        const late = pause(maxWaitMs, waited.signal).then(() => undefined);
        const known = await Promise.race([usable, late]);
        waited.abort();
        return known;
      }),
    open(client, signal, onError) {
      openAddressObjects({ client, signal, onError }).then(opened, onError);
    },
    allow,
  };
}
