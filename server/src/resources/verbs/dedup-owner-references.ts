import { isJsonObject, type JsonObject } from "@gatehouse/envelopes";
import type { Caller } from "../../request/caller.js";
import { metaOf } from "../object-meta.js";
import { sameJson } from "./same-json.js";

/** Drops owner references that say the same as one before, and tells the client so. */
export function dedupOwnerReferences(object: JsonObject, caller: Pick<Caller, "warn">, afterAdmission: boolean): void {
  const meta = metaOf(object);
  const references = meta["ownerReferences"];
  if (!Array.isArray(references) || references.length < 2) {
    return;
  }
  const kept: typeof references = [];
  const byUid = new Map<unknown, typeof references>();
  const duplicates: string[] = [];
  for (const reference of references) {
    const uid = isJsonObject(reference) ? reference["uid"] : undefined;
    const sameUid = byUid.get(uid) ?? [];
    if (sameUid.some((known) => sameJson(known, reference))) {
      duplicates.push(String(uid));
    } else {
      byUid.set(uid, [...sameUid, reference]);
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
