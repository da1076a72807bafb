import {
  type FieldError,
  fieldError,
  goQuote,
  type JsonObject,
  type JsonValue,
  type LabelSelectorObject,
  labelSelectorOf,
  SelectorError,
} from "@gatehouse/envelopes";
import { isSameState } from "../objects/is-same-state.js";
import { isSet, listAt, objectAt, textAt, valueAt } from "../objects/json-fields.js";

/** The labels of the pods that the object's template makes. */
export function templateLabels(object: JsonObject): JsonObject {
  return objectAt(object, "spec", "template", "metadata", "labels");
}

/** Whether a selector finds pods with these labels; no selector finds none. Undefined when it is no selector. */
export function selects(selector: JsonValue | undefined, labels: JsonObject): boolean | undefined {
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

/**
 * What is wrong with `spec.selector`, beside its form: it must select something, and the pods of `spec.template` among
 * others. `emptyFor` is the kind as v1.29 names it, `misshapen` what is said once more of a selector that is none;
 * without it nothing is.
 */
export function selectorErrors(object: JsonObject, emptyFor: string, misshapen?: string): readonly FieldError[] {
  const selector = valueAt(object, "spec", "selector");
  const labels = templateLabels(object);
  if (isSet(object, "spec", "selector") && isEmptySelector(selector)) {
    return [invalidSelector(selector, `empty selector is invalid for ${emptyFor}`)];
  }
  switch (selects(selector, labels)) {
    case undefined:
      return misshapen === undefined ? [] : [invalidSelector(selector, misshapen)];
    case false:
      return [mismatchedLabels(labels)];
    default:
      return [];
  }
}

/** A selector that changed would leave the pods of before to nobody. */
export function immutableSelector(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const selector = valueAt(object, "spec", "selector");
  return isSameState(selector, valueAt(old, "spec", "selector"))
    ? []
    : [invalidSelector(selector, "field is immutable")];
}

/** The error about a template whose pods its own workload would not find. */
export function mismatchedLabels(labels: JsonObject): FieldError {
  return invalidLabels("spec.template.metadata.labels", labels, "`selector` does not match template `labels`");
}

/** An error about labels, shown as Go prints a map. */
export function invalidLabels(field: string, labels: JsonObject, detail: string): FieldError {
  return shownAs(field, goTextMap(labels), detail);
}

/** An error about `spec.selector`, shown as Go prints a LabelSelector. */
export function invalidSelector(selector: JsonValue | undefined, detail: string): FieldError {
  return selector === undefined || selector === null
    ? fieldError.invalid("spec.selector", null, detail)
    : shownAs("spec.selector", goSelector(selector), detail);
}

function isEmptySelector(selector: JsonValue | undefined): boolean {
  return Object.keys(objectAt(selector, "matchLabels")).length + listAt(selector, "matchExpressions").length === 0;
}

function shownAs(field: string, shown: string, detail: string): FieldError {
  return {
    type: "FieldValueInvalid",
    field,
    message: detail === "" ? `Invalid value: ${shown}` : `Invalid value: ${shown}: ${detail}`,
  };
}

function goSelector(selector: JsonValue): string {
  const expressions = listAt(selector, "matchExpressions").map((expression) => {
    const members = [
      `Key:${goQuote(textAt(expression, "key"))}`,
      `Operator:${goQuote(textAt(expression, "operator"))}`,
      `Values:${goList(
        "[]string",
        listAt(expression, "values").map((value) => goQuote(String(value))),
      )}`,
    ];
    return `v1.LabelSelectorRequirement{${members.join(", ")}}`;
  });
  const labels = goTextMap(objectAt(selector, "matchLabels"));
  return `v1.LabelSelector{MatchLabels:${labels}, MatchExpressions:${goList("[]v1.LabelSelectorRequirement", expressions)}}`;
}

function goTextMap(map: JsonObject): string {
  const entries = Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));
  return goList(
    "map[string]string",
    entries.map(([key, value]) => `${goQuote(key)}:${goQuote(String(value))}`),
  );
}

function goList(type: string, items: readonly string[]): string {
  return items.length === 0 ? `${type}(nil)` : `${type}{${items.join(", ")}}`;
}
