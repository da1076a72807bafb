import { metaOf } from "@gatehouse/apiserver/objects";
import { isSameState } from "@gatehouse/envelopes/go";
import type { JsonObject } from "@gatehouse/envelopes/json";

/** Members of metadata that garbage collectors and storage migration write. */
const collected = ["ownerReferences", "finalizers", "selfLink", "managedFields"];

/** Reports whether a write changes only members of metadata that garbage collection and storage migration write. */
export function isSameButForCollection(object: JsonObject, old: JsonObject): boolean {
  return isSameState(withoutCollected(object), withoutCollected(old));
}

function withoutCollected(object: JsonObject): JsonObject {
  const metadata = Object.entries(metaOf(object)).filter(([name]) => !collected.includes(name));
  return { ...object, metadata: Object.fromEntries(metadata) as JsonObject };
}
