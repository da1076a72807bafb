import type { Verb } from "../registry/resource-definition.js";
import { generationOfAll } from "../registry/strategies/generation-strategy.js";
import type { KindStrategy } from "../registry/strategies/resource-strategy.js";
import { keepClientMetadata } from "../registry/strategies/status-strategy.js";
import { finalizerWarnings } from "./finalizer-warnings.js";

/** The verbs of stored resources whose kind has a schema in JSON, in the order of discovery. */
export const schemaKindVerbs: readonly Verb[] = [
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "create",
  "update",
  "watch",
];

/** The rules of all kinds with a schema in JSON beside those of their schemas. */
export const schemaKindStrategy: KindStrategy = {
  warnings: finalizerWarnings,
  metadata: { knownFinalizersOnly: false, rechecks: ["change"] },
  generation: generationOfAll,
  update: { allowUnconditionalUpdate: false },
  status: { prepareForUpdate: keepClientMetadata },
};
