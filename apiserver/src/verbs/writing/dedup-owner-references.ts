import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { metaOf } from "../../objects/object-meta.js";
import type { Caller } from "../../request/caller.js";

/** Drops owner references that equal an earlier one, and warns the client. */
export function dedupOwnerReferences(object: JsonObject, caller: Pick<Caller, "warn">, afterAdmission: boolean): void {
  const meta = metaOf(object);
  const references = meta["ownerReferences"];
  if (!Array.isArray(references) || references.length < 2) {
    return;
  }
  const kept: typeof references = [];
  const seen = new Set<string>();
  const duplicates: string[] = [];
  for (const reference of references) {
    // Decoded objects have their members in one order, so that equal ones have equal texts.
    const text = JSON.stringify(reference);
    if (seen.has(text)) {
      duplicates.push(textAt(reference, "uid"));
    } else {
      seen.add(text);
      kept.push(reference);
    }
  }
  if (duplicates.length > 0) {
    meta["ownerReferences"] = kept;
    caller.warn(
      `.metadata.ownerReferences contains duplicate entries${afterAdmission ? " after mutating admission happens" : ""}; ` +
        "API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; " +
        `please fix your requests; duplicate UID(s) observed: ${duplicates.join(", ")}`,
    );
  }
}
