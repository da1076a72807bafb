import type { SteppedValidation } from "../registry/strategies/kind-validation.js";
import type { SchemaRules } from "./schema-rules.js";

/** Returns the validation of a kind whose objects are checked by a structural schema. */
export function schemaValidation(rules: SchemaRules): SteppedValidation {
  return function* validate(object, old, metaErrors, context) {
    const errors = yield* rules.errors(object, old, metaErrors, context);
    if (errors.length > 0) {
      throw rules.kind.refusal(object, errors);
    }
  };
}
