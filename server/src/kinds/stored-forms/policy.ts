import { isSet, type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import type { StoredFormTable } from "./stored-form.js";

/** A label that no pod has: a selector for it stands for the other meaning of an empty selector in v1beta1. */
const noPodHasIt = "pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match";

/** Disruption budgets in policy/v1beta1, where an empty selector selects no pod. */
export const policyForms: StoredFormTable = {
  poddisruptionbudgets: { olderVersions: [{ group: "policy", version: "v1beta1", toStored: budgetFromBeta1 }] },
};

function budgetFromBeta1(object: JsonObject): JsonObject {
  const spec = objectAt(object, "spec");
  return isSet(spec, "selector")
    ? { ...object, spec: { ...spec, selector: selectorFromBeta1(objectAt(spec, "selector")) } }
    : object;
}

function selectorFromBeta1(selector: JsonObject): JsonObject {
  const expressions = listAt(selector, "matchExpressions");
  if (expressions.length === 0 && Object.keys(objectAt(selector, "matchLabels")).length === 0) {
    return { matchExpressions: [{ key: noPodHasIt, operator: "Exists" }] };
  }
  return {
    ...selector,
    matchExpressions: expressions.filter((expression) => textAt(expression, "key") !== noPodHasIt),
  };
}
