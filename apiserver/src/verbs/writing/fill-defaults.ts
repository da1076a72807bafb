import type { JsonObject } from "@gatehouse/envelopes/json";
import { fillToStorableSize } from "../../registry/storable-size.js";
import type { OperationScope } from "../request-scope.js";

/**
 * Fills in, in place, what a client may leave out: what the schema states, and what depends on other members or on
 * features. To apply it twice is to apply it once. Throws 413 when the object becomes larger than any that can be stored.
 * Yields afterwards if the object is large: the promise, if there is one, is to be awaited.
 */
export function fillDefaults(
  { environment, caller, served }: OperationScope,
  object: JsonObject,
): Promise<void> | undefined {
  const { defaulting, features } = environment;
  return caller.yieldIfLarge(fillToStorableSize(() => defaulting(served.schema, object, features)));
}
