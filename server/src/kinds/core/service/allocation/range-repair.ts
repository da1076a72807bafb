import { metaOf } from "@gatehouse/apiserver/objects";
import type { NumberRange } from "@gatehouse/apiserver/options";
import type { Store } from "@gatehouse/apiserver/storage";
import type { JsonObject } from "@gatehouse/envelopes";
import { Bitmap } from "./bitmap.js";
import { decodeRange, encodeRange } from "./range-record.js";

/** Something that was not as it should be. `value` is the address or port. */
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

/** The range to repair, and who says what is taken of it. */
export interface RangeRepairOptions {
  readonly store: Store;
  /** Where the RangeAllocation is. */
  readonly key: string;
  readonly range: NumberRange;
  /** All services, in a state not older than the call. */
  readonly services: () => Promise<Iterable<JsonObject>>;
  /** The numbers of the range that a service holds, each once. */
  readonly heldBy: (service: JsonObject) => readonly number[];
  /** A number as people know it. */
  readonly show: (number: number) => string;
  readonly onNotice: (notice: RepairNotice) => void;
}

/** A number must be found without a service so many times, one interval apart, before it is freed (as in v1.29). */
const sightingsBeforeRelease = 3;
/** Writers that come in between make the repair begin again. */
const maxAttempts = 10;

/**
 * Makes a RangeAllocation agree with the services that there are: numbers that a service holds are taken, and numbers
 * that nobody has held for several runs are freed; they may belong to a service that is being written just now. The first
 * run makes the RangeAllocation. The function returned runs the repair once.
 */
export function rangeRepair(options: RangeRepairOptions): () => Promise<void> {
  /** How often a leaked number has been seen, by number. */
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

/** Undefined when somebody has changed the range meanwhile. */
async function repairOnce(
  options: RangeRepairOptions,
  sightings: ReadonlyMap<number, number>,
): Promise<Rebuilt | undefined> {
  const { store, key, range } = options;
  // First the range, then the services: whatever is given back in between changes the range, and the write below fails.
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
  { range, heldBy, show }: RangeRepairOptions,
  services: Iterable<JsonObject>,
  before: Bitmap,
  sightings: ReadonlyMap<number, number>,
): Rebuilt {
  const taken = new Bitmap(range.size);
  const notices: RepairNotice[] = [];
  for (const service of services) {
    for (const number of heldBy(service)) {
      const problem = take(taken, before, range, number);
      if (problem !== undefined) {
        const { namespace = "", name = "" } = metaOf(service);
        notices.push({ problem, value: show(number), namespace, name });
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

function take(taken: Bitmap, before: Bitmap, range: NumberRange, number: number): RepairNotice["problem"] | undefined {
  const offset = number - range.first;
  if (offset < 0 || offset >= range.size) {
    return "outside of the range";
  }
  if (!taken.add(offset)) {
    return "taken by several services";
  }
  return before.has(offset) ? undefined : "was not allocated; repaired";
}
