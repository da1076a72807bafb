import { type FieldError, fieldError } from "@gatehouse/envelopes/status";
import { validateQualifiedName } from "@gatehouse/envelopes/validation";
import { admissionDeclarations, compileTypedExpression } from "@gatehouse/policies/admission-expressions";
import type { HookMatchCondition } from "./hook-options.js";

const maxConditions = 64;

/** Returns the parts of match conditions that an API server would refuse, as it says it: with the path of each. */
export function matchConditionProblems(
  conditions: readonly HookMatchCondition[],
  { path = "matchConditions", hasParams = false } = {},
): string[] {
  const errors = conditions.flatMap(({ name, expression }, index) => {
    const at = `${path}[${index}]`;
    const isRepeated = name !== "" && conditions.findIndex((other) => other.name === name) < index;
    return [
      ...expressionErrors(expression, `${at}.expression`, hasParams),
      ...nameErrors(name, `${at}.name`),
      ...(isRepeated ? [fieldError.duplicate(`${at}.name`, name)] : []),
    ];
  });
  const count = conditions.length;
  const tooMany = count > maxConditions ? [fieldError.tooMany(path, count, maxConditions)] : [];
  return [...tooMany, ...errors].map(({ field, message }) => `${field}: ${message}`);
}

function nameErrors(name: string, path: string): readonly FieldError[] {
  return name === ""
    ? [fieldError.required(path)]
    : validateQualifiedName(name).map((problem) => fieldError.invalid(path, name, problem));
}

/** Compiles an expression as a server does that stores it for the first time. */
function expressionErrors(expression: string, path: string, hasParams: boolean): readonly FieldError[] {
  const source = expression.trim();
  if (source === "") {
    return [fieldError.required(path)];
  }
  const declarations = admissionDeclarations({ hasParams, hasAuthorizer: true }, "new");
  const { problem } = compileTypedExpression(source, declarations, ["bool"]);
  return problem === undefined ? [] : [fieldError.invalid(path, source, problem)];
}
