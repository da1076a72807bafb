import type { CacheEntry } from "../../storage/cache/cache-entry.js";
import type { ServedResource } from "../served-resource.js";
import type { ListOptions } from "./list-options.js";

/** Whether an entry is wanted. Undefined where everything is, so that the common case costs one comparison. */
export type Selection = ((entry: CacheEntry) => boolean) | undefined;

/** Compiles the selectors of a request into one test on cache entries. */
export function compileSelection(
  served: ServedResource,
  options: Pick<ListOptions, "labelSelector" | "fieldSelector">,
): Selection {
  const { labelSelector, fieldSelector } = options;
  const fields = fieldSelector?.requirements ?? [];
  if (labelSelector === undefined || labelSelector.requirements.length === 0) {
    if (fields.length === 0) {
      return undefined;
    }
    return (entry) => fieldSelector?.matches((name) => fieldOf(served, entry, name)) ?? true;
  }
  if (fields.length === 0) {
    return (entry) => labelSelector.matches(entry.labels());
  }
  return (entry) =>
    labelSelector.matches(entry.labels()) &&
    (fieldSelector?.matches((name) => fieldOf(served, entry, name)) ?? true);
}

/** Selectable fields are kept under their names in the storage version; other versions may call them differently. */
function fieldOf(served: ServedResource, entry: CacheEntry, name: string): string {
  return entry.field(served.definition.storageFieldName?.(name) ?? name) ?? "";
}
