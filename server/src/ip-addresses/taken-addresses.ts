import type { ObjectClient, ObservedObject } from "@gatehouse/apiserver/client";
import { type IPFamily, parseIp } from "@gatehouse/apiserver/options";
import { AddressSet } from "./address-set.js";
import { ipAddresses } from "./ip-address-object.js";

/** The addresses that have an IPAddress, as far as the cache knows. */
export interface TakenAddresses {
  /** Returns the lowest address of a family from `first` to `last` that is free; undefined if none is. */
  nextFree(family: IPFamily, first: bigint, last: bigint): bigint | undefined;
}

type Sets = Readonly<Record<IPFamily, AddressSet>>;

const emptySets = (): Sets => ({ IPv4: new AddressSet(32), IPv6: new AddressSet(128) });

/** Follows the IPAddresses until the signal aborts. Resolves when all are known. */
export async function followTakenAddresses(
  client: ObjectClient,
  { signal, onError }: { signal: AbortSignal; onError: (error: unknown) => void },
): Promise<TakenAddresses> {
  let sets = emptySets();
  /** The IPAddresses that a repeated list has told so far. */
  let relisted: Sets | undefined;
  let isComplete = false;
  const note = (name: string, isTaken: boolean): void => {
    const address = parseIp(name);
    if (address === undefined) {
      return;
    }
    for (const { [address.family]: set } of relisted === undefined ? [sets] : [sets, relisted]) {
      if (isTaken) {
        set.add(address.value);
      } else {
        set.delete(address.value);
      }
    }
  };
  await client.observe(
    ipAddresses,
    {
      onList(objects: readonly ObservedObject[]) {
        if (isComplete) {
          relisted ??= emptySets();
        }
        for (const { name } of objects) {
          note(name, true);
        }
      },
      onEvent: ({ name, type }) => note(name, type !== "DELETED"),
      onMissed() {
        sets = relisted ?? sets;
        relisted = undefined;
      },
      onError,
    },
    signal,
  );
  isComplete = true;
  return { nextFree: (family, first, last) => sets[family].nextFree(first, last) };
}
