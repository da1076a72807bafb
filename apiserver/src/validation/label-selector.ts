import {
  checkLabelValue,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type LabelSelectorObject,
  labelSelectorOf,
  listAt,
  objectAt,
  SelectorError,
  textAt,
} from "@gatehouse/envelopes";
import { goSyntax } from "../go/syntax.js";
import { FieldErrors } from "./field-errors.js";
import { FieldPath } from "./field-path.js";
import { checkLabels } from "./labels.js";
import { checkFormat, checkQualifiedText } from "./names.js";

/** How strictly a selector is looked at. */
export interface LabelSelectorOptions {
  /** The object that is replaced has values in it that no label can have: they may stay. */
  readonly allowInvalidValues?: boolean;
}

/** A LabelSelector of meta/v1; none is fine. */
export function checkLabelSelector(
  selector: JsonValue | undefined,
  path: FieldPath,
  errors: FieldErrors,
  options: LabelSelectorOptions = {},
): void {
  if (!isJsonObject(selector)) {
    return;
  }
  checkLabels(objectAt(selector, "matchLabels"), path.child("matchLabels"), errors);
  const expressions = path.child("matchExpressions");
  for (const [index, expression] of listAt(selector, "matchExpressions").entries()) {
    if (errors.isFull) {
      return;
    }
    checkRequirement(expression, expressions.index(index), errors, options);
  }
}

function checkRequirement(
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
  checkQualifiedText(textAt(expression, "key"), path.child("key"), errors);
  for (const [index, value] of (allowInvalidValues ? [] : values).entries()) {
    if (errors.isFull) {
      return;
    }
    checkFormat(String(value), checkLabelValue, path.child("values").index(index), errors);
  }
}

/** Whether nothing is wrong with a selector; nothing is with none. */
export function isValidLabelSelector(selector: JsonValue | undefined): boolean {
  const errors = new FieldErrors();
  checkLabelSelector(selector, FieldPath.of("selector"), errors);
  return errors.list.length === 0;
}

/** Whether an expression of the selector asks for a value that no label can have. */
export function hasInvalidLabelValue(selector: JsonValue | undefined): boolean {
  return listAt(selector, "matchExpressions").some((expression) =>
    listAt(expression, "values").some((value) => checkLabelValue(String(value)).length > 0),
  );
}

/** Whether there is a selector that selects everything, as it demands nothing. */
export function isEmptySelector(selector: JsonValue | undefined): boolean {
  return (
    isJsonObject(selector) &&
    Object.keys(objectAt(selector, "matchLabels")).length + listAt(selector, "matchExpressions").length === 0
  );
}

/** Whether a selector finds objects with these labels; no selector finds none. Undefined when it is no selector. */
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

/** A selector as Go prints it; `"null"` where there is none. */
export function goLabelSelector(selector: JsonValue | undefined): string {
  return isJsonObject(selector) ? goSyntax("k8s.io.apimachinery.pkg.apis.meta.v1.LabelSelector", selector) : '"null"';
}
