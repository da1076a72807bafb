import type { JsonObject } from "@gatehouse/envelopes/json";
import { metaOf } from "../../objects/object-meta.js";
import type { ResourceDefinition } from "../../registry/resource-definition.js";
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
  definition: Pick<ResourceDefinition, "defaultPropagation" | "expires">,
  object: JsonObject,
  options: Pick<DeleteOptions, "propagationPolicy" | "orphanDependents">,
): readonly string[] {
  const current = metaOf(object).finalizers ?? [];
  // Objects that expire (events) take no part in garbage collection.
  const wanted = definition.expires ? undefined : wantedFinalizer(definition, current, options);
  const others = current.filter((finalizer) => finalizer !== orphanFinalizer && finalizer !== foregroundFinalizer);
  const next = wanted === undefined ? others : [...others, wanted];
  return isSameSet(current, next) ? current : next;
}

/**
 * Returns the finalizer for the propagation policy: that of the request, else that of the object, else the default of
 * its kind.
 */
function wantedFinalizer(
  definition: Pick<ResourceDefinition, "defaultPropagation">,
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
  return said ?? (definition.defaultPropagation === "Orphan" ? orphanFinalizer : undefined);
}

function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  const inA = new Set(a);
  const inB = new Set(b);
  return inA.size === inB.size && b.every((item) => inA.has(item));
}
