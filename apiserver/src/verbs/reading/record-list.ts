import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";
import { omitManagedFields } from "@gatehouse/policies/audit";
import type { AuditTrail } from "../../request/audit-trail.js";
import { type ListBodyOptions, listBody } from "./list-body.js";

/**
 * Largest list in bytes that is recorded; the event of a longer one says that it is left out. v1.29 records lists of
 * any length.
 */
const maxRecordedBytes = 64 * 1024 * 1024;

/** Records a list that is about to be answered in the audit log: as JSON, independent of the client's form. */
export async function recordList(audit: AuditTrail, options: ListBodyOptions): Promise<void> {
  const { pieces } = listBody({
    ...options,
    representation: { ...options.representation, encoding: "json" },
    pretty: false,
    ...(audit.omitsManagedFields ? { reviseItem: withoutManagedFields } : {}),
  });
  const kept: Buffer[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > maxRecordedBytes) {
      audit.annotate("audit.k8s.io/truncated", "true");
      return;
    }
    // A piece is valid only until the next one is asked for.
    kept.push(Buffer.from(piece));
    await options.context.yield();
  }
  audit.responseList(Buffer.concat(kept, bytes));
}

/** Removes managedFields from an item of a list, or from the object of a table row. */
function withoutManagedFields(item: JsonObject): JsonObject {
  const { object } = item;
  return isJsonObject(object) && "cells" in item
    ? { ...item, object: omitManagedFields(object) }
    : omitManagedFields(item);
}
