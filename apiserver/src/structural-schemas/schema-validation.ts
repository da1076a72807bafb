import type { JsonObject } from "@gatehouse/envelopes/json";
import type { ObjectSchema } from "@gatehouse/envelopes/schema";
import type { FieldError } from "@gatehouse/envelopes/status";
import { type ScalePaths, StructuralKind } from "@gatehouse/policies/structural-schemas";
import type { SteppedValidation } from "../registry/strategies/kind-validation.js";
import type { StrategyContext } from "../registry/strategies/strategy-context.js";

/** The kind, schema and scale of a version, from which its rules are made. */
export interface SchemaValidationOptions {
  readonly group: string;
  readonly kind: string;
  readonly apiVersion: string;
  /** Returns the openAPIV3Schema; called when the first object is checked. */
  readonly source: () => JsonObject;
  /** The schema compiled from it. */
  readonly schema: () => ObjectSchema;
  readonly scale: ScalePaths | undefined;
  /** Rules beside those of the schema, asked only about objects that it allows. */
  readonly validate?: ValidateFurther;
}

/** Returns the errors of an object that its schema allows; `old` is undefined for a new one. Changes nothing. */
export type ValidateFurther = (
  object: JsonObject,
  old: JsonObject | undefined,
  context: StrategyContext,
) => readonly FieldError[];

/** Returns the validation of a kind by its structural schema, which is compiled when the first object is checked. */
export function schemaValidation(options: SchemaValidationOptions): SteppedValidation {
  let kind: StructuralKind | undefined;
  return function* validate(object, old, metaErrors, context) {
    const { subresource, features, warn, expressionMetrics: metrics } = context;
    kind ??= new StructuralKind({ ...options, source: options.source(), schema: options.schema() });
    const ratchets = features.enabled("CRDValidationRatcheting");
    const write = { old, isStatus: subresource === "status", metaErrors, ratchets, metrics };
    const { errors, warnings } = yield* kind.validate(object, write);
    for (const warning of warnings) {
      warn(warning);
    }
    const further = errors.length === 0 ? options.validate?.(object, old, context) : undefined;
    const all = further ?? errors;
    if (all.length > 0) {
      throw kind.refusal(object, all);
    }
  };
}
