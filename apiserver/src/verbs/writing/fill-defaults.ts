import type { JsonObject } from "@gatehouse/envelopes/json";
import type { ServedResource } from "../../registry/served-resource.js";
import { fillToStorableSize } from "../../registry/storable-size.js";
import type { Caller } from "../../request/caller.js";
import type { VerbEnvironment } from "../verb-environment.js";

/**
 * Fills in, in place, what a client may leave out: what the schema states, and what depends on other members or on
 * features. To apply it twice is to apply it once. Throws 413 when the object becomes larger than any that can be stored.
 * The promise, if there is one, is to be awaited before the next step: others have their turn first.
 */
export function fillDefaults(
  { defaulting, features }: Pick<VerbEnvironment, "defaulting" | "features">,
  caller: Pick<Caller, "yieldIfLarge">,
  { schema }: Pick<ServedResource, "schema">,
  object: JsonObject,
): Promise<void> | undefined {
  return caller.yieldIfLarge(fillToStorableSize(() => defaulting(schema, object, features)));
}
