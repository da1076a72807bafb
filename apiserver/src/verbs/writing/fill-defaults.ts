import type { JsonObject } from "@gatehouse/envelopes/json";
import { fillToStorableSize } from "../../registry/storable-size.js";
import type { OperationScope } from "../request-scope.js";

/**
 * Fills in, in place, what a client may leave out: what the schema states, and what depends on other members or on
 * features. To apply it twice is to apply it once. Throws 413 when the object becomes larger than any that can be stored.
 * The promise, if there is one, is to be awaited before the next step: others have their turn first.
 */
export function fillDefaults(
  { environment, caller, served }: OperationScope,
  object: JsonObject,
): Promise<void> | undefined {
  const { defaulting, features } = environment;
  return caller.breathe(fillToStorableSize(() => defaulting(served.schema, object, features)));
}
