import type { CacheEntry } from "../../storage/cache/cache-entry.js";
import type { ListOptions } from "./list-options.js";

/** Whether an entry is wanted. Undefined where everything is, so that the common case costs one comparison. */
export type Selection = ((entry: CacheEntry) => boolean) | undefined;

/** Compiles the selectors of a request into one test on cache entries. */
export function compileSelection(options: Pick<ListOptions, "labelSelector" | "fieldSelector">): Selection {
  const { labelSelector, fieldSelector } = options;
  const byLabels = labelSelector === undefined || labelSelector.matchesEverything ? undefined : labelSelector;
  const byFields = fieldSelector === undefined || fieldSelector.matchesEverything ? undefined : fieldSelector;
  if (byFields === undefined) {
    return byLabels === undefined ? undefined : (entry) => byLabels.matches(entry.labels());
  }
  if (byLabels === undefined) {
    return (entry) => byFields.matches((name) => entry.field(name) ?? "");
  }
  return (entry) =>
    byLabels.matches(entry.labels()) && byFields.matches((name) => entry.field(name) ?? "");
}
