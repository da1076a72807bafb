import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import type { ProblematicExpression } from "@gatehouse/policies/cel";

/** Adds the error for an expression that cannot be evaluated. */
export function reportExpression(
  errors: FieldErrors,
  path: FieldPath,
  expression: string,
  { problem, isInternal }: ProblematicExpression,
): void {
  if (isInternal) {
    errors.internal(path, problem);
  } else {
    errors.invalid(path, expression, problem);
  }
}
