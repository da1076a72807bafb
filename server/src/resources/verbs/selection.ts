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
  const { selectableFields } = served.definition;
  const { labelSelector, fieldSelector } = options;
  const byLabels = labelSelector === undefined || labelSelector.matchesEverything ? undefined : labelSelector;
  const byFields = fieldSelector === undefined || fieldSelector.matchesEverything ? undefined : fieldSelector;
  if (byFields === undefined) {
    return byLabels === undefined ? undefined : (entry) => byLabels.matches(entry.labels());
  }
  if (byLabels === undefined) {
    return (entry) => byFields.matches((name) => entry.field(name, selectableFields));
  }
  return (entry) => byLabels.matches(entry.labels()) && byFields.matches((name) => entry.field(name, selectableFields));
}
