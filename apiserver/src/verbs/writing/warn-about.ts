import type { JsonObject } from "@gatehouse/envelopes/json";
import type { ResourceDefinition } from "../../registry/resource-definition.js";
import type { Caller } from "../../request/caller.js";
import type { DeleteOptions } from "../delete-options.js";

/** Tells the client what the kind has to say about an object that is accepted; `old` is what it replaces. */
export function warnAbout(
  caller: Caller,
  definition: ResourceDefinition,
  object: JsonObject,
  old: JsonObject | undefined,
): void {
  for (const warning of definition.warnings?.(object, old) ?? []) {
    caller.warn(warning);
  }
}

/** Tells the client what the kind has to say about deletions that leave it open what becomes of the dependents. */
export function warnAboutDeletion(caller: Caller, definition: ResourceDefinition, options: DeleteOptions): void {
  const { defaultDeletionWarning } = definition;
  if (
    defaultDeletionWarning !== undefined &&
    options.propagationPolicy === undefined &&
    options.orphanDependents === undefined
  ) {
    caller.warn(defaultDeletionWarning);
  }
}
