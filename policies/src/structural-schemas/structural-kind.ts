import { type JsonObject, type JsonValue, textAt } from "@gatehouse/envelopes/json";
import type { Steps } from "@gatehouse/envelopes/scheduling";
import { groupVersionOf, type ObjectSchema } from "@gatehouse/envelopes/schema";
import { type FieldError, fieldError, invalid, type StatusError } from "@gatehouse/envelopes/status";
import type { ObserveRules } from "./rules/compile-rules.js";
import { evaluateRules, type RuleError } from "./rules/evaluate-rules.js";
import { type ExpressionMetrics, unmeasuredExpressions } from "./rules/expression-metrics.js";
import { type RuleNode, type RuleProblem, rulesOfSchema } from "./rules/rule-node.js";
import { Stopwatch } from "./rules/stopwatch.js";
import { type ComparedValue, compareValues } from "./rules/unchanged-parts.js";
import { CompiledSchema } from "./validation/compiled-schema.js";
import { embeddedObjectErrors } from "./validation/embedded-objects.js";
import { isPlainlyValid } from "./validation/is-plainly-valid.js";
import { listUniquenessErrors } from "./validation/list-uniqueness.js";
import { type ScalePaths, scaleSpecErrors, scaleStatusErrors } from "./validation/scale-paths.js";
import { toFieldErrors } from "./validation/schema-error.js";
import { NodeMeter, validateValue } from "./validation/validate-value.js";
import { ValidationResult } from "./validation/validation-result.js";

/** The kind, schema and scale of a version of a custom kind. */
export interface StructuralKindInit {
  readonly group: string;
  readonly kind: string;
  readonly apiVersion: string;
  /** The openAPIV3Schema. */
  readonly source: JsonObject;
  /** The schema compiled from it. */
  readonly schema: ObjectSchema;
  /** The places of the values of a Scale; undefined where objects have none. */
  readonly scale: ScalePaths | undefined;
  /** Returns the observers of the expressions of rules, by their paths below the schema. */
  readonly observe?: ObserveRules;
}

/** The write of an object, as far as validation depends on it. */
export interface StructuralWrite {
  /** The object that is replaced; undefined for a new one. */
  readonly old: JsonObject | undefined;
  /** True for a write of /status, which changes the status alone. */
  readonly isStatus: boolean;
  /** The errors of the metadata, which the caller has validated. */
  readonly metaErrors: readonly FieldError[];
  /** True if mistakes in unchanged parts do not stop an update (feature gate CRDValidationRatcheting). */
  readonly ratchets: boolean;
  readonly metrics?: ExpressionMetrics | undefined;
}

/** The outcome of the validation of an object. */
export interface StructuralFindings {
  /** The errors in v1.29's order; those of rules with the text of the rule alone. */
  readonly errors: readonly (FieldError | RuleError)[];
  readonly warnings: readonly string[];
}

/** A version of a kind with a structural schema, by which its objects are validated. Rules are compiled at their first use. */
export class StructuralKind {
  readonly #init: StructuralKindInit;
  readonly #root: CompiledSchema;
  readonly #rules: RuleNode | undefined;

  constructor(init: StructuralKindInit) {
    this.#init = init;
    this.#root = new CompiledSchema(init.source);
    this.#rules = rulesOfSchema(init.source, true, init.observe);
  }

  /**
   * Compiles all rules at once. Returns the problems of those that do not compile or whose estimated cost is too high, each
   * with its path below the schema.
   */
  compileRules(): readonly RuleProblem[] {
    return this.#rules?.compileAll() ?? [];
  }

  /**
   * Validates an object in v1.29's order: type, metadata, schema, scale, embedded objects, lists, and the rules in CEL.
   * Changes nothing.
   */
  *validate(object: JsonObject, write: StructuralWrite): Steps<StructuralFindings> {
    const { source, schema, scale } = this.#init;
    const { old, isStatus, ratchets } = write;
    const typeErrors = typeMetaErrors(object, this.#init);
    const { now, ratcheted } = write.metrics ?? unmeasuredExpressions;
    const stopwatch = new Stopwatch(now);
    const compared =
      old === undefined || isStatus || !ratchets ? undefined : compareValues(object, old, source, stopwatch);
    const errors: FieldError[] = [];
    if (typeErrors.length > 0) {
      errors.push(...typeErrors);
    } else {
      errors.push(...write.metaErrors);
      yield* schemaErrors(this.#root, object, isStatus, compared, errors);
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
    const warnings = yield* this.#ruleErrors(object, write, compared, errors);
    if (compared !== undefined) {
      ratcheted(stopwatch.seconds);
    }
    return { errors, warnings };
  }

  /** Returns the error of a write whose object has been found invalid. */
  refusal(object: JsonObject, errors: readonly FieldError[]): StatusError {
    return invalid(kindOf(object, this.#init), textAt(object, "metadata", "name"), errors);
  }

  /** Evaluates the rules, unless the object breaks the schema in a way that they do not expect. Returns warnings. */
  *#ruleErrors(
    object: JsonObject,
    { old, ratchets, metrics }: StructuralWrite,
    compared: ComparedValue | undefined,
    errors: FieldError[],
  ): Steps<readonly string[]> {
    if (this.#rules === undefined) {
      return [];
    }
    if (errors.some(({ type }) => blocking.has(type))) {
      const problem =
        "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";
      errors.push(fieldError.invalid("<nil>", null, problem));
      return [];
    }
    const options = { old, compared, evaluatesOptionalOldSelf: ratchets, metrics };
    const findings = yield* evaluateRules(this.#rules, object, options);
    errors.push(...findings.errors);
    return findings.warnings;
  }
}

function typeMetaErrors(object: JsonObject, { kind, apiVersion }: StructuralKindInit): FieldError[] {
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
function kindOf(object: JsonObject, options: StructuralKindInit): { readonly group: string; readonly kind: string } {
  const { kind, apiVersion } = object;
  return {
    group: typeof apiVersion === "string" ? groupVersionOf(apiVersion).group : options.group,
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
