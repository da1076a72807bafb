import type { JsonObject } from "@gatehouse/envelopes/json";
import type { DeletionStrategy } from "../../registry/strategies/deletion-strategy.js";
import type { KindWarnings } from "../../registry/strategies/kind-validation.js";
import type { Caller } from "../../request/caller.js";
import type { DeleteOptions } from "../delete-options.js";

/** Tells the client what the kind has to say about an object that is accepted; `old` is what it replaces. */
export function warnAbout(
  caller: Caller,
  warnings: KindWarnings | undefined,
  object: JsonObject,
  old: JsonObject | undefined,
): void {
  for (const warning of warnings?.(object, old) ?? []) {
    caller.warn(warning);
  }
}

/** Tells the client what the kind has to say about the options of a deletion. */
export function warnAboutDeletion(caller: Caller, strategy: DeletionStrategy, options: DeleteOptions): void {
  for (const warning of strategy.warningsOnDelete?.(options) ?? []) {
    caller.warn(warning);
  }
}
