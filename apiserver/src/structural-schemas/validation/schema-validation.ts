import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import type { Steps } from "@gatehouse/envelopes/scheduling";
import type { ObjectSchema } from "@gatehouse/envelopes/schema";
import { type FieldError, fieldError, invalid } from "@gatehouse/envelopes/status";
import { metaOf } from "../../objects/object-meta.js";
import type { SteppedValidation } from "../../registry/strategies/kind-validation.js";
import type { StrategyContext } from "../../registry/strategies/strategy-context.js";
import { evaluateRules, type RuleOptions } from "../rules/evaluate-rules.js";
import { type RuleNode, rulesOfSchema } from "../rules/rule-node.js";
import { type ComparedValue, compareValues } from "../rules/unchanged-parts.js";
import { CompiledSchema } from "./compiled-schema.js";
import { embeddedObjectErrors } from "./embedded-objects.js";
import { isPlainlyValid } from "./is-plainly-valid.js";
import { listUniquenessErrors } from "./list-uniqueness.js";
import { type ScalePaths, scaleSpecErrors, scaleStatusErrors } from "./scale-paths.js";
import { toFieldErrors } from "./schema-error.js";
import { NodeMeter, validateValue } from "./validate-value.js";
import { ValidationResult } from "./validation-result.js";

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

/**
 * Returns all rules of a custom kind, in v1.29's order: type, metadata, schema, scale, embedded objects, lists, and the
 * expressions of the schema.
 */
export function schemaValidation(options: SchemaValidationOptions): SteppedValidation {
  const { scale } = options;
  let source: JsonObject | undefined;
  let root: CompiledSchema | undefined;
  let rules: RuleNode | undefined;
  return function* validate(object, old, metaErrors, context) {
    const { subresource } = context;
    if (source === undefined || root === undefined) {
      source = options.source();
      root = new CompiledSchema(source);
      rules = rulesOfSchema(source, true);
    }
    const schema = options.schema();
    const typeErrors = typeMetaErrors(object, options);
    const isStatus = subresource === "status";
    const compared = old === undefined || isStatus ? undefined : comparedIfRatcheting(object, old, source, context);
    const errors: FieldError[] = [];
    if (typeErrors.length > 0) {
      errors.push(...typeErrors);
    } else {
      errors.push(...metaErrors);
      yield* schemaErrors(root, object, isStatus, compared, errors);
      if (scale !== undefined) {
        errors.push(...(isStatus ? [] : scaleSpecErrors(object, scale)), ...scaleStatusErrors(object, scale));
      }
    }
    yield;
    if (!isStatus) {
      errors.push(...embeddedObjectErrors(schema, object));
      yield;
    }
    const listErrors = listUniquenessErrors(schema, object);
    // Lists that were not unique before may stay so.
    if (listErrors.length > 0 && (old === undefined || listUniquenessErrors(schema, old).length === 0)) {
      errors.push(...listErrors);
    }
    if (rules !== undefined) {
      yield* ruleErrors(rules, object, { old, compared }, context, errors);
    }
    if (errors.length === 0 && options.validate !== undefined) {
      errors.push(...options.validate(object, old, context));
    }
    if (errors.length > 0) {
      throw invalid(kindOf(object, options), metaOf(object).name ?? "", errors);
    }
  };
}

function typeMetaErrors(object: JsonObject, { kind, apiVersion }: SchemaValidationOptions): FieldError[] {
  return [
    ...(object["kind"] === kind ? [] : [fieldError.invalid("kind", object["kind"], `must be ${kind}`)]),
    ...(object["apiVersion"] === apiVersion
      ? []
      : [fieldError.invalid("apiVersion", object["apiVersion"], `must be ${apiVersion}`)]),
  ];
}

/** Checks an object by the schema; for an update of /status only the status, as a root of its own. */
function* schemaErrors(
  root: CompiledSchema,
  object: JsonObject,
  isStatus: boolean,
  compared: ComparedValue | undefined,
  errors: FieldError[],
): Steps {
  const schema = isStatus ? root.property("status") : root;
  const value: JsonValue | undefined = isStatus ? object["status"] : object;
  if (schema === undefined || value === undefined) {
    return;
  }
  if (isPlainlyValid(schema, value)) {
    return;
  }
  const result = new ValidationResult();
  yield* validateValue(schema, value, "", result, new NodeMeter());
  errors.push(...toFieldErrors(result.errors.filter(({ path }) => compared?.isUnchangedAt(path) !== true)));
}

/** Returns the group and kind that v1.29 names in the error, which are those the object states. */
function kindOf(
  object: JsonObject,
  options: SchemaValidationOptions,
): { readonly group: string; readonly kind: string } {
  const { kind, apiVersion } = object;
  return {
    group: typeof apiVersion === "string" ? (apiVersion.split("/", 1)[0] as string) : options.group,
    kind: typeof kind === "string" ? kind : options.kind,
  };
}

const blocking: ReadonlySet<FieldError["type"]> = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

/** Returns the comparison of an object with the old one, if unchanged parts need not be valid. */
function comparedIfRatcheting(
  object: JsonObject,
  old: JsonObject,
  schema: JsonObject,
  { features }: StrategyContext,
): ComparedValue | undefined {
  return features.enabled("CRDValidationRatcheting") ? compareValues(object, old, schema) : undefined;
}

/** Evaluates the expressions of the schema, unless the object breaks the schema in a way that they do not expect. */
function* ruleErrors(
  rules: RuleNode,
  object: JsonObject,
  before: Pick<RuleOptions, "old" | "compared">,
  { features, warn, expressionMetrics: metrics }: StrategyContext,
  errors: FieldError[],
): Steps {
  if (errors.some(({ type }) => blocking.has(type))) {
    const problem =
      "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";
    errors.push(fieldError.invalid("<nil>", null, problem));
    return;
  }
  const evaluatesOptionalOldSelf = features.enabled("CRDValidationRatcheting");
  const findings = yield* evaluateRules(rules, object, { ...before, evaluatesOptionalOldSelf, metrics });
  for (const warning of findings.warnings) {
    warn(warning);
  }
  errors.push(...findings.errors);
}
