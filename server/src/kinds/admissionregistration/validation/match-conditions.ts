import {
  type FieldErrors,
  type FieldPath,
  validateQualifiedText,
  validateRequiredText,
} from "@gatehouse/apiserver/validation";
import { trimSpace } from "@gatehouse/envelopes/go";
import { type JsonArray, type JsonValue, textAt } from "@gatehouse/envelopes/json";
import type { Steps } from "@gatehouse/envelopes/scheduling";
import { admissionDeclarations, compileTypedExpression } from "@gatehouse/policies/admission-expressions";
import { reportExpression } from "./expression-problem.js";

const maxConditions = 64;

/** The circumstances of match conditions that are validated. */
export interface MatchConditionsContext {
  /** True if expressions may use `params`. */
  readonly hasParams: boolean;
  /** Expressions that are stored already, which may use functions of this release. */
  readonly stored: ReadonlySet<string>;
}

/**
 * Validates match conditions: expressions that a request must meet, each with a name of its own. In steps, since an
 * expression may take a while to compile.
 */
export function* validateMatchConditions(
  conditions: JsonArray,
  path: FieldPath,
  errors: FieldErrors,
  context: MatchConditionsContext,
): Steps {
  if (conditions.length > maxConditions) {
    errors.tooMany(path, conditions.length, maxConditions);
  }
  const names = new Set<string>();
  for (const [index, condition] of conditions.entries()) {
    if (errors.isFull) {
      return;
    }
    const at = path.index(index);
    validateCondition(condition, at, errors, context);
    yield;
    const name = textAt(condition, "name");
    if (names.has(name)) {
      errors.duplicate(at.child("name"), name);
    }
    if (name !== "") {
      names.add(name);
    }
  }
}

function validateCondition(
  condition: JsonValue,
  path: FieldPath,
  errors: FieldErrors,
  context: MatchConditionsContext,
): void {
  const expression = trimSpace(textAt(condition, "expression"));
  if (expression === "") {
    errors.required(path.child("expression"));
  } else {
    validateExpression(expression, path.child("expression"), errors, context);
  }
  const name = textAt(condition, "name");
  if (validateRequiredText(name, path.child("name"), errors)) {
    validateQualifiedText(name, path.child("name"), errors);
  }
}

function validateExpression(
  expression: string,
  path: FieldPath,
  errors: FieldErrors,
  { hasParams, stored }: MatchConditionsContext,
): void {
  const age = stored.has(expression) ? "stored" : "new";
  const declarations = admissionDeclarations({ hasParams, hasAuthorizer: true }, age);
  const result = compileTypedExpression(expression, declarations, ["bool"]);
  if (result.problem !== undefined) {
    reportExpression(errors, path, expression, result);
  }
}
