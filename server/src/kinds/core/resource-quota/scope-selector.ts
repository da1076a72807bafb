import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { goLiteral, goQuote, goSlice, goTexts, listAsSent } from "@gatehouse/envelopes/go";
import { type JsonObject, type JsonValue, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { conflictsOf, isStandardScope, resourcesBeyond } from "./scopes.js";

/**
 * Validates a scope selector; only the priority class scope has values. As in v1.29, errors do not name the expression.
 */
export function validateScopeSelector(spec: JsonObject, path: FieldPath, errors: FieldErrors): void {
  const expressions = listAt(spec, "scopeSelector", "matchExpressions");
  const beyond = resourcesBeyond(spec);
  for (const expression of expressions) {
    if (errors.isFull) {
      return;
    }
    const scope = textAt(expression, "scopeName");
    if (!isStandardScope(scope)) {
      errors.invalid(path.child("scopeName"), scope, "unsupported scope");
    }
    for (let count = beyond(scope); count > 0 && !errors.isFull; count--) {
      errors.invalidShown(path, goScopeSelector(spec), "unsupported scope applied to resource");
    }
    validateOperator(expression, scope, path, errors);
  }
  const scopes = expressions.map((expression) => textAt(expression, "scopeName"));
  for (let count = conflictsOf(scopes); count > 0; count--) {
    errors.invalidShown(path, goTexts("core.ResourceQuotaScope", listAsSent(spec, "scopes")), "conflicting scopes");
  }
}

function validateOperator(expression: JsonValue, scope: string, path: FieldPath, errors: FieldErrors): void {
  const operator = textAt(expression, "operator");
  const values = listAt(expression, "values");
  if (isStandardScope(scope) && scope !== "PriorityClass" && operator !== "Exists") {
    errors.invalid(
      path.child("operator"),
      operator,
      "must be 'Exist' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity",
    );
  }
  if (operator === "In" || operator === "NotIn") {
    if (values.length === 0) {
      const detail = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
      errors.required(path.child("values"), detail);
    }
  } else if (operator === "Exists" || operator === "DoesNotExist") {
    if (values.length > 0) {
      const detail = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
      errors.invalidShown(path.child("values"), goTexts("string", [...values]), detail);
    }
  } else {
    errors.invalid(path.child("operator"), operator, "not a valid selector operator");
  }
}

function goScopeSelector(spec: JsonObject): string {
  const type = "core.ScopedResourceSelectorRequirement";
  const expressions = listAsSent(objectAt(spec, "scopeSelector"), "matchExpressions");
  return goLiteral("core.ScopeSelector", {
    MatchExpressions: goSlice(type, expressions, () =>
      (expressions ?? []).map((expression) =>
        goLiteral(type, {
          ScopeName: goQuote(textAt(expression, "scopeName")),
          Operator: goQuote(textAt(expression, "operator")),
          Values: goTexts("string", listAsSent(objectAt(expression), "values")),
        }),
      ),
    ),
  });
}
