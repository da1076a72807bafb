import { metaOf } from "@gatehouse/apiserver/objects";
import type { NumberRange } from "@gatehouse/apiserver/options";
import type { Store } from "@gatehouse/apiserver/storage";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { Bitmap } from "./bitmap.js";
import { decodeRange, encodeRange } from "./range-record.js";

/** A fault that the repair has found. `value` is the address or port. */
export interface RepairNotice {
  readonly problem:
    | "taken by several services"
    | "outside of the range"
    | "was not allocated; repaired"
    | "may have leaked; flagged for later"
    | "has leaked; freed";
  readonly value: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** The range to repair, and the services that hold its numbers. */
export interface RangeRepairOptions {
  readonly store: Store;
  /** The key of the RangeAllocation in the store. */
  readonly key: string;
  readonly range: NumberRange;
  /** Returns all services, in a state not older than the call. */
  readonly services: () => Promise<Iterable<JsonObject>>;
  /** Returns the addresses or ports that a service holds and this range is responsible for, each once. */
  readonly heldBy: (service: JsonObject) => readonly string[];
  /** Returns the number in the range of an address or port; undefined when it is outside. */
  readonly numberOf: (value: string) => number | undefined;
  /** Returns a number as people know it: an address or a port. */
  readonly show: (number: number) => string;
  readonly onNotice: (notice: RepairNotice) => void;
}

/**
 * Number of consecutive runs, one interval apart, that must find a number without a service before it is freed (as in
 * v1.29).
 */
const sightingsBeforeRelease = 3;
/** Limit on the attempts of one run; each concurrent write makes it start again. */
const maxAttempts = 10;

/**
 * Returns a function that runs the repair once: it makes a RangeAllocation agree with the services. Numbers that a
 * service holds are taken. A number is freed only after several runs without a service, because it may belong to one
 * that is just being written. The first run creates the RangeAllocation.
 */
export function rangeRepair(options: RangeRepairOptions): () => Promise<void> {
  /** The number of runs that have seen a leaked number, by number. */
  let sightings = new Map<number, number>();
  return async () => {
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const result = await repairOnce(options, sightings);
      if (result !== undefined) {
        sightings = result.sightings;
        result.notices.forEach(options.onNotice);
        return;
      }
    }
    throw new Error(`the range ${options.range.text} could not be repaired: it changes all the time`);
  };
}

interface Rebuilt {
  readonly taken: Bitmap;
  readonly sightings: Map<number, number>;
  readonly notices: readonly RepairNotice[];
}

/** Repairs the range once; undefined when it has been changed concurrently. */
async function repairOnce(
  options: RangeRepairOptions,
  sightings: ReadonlyMap<number, number>,
): Promise<Rebuilt | undefined> {
  const { store, key, range } = options;
  // The range is read before the services: a release in between changes the range, and the write below fails.
  const { kv } = await store.get(key);
  const stored = kv === undefined ? undefined : decodeRange(kv.value);
  const before = stored?.range === range.text ? Bitmap.decode(range.size, stored.taken) : new Bitmap(range.size);
  const rebuilt = rebuild(options, await options.services(), before, sightings);
  const value = encodeRange(range, rebuilt.taken);
  if (kv?.value.equals(value) === true) {
    return rebuilt;
  }
  const result = await store.put(key, value, { expectedRevision: kv?.modRevision ?? 0 });
  return result.succeeded ? rebuilt : undefined;
}

function rebuild(
  { range, heldBy, numberOf, show }: RangeRepairOptions,
  services: Iterable<JsonObject>,
  before: Bitmap,
  sightings: ReadonlyMap<number, number>,
): Rebuilt {
  const taken = new Bitmap(range.size);
  const notices: RepairNotice[] = [];
  for (const service of services) {
    for (const value of heldBy(service)) {
      const problem = take(taken, before, range, numberOf(value));
      if (problem !== undefined) {
        const { namespace = "", name = "" } = metaOf(service);
        notices.push({ problem, value, namespace, name });
      }
    }
  }
  const seen = new Map<number, number>();
  for (const offset of before.numbers()) {
    if (taken.has(offset)) {
      continue;
    }
    const count = (sightings.get(offset) ?? 0) + 1;
    const value = show(range.first + offset);
    if (count >= sightingsBeforeRelease) {
      notices.push({ problem: "has leaked; freed", value });
      continue;
    }
    if (count === 1) {
      notices.push({ problem: "may have leaked; flagged for later", value });
    }
    taken.add(offset);
    seen.set(offset, count);
  }
  return { taken, sightings: seen, notices };
}

function take(
  taken: Bitmap,
  before: Bitmap,
  range: NumberRange,
  number: number | undefined,
): RepairNotice["problem"] | undefined {
  const offset = number === undefined ? -1 : number - range.first;
  if (offset < 0 || offset >= range.size) {
    return "outside of the range";
  }
  if (!taken.add(offset)) {
    return "taken by several services";
  }
  return before.has(offset) ? undefined : "was not allocated; repaired";
}
