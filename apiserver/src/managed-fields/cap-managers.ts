import { union } from "./field-set.js";
import { compareTexts, type ManagedEntry, type Managers, managerKey, secondsOf } from "./managers.js";

/** Largest number of managers that may have come by updates; the changes of older ones are put together. */
const maxUpdateManagers = 10;
const oldChanges = "ancient-changes";

/** Returns the managers with the oldest of many updates put together: one entry for each version. */
export function capManagers(managers: Managers): Managers {
  const updaters = [...managers].filter(([, { operation }]) => operation === "Update");
  if (updaters.length <= maxUpdateManagers) {
    return managers;
  }
  updaters.sort(([a, first], [b, second]) => secondsOf(first.time) - secondsOf(second.time) || compareTexts(a, b));
  const capped = new Map<string, ManagedEntry>(managers);
  const firstOfVersion = new Map<string, string>();
  let left = updaters.length;
  for (const [key, entry] of updaters) {
    if (left <= maxUpdateManagers) {
      break;
    }
    const { apiVersion, time } = entry;
    const first = firstOfVersion.get(apiVersion);
    if (first === undefined) {
      firstOfVersion.set(apiVersion, key);
      continue;
    }
    const identity = { manager: oldChanges, operation: "Update", apiVersion, subresource: "" } as const;
    const bucketKey = managerKey(identity);
    const bucket = capped.get(bucketKey) ?? (capped.get(first) as ManagedEntry);
    if (!capped.has(bucketKey)) {
      capped.delete(first);
    }
    capped.delete(key);
    capped.set(bucketKey, { ...identity, time, fields: union(entry.fields, bucket.fields) });
    left--;
  }
  return capped;
}
