import { SelectorError } from "@gatehouse/envelopes/errors";
import { goSyntax } from "@gatehouse/envelopes/go";
import { isJsonObject, type JsonObject, type JsonValue, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { type LabelSelectorObject, labelSelectorOf } from "@gatehouse/envelopes/selectors";
import { FieldPath, validateLabelValue } from "@gatehouse/envelopes/validation";
import { FieldErrors } from "./field-errors.js";
import { validateLabels } from "./labels.js";
import { validateFormat, validateQualifiedText } from "./names.js";

/** Options for validating a LabelSelector. */
export interface LabelSelectorOptions {
  /** Set when the object that is replaced has label values that are invalid: they may stay. */
  readonly allowInvalidValues?: boolean;
}

/** Validates a LabelSelector of meta/v1; an absent one is valid. */
export function validateLabelSelector(
  selector: JsonValue | undefined,
  path: FieldPath,
  errors: FieldErrors,
  options: LabelSelectorOptions = {},
): void {
  if (!isJsonObject(selector)) {
    return;
  }
  validateLabels(objectAt(selector, "matchLabels"), path.child("matchLabels"), errors);
  const expressions = path.child("matchExpressions");
  for (const [index, expression] of listAt(selector, "matchExpressions").entries()) {
    if (errors.isFull) {
      return;
    }
    validateRequirement(expression, expressions.index(index), errors, options);
  }
}

function validateRequirement(
  expression: JsonValue,
  path: FieldPath,
  errors: FieldErrors,
  { allowInvalidValues = false }: LabelSelectorOptions,
): void {
  const values = listAt(expression, "values");
  const operator = textAt(expression, "operator");
  if (operator === "In" || operator === "NotIn") {
    if (values.length === 0) {
      errors.required(path.child("values"), "must be specified when `operator` is 'In' or 'NotIn'");
    }
  } else if (operator === "Exists" || operator === "DoesNotExist") {
    if (values.length > 0) {
      errors.forbidden(path.child("values"), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    }
  } else {
    errors.invalid(path.child("operator"), operator, "not a valid selector operator");
  }
  validateQualifiedText(textAt(expression, "key"), path.child("key"), errors);
  for (const [index, value] of (allowInvalidValues ? [] : values).entries()) {
    if (errors.isFull) {
      return;
    }
    validateFormat(String(value), validateLabelValue, path.child("values").index(index), errors);
  }
}

/** Reports whether a selector is valid; an absent one is. */
export function isValidLabelSelector(selector: JsonValue | undefined): boolean {
  const errors = new FieldErrors();
  validateLabelSelector(selector, FieldPath.of("selector"), errors);
  return errors.list.length === 0;
}

/** Reports whether an expression of the selector has a value that no label can have. */
export function hasInvalidLabelValue(selector: JsonValue | undefined): boolean {
  return listAt(selector, "matchExpressions").some((expression) =>
    listAt(expression, "values").some((value) => validateLabelValue(String(value)).length > 0),
  );
}

/** Reports whether a selector is present and empty, and therefore selects everything. */
export function isEmptySelector(selector: JsonValue | undefined): boolean {
  return (
    isJsonObject(selector) &&
    Object.keys(objectAt(selector, "matchLabels")).length + listAt(selector, "matchExpressions").length === 0
  );
}

/** Reports whether a selector matches these labels; an absent one matches none. Undefined for an invalid selector. */
export function selectsLabels(selector: JsonValue | undefined, labels: JsonObject): boolean | undefined {
  try {
    return labelSelectorOf(selector as LabelSelectorObject | null | undefined).matches(
      labels as Record<string, string>,
    );
  } catch (error) {
    if (error instanceof SelectorError) {
      return undefined;
    }
    throw error;
  }
}

/** Returns a selector as Go prints it; `"null"` for none. */
export function goLabelSelector(selector: JsonValue | undefined): string {
  return isJsonObject(selector) ? goSyntax("k8s.io.apimachinery.pkg.apis.meta.v1.LabelSelector", selector) : '"null"';
}
