import type { JsonObject } from "@gatehouse/envelopes/json";

/** The rules for the deletion of objects of a resource. */
export interface DeletionStrategy {
  /**
   * The propagation policy of deletions that do not state one. `Unsupported` where objects take no part in garbage
   * collection, whatever the deletion states. Default: `Background`.
   */
  readonly defaultPropagation: "Background" | "Orphan" | "Unsupported";
  /** True if DELETE answers with the last state of the object instead of a Status. Default: false. */
  readonly returnsDeletedObject: boolean;
  /** Returns warnings about the options of a deletion. */
  readonly warningsOnDelete?: (options: StatedPropagation) => readonly string[];
  /**
   * Marks an object that is deleted by its name for the first time, in the place of the rules for any kind: it stays until
   * its finalizers are taken off. `now` as in metadata; `stated` is the fate of dependents, empty if nobody collects them.
   */
  readonly beginDeletion?: (object: JsonObject, now: string, stated: Partial<StatedPropagation>) => void;
  /**
   * True if v1.29 compares preconditions in the storage of the kind, before that of any kind does, and refuses them in other
   * words. Default: false.
   */
  readonly comparesPreconditions?: boolean;
  /**
   * Returns the grace period of a deletion in seconds; 0 deletes at once. `requested` is the client's value. Kinds
   * without this function have no graceful deletion.
   */
  readonly gracePeriodSeconds?: (object: JsonObject, requested: number | undefined) => number;
  /**
   * Returns finalizers that the kind keeps outside of metadata. Once an object is marked, another deletion does nothing while
   * there are some; it is removed only when there are none of either.
   */
  readonly ownFinalizers?: (object: JsonObject) => readonly string[];
}

/** The fate of dependents that a deletion states; undefined members are not stated. */
export interface StatedPropagation {
  readonly propagationPolicy: string | undefined;
  readonly orphanDependents: boolean | undefined;
}

/** Returns the rules for deletions of a kind that replaces or adds `own`. */
export function completeDeletionStrategy(own: Partial<DeletionStrategy> = {}): DeletionStrategy {
  return { defaultPropagation: "Background", returnsDeletedObject: false, ...own };
}
