import type { StrategyContext } from "@gatehouse/apiserver/registry";
import { FieldErrors, type FieldPath } from "@gatehouse/apiserver/validation";
import { wasSentEmpty } from "@gatehouse/envelopes/codec";
import { isJsonObject, type JsonObject, textAt } from "@gatehouse/envelopes/json";
import type { Steps } from "@gatehouse/envelopes/scheduling";
import { fieldError } from "@gatehouse/envelopes/status";
import { TotalRuleCost } from "@gatehouse/policies/structural-schemas";
import { PatternProblems } from "../../schema/pattern-problems.js";
import { formProblem, isSaid } from "../../schema/structural-form.js";
import { structuralErrors } from "../../schema/structural-validation.js";
import { validateDefaults } from "./defaults.js";
import type { Demands } from "./demands.js";
import { goSchema } from "./go-schema.js";
import { validateOpenApiSchema } from "./openapi-schema.js";
import { validateRuleExpressions } from "./rule-expressions.js";
import { RuleScope } from "./rule-scope.js";
import { readPatterns } from "./schema-search.js";

/** The properties of a definition that the rules of its schemas depend on. */
export interface ValidationContext {
  readonly demands: Demands;
  readonly structural: boolean;
  /** True if objects have a /status subresource. */
  readonly hasStatus: boolean;
  /** The version whose schema it is; the first one, if all share it. */
  readonly version: string;
  /** True if rules with an optional `oldSelf` are evaluated without an old value. */
  readonly evaluatesOptionalOldSelf: boolean;
  readonly metrics: StrategyContext["expressionMetrics"];
}

/** Validates the schema of one version or of all, in steps. */
export function* validateValidation(
  validation: JsonObject | undefined,
  { demands, structural, hasStatus, version, evaluatesOptionalOldSelf, metrics }: ValidationContext,
  path: FieldPath,
  errors: FieldErrors,
): Steps {
  const schema = validation?.["openAPIV3Schema"];
  if (!isJsonObject(schema)) {
    return;
  }
  const found = new FieldErrors();
  const at = path.child("openAPIV3Schema");
  if (hasStatus) {
    validateRootOfStatus(schema, path, found);
  }
  if (schema["nullable"] === true) {
    found.forbidden(path.child("openAPIV3Schema.nullable"), "nullable cannot be true at the root");
  }
  const problem = structural ? formProblem(schema) : undefined;
  let canCompile = false;
  yield;
  if (structural && problem === undefined) {
    const patterns = new PatternProblems(demands.acceptsPattern);
    yield* readPatterns([schema], patterns);
    const wrongForm = structuralErrors(schema, at, patterns);
    found.add(wrongForm);
    yield;
    if (wrongForm.length === 0) {
      const wrongDefaults = new FieldErrors();
      const ofDefaults = { pruned: demands.prunedDefaults, evaluatesOptionalOldSelf, metrics };
      yield* validateDefaults(schema, ofDefaults, at, wrongDefaults);
      found.add(wrongDefaults.list);
      canCompile = wrongDefaults.list.length === 0;
    }
  }
  yield;
  const scope = canCompile ? RuleScope.ofRoot(schema) : undefined;
  const withRules = validateOpenApiSchema(schema, demands.schema, scope, at, found);
  yield;
  const totalCost = new TotalRuleCost<FieldPath>();
  const limitsCost = withRules.length > 0 && !demands.hasSchema(version, schema);
  for (const node of withRules) {
    yield* validateRuleExpressions(node, { ...demands.expressions, limitsCost, metrics }, totalCost, found);
  }
  if (found.list.length === 0 && problem !== undefined) {
    found.add([fieldError.invalid(String(at), "", problem)]);
  }
  for (const { path: costly, problem: cost } of totalCost.problems(at)) {
    found.forbidden(costly, cost);
  }
  errors.add(found.list);
}

/** Members that the root of a schema may have if there is a /status subresource, in the order of v1.29's struct. */
const allowedAtRoot = [
  "Description",
  "Type",
  "Format",
  "Title",
  "Maximum",
  "ExclusiveMaximum",
  "Minimum",
  "ExclusiveMinimum",
  "MaxLength",
  "MinLength",
  "Pattern",
  "MaxItems",
  "MinItems",
  "UniqueItems",
  "MultipleOf",
  "Required",
  "Items",
  "Properties",
  "ExternalDocs",
  "Example",
  "XPreserveUnknownFields",
  "XValidations",
];

const beforeType = ["id", "$schema", "$ref"];
const afterType = [
  "nullable",
  "default",
  "enum",
  "maxProperties",
  "minProperties",
  "allOf",
  "oneOf",
  "anyOf",
  "not",
  "additionalProperties",
  "patternProperties",
  "dependencies",
  "additionalItems",
  "definitions",
  "x-kubernetes-embedded-resource",
  "x-kubernetes-int-or-string",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-list-type",
  "x-kubernetes-map-type",
];

function validateRootOfStatus(schema: JsonObject, path: FieldPath, errors: FieldErrors): void {
  // A member is set even if it is a pointer to false or an empty list.
  const states = (member: string): boolean =>
    Array.isArray(schema[member]) || isSaid(schema, member) || wasSentEmpty(schema, member);
  const type = textAt(schema, "type");
  if (!beforeType.some(states) && type !== "" && type !== "object") {
    const detail =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    errors.invalid(path.child("openAPIV3Schema.type"), type, detail);
  } else if (beforeType.some(states) || afterType.some(states)) {
    const detail = `only [${allowedAtRoot.join(" ")}] fields are allowed at the root of the schema if the status subresource is enabled`;
    errors.add([
      {
        type: "FieldValueInvalid",
        field: String(path.child("openAPIV3Schema")),
        message: `Invalid value: ${goSchema(schema)}: ${detail}`,
      },
    ]);
  }
}
