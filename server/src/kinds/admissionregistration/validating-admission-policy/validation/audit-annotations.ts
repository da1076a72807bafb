import { type FieldErrors, type FieldPath, validateQualifiedText } from "@gatehouse/apiserver/validation";
import { goLiteral, goQuote, goSlice } from "@gatehouse/envelopes/go";
import { type JsonArray, type JsonValue, textAt } from "@gatehouse/envelopes/json";
import type { Steps } from "@gatehouse/envelopes/scheduling";
import { reportExpression } from "../../validation/expression-problem.js";
import type { PolicyExpressions } from "./policy-expressions.js";

const maxAnnotations = 20;
const maxExpressionBytes = 5 * 1024;

/** Validates the annotations that a policy adds to audit events, under its own name. */
export function* validateAuditAnnotations(
  annotations: JsonArray,
  policyName: string,
  path: FieldPath,
  errors: FieldErrors,
  expressions: PolicyExpressions,
): Steps {
  if (annotations.length > maxAnnotations) {
    const shown = goSlice("admissionregistration.AuditAnnotation", annotations, () => annotations.map(goAnnotation));
    errors.invalidShown(path, shown, `must not have more than ${maxAnnotations} auditAnnotations`);
  }
  const keys = new Set<string>();
  for (const [index, annotation] of annotations.entries()) {
    if (errors.isFull) {
      return;
    }
    const at = path.index(index);
    const key = textAt(annotation, "key");
    if (policyName === "") {
      errors.invalid(at.child("key"), key, "requires metadata.name be non-empty");
    } else {
      validateQualifiedText(`${policyName}/${key}`, at.child("key"), errors);
    }
    validateExpression(textAt(annotation, "valueExpression"), at.child("valueExpression"), errors, expressions);
    if (keys.has(key)) {
      errors.duplicate(at.child("key"), key);
    }
    keys.add(key);
    yield;
  }
}

function validateExpression(
  expression: string,
  path: FieldPath,
  errors: FieldErrors,
  expressions: PolicyExpressions,
): void {
  const trimmed = expression.trim();
  if (trimmed === "") {
    errors.required(path, "valueExpression is not specified");
    return;
  }
  if (Buffer.byteLength(trimmed) > maxExpressionBytes) {
    // v1.29 reports a long expression as a missing one.
    errors.required(path, `must not exceed ${maxExpressionBytes} bytes in length`);
    return;
  }
  const problem = expressions.problemOfAnnotation(expression);
  if (problem !== undefined) {
    reportExpression(errors, path, expression, problem);
  }
}

function goAnnotation(annotation: JsonValue): string {
  return goLiteral("admissionregistration.AuditAnnotation", {
    Key: goQuote(textAt(annotation, "key")),
    ValueExpression: goQuote(textAt(annotation, "valueExpression")),
  });
}
