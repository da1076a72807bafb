import { parseQuantity, type Quantity } from "@gatehouse/envelopes/codec";
import { type JsonObject, type JsonValue, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";

/** The demands of a LimitRange, read once for each of its states. */
export interface LimitRange {
  readonly limits: readonly Limit[];
  /** Limits for containers that state none. */
  readonly defaultLimits: Amounts;
  readonly defaultRequests: Amounts;
}

/** Bounds for one sort of thing. */
export interface Limit {
  /** `Container`, `Pod` or `PersistentVolumeClaim`. */
  readonly type: string;
  readonly min: Bounds;
  readonly max: Bounds;
  /** The largest ratio of limit to request, by resource. */
  readonly maxLimitRequestRatio: Bounds;
}

/** Amounts by resource, as they are written. */
export type Amounts = readonly (readonly [resource: string, amount: string])[];

/** Quantities by resource, in the order of the names. */
export type Bounds = readonly (readonly [resource: string, bound: Quantity])[];

export function limitRangeOf(object: JsonObject): LimitRange {
  const items = listAt(object, "spec", "limits");
  const ofContainers = items.filter((item) => textAt(item, "type") === "Container");
  return {
    limits: items.map((item) => ({
      type: textAt(item, "type"),
      min: boundsAt(item, "min"),
      max: boundsAt(item, "max"),
      maxLimitRequestRatio: boundsAt(item, "maxLimitRequestRatio"),
    })),
    defaultLimits: amountsAt(ofContainers, "default"),
    defaultRequests: amountsAt(ofContainers, "defaultRequest"),
  };
}

function boundsAt(item: JsonValue, member: string): Bounds {
  return amountsAt([item], member).map(([resource, amount]) => [resource, parseQuantity(amount)]);
}

/** Returns the amounts of all items; the last one that names a resource counts. */
function amountsAt(items: readonly JsonValue[], member: string): Amounts {
  const amounts = new Map<string, string>();
  for (const item of items) {
    for (const [resource, amount] of Object.entries(objectAt(item, member))) {
      amounts.set(resource, String(amount));
    }
  }
  return [...amounts].sort(([a], [b]) => (a < b ? -1 : 1));
}
