import type { StepContext } from "@gatehouse/envelopes/scheduling";
import type { ServedResource } from "../../registry/served-resource.js";
import type { CacheEntry } from "../../storage/cache/cache-entry.js";
import { keyAfter, type Snapshot } from "../../storage/cache/snapshot.js";
import type { WatchInterest } from "../../storage/cache/watch-interest.js";
import type { ListOptions } from "../list-options.js";

/**
 * A test of whether an entry is wanted. Undefined where every entry is, so that the common case costs one comparison.
 */
export type Selection = ((entry: CacheEntry) => boolean) | undefined;

/** Returns the key of the one object that a request can match, when its path or its field selector names it. */
export function singleKeyOf(
  served: ServedResource,
  options: Pick<ListOptions, "fieldSelector">,
  target: { readonly namespace: string; readonly name: string | undefined },
): string | undefined {
  const { fieldSelector } = options;
  const name = target.name ?? fieldSelector?.exactValue("metadata.name");
  const namespace = target.namespace === "" ? fieldSelector?.exactValue("metadata.namespace") : target.namespace;
  if (name === undefined || (served.namespaced && namespace === undefined)) {
    return undefined;
  }
  return served.storage.keyOf(namespace ?? "", name);
}

/**
 * Returns the condition of a request by which an index can find its watchers: one object, one value of a field (the
 * pods of a node), or one namespace. The selection still decides.
 */
export function interestOf(
  served: ServedResource,
  options: Pick<ListOptions, "fieldSelector">,
  target: { readonly namespace: string; readonly name: string | undefined },
): WatchInterest | undefined {
  const key = singleKeyOf(served, options, target);
  if (key !== undefined) {
    return { index: "key", value: key, textOf: (entry) => entry.key };
  }
  const { selectableFields } = served.definition;
  for (const field of selectableFields.keys()) {
    const value = field === "metadata.namespace" ? undefined : options.fieldSelector?.exactValue(field);
    if (value !== undefined) {
      return { index: `field ${field}`, value, textOf: (entry) => entry.field(field, selectableFields) };
    }
  }
  const { prefix } = served.storage;
  const namespacePrefix = served.storage.prefixOf(target.namespace);
  return namespacePrefix === prefix
    ? undefined
    : {
        index: "namespace",
        value: namespacePrefix,
        textOf: ({ key }) => key.slice(0, key.indexOf("/", prefix.length) + 1),
      };
}

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

/** Entries that are looked at in one go. To look for the first time is to parse. */
const entriesAtOnce = 32;

/** Returns up to `max` of the selected entries, in key order, with the event loop free in between. */
export async function takeSelected(
  snapshot: Snapshot,
  range: { readonly prefix: string; readonly fromKey: string | undefined },
  selection: Selection,
  max: number,
  context: Pick<StepContext, "yield">,
): Promise<CacheEntry[]> {
  const { prefix } = range;
  // To take is work, too: of requests that are taken back as soon as they are made, most end here.
  await context.yield();
  if (selection === undefined) {
    return snapshot.take(prefix, range.fromKey, max);
  }
  const taken: CacheEntry[] = [];
  let { fromKey } = range;
  for (;;) {
    const candidates = snapshot.take(prefix, fromKey, entriesAtOnce);
    for (const entry of candidates) {
      if (selection(entry)) {
        taken.push(entry);
        if (taken.length >= max) {
          return taken;
        }
      }
    }
    const last = candidates.at(-1);
    if (last === undefined || candidates.length < entriesAtOnce) {
      return taken;
    }
    fromKey = keyAfter(last.key);
    await context.yield();
  }
}
