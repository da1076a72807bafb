import type { JsonObject } from "@gatehouse/envelopes/json";
import { metaOf } from "../../objects/object-meta.js";
import type { DeletionStrategy } from "../../registry/strategies/deletion-strategy.js";
import type { DeleteOptions } from "../delete-options.js";

/** Finalizers by which a deletion asks the garbage collector to see to the dependents first. */
export const orphanFinalizer = "orphan";
/** The dependents go first, then the object. */
export const foregroundFinalizer = "foregroundDeletion";

/**
 * Returns the finalizers of an object that is to be deleted: the fate of its dependents is expressed as one. The same
 * list when there is nothing to change.
 */
export function finalizersForDeletion(
  strategy: Pick<DeletionStrategy, "defaultPropagation">,
  object: JsonObject,
  options: Pick<DeleteOptions, "propagationPolicy" | "orphanDependents">,
): readonly string[] {
  const current = metaOf(object).finalizers ?? [];
  const wanted =
    strategy.defaultPropagation === "Unsupported" ? undefined : wantedFinalizer(strategy, current, options);
  const others = current.filter((finalizer) => finalizer !== orphanFinalizer && finalizer !== foregroundFinalizer);
  const next = wanted === undefined ? others : [...others, wanted];
  return isSameSet(current, next) ? current : next;
}

/**
 * Returns the finalizer for the propagation policy: that of the request, else that of the object, else the default of
 * its kind.
 */
function wantedFinalizer(
  strategy: Pick<DeletionStrategy, "defaultPropagation">,
  current: readonly string[],
  { propagationPolicy, orphanDependents }: Pick<DeleteOptions, "propagationPolicy" | "orphanDependents">,
): string | undefined {
  if (orphanDependents !== undefined) {
    return orphanDependents ? orphanFinalizer : undefined;
  }
  switch (propagationPolicy) {
    case "Orphan":
      return orphanFinalizer;
    case "Foreground":
      return foregroundFinalizer;
    case "Background":
      return undefined;
  }
  const said = current.find((finalizer) => finalizer === orphanFinalizer || finalizer === foregroundFinalizer);
  return said ?? (strategy.defaultPropagation === "Orphan" ? orphanFinalizer : undefined);
}

function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  const inA = new Set(a);
  const inB = new Set(b);
  return inA.size === inB.size && b.every((item) => inA.has(item));
}
