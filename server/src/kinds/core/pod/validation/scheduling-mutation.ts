import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { goSyntax, goSyntaxOfList, goTextMapOf, isSameState } from "@gatehouse/envelopes/go";
import { isSet, type JsonObject, type JsonValue, listAt, objectAt } from "@gatehouse/envelopes/json";
import { take } from "./mutable-members.js";

const required = "requiredDuringSchedulingIgnoredDuringExecution";
const term = "k8s.io.api.core.v1.NodeSelectorTerm";

/**
 * Validates changes of node selector and affinity while gates hold a pod back: they may only be narrowed. Validated
 * members get their old values in `spec`, so that no later comparison reports them.
 */
export function validateSchedulingMutation(
  spec: JsonObject,
  old: JsonObject,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const selector = objectAt(spec, "nodeSelector");
  const oldSelector = objectAt(old, "nodeSelector");
  if (!isSameState(selector, oldSelector)) {
    if (Object.keys(oldSelector).some((key) => selector[key] !== oldSelector[key])) {
      const detail = "only additions to spec.nodeSelector are allowed (no mutations or deletions)";
      const shown = goTextMapOf(spec, "nodeSelector");
      errors.invalidShown(path.child("nodeSelector"), shown, detail);
    }
    take(spec, "nodeSelector", old["nodeSelector"]);
  }
  const affinity = objectAt(spec, "affinity", "nodeAffinity");
  const oldAffinity = objectAt(old, "affinity", "nodeAffinity");
  const isSame = isSet(spec, "affinity", "nodeAffinity") === isSet(old, "affinity", "nodeAffinity");
  if (!isSame || !isSameState(affinity, oldAffinity)) {
    validateNodeAffinityMutation(affinity, oldAffinity, path.child("affinity").child("nodeAffinity"), errors);
    takeNodeAffinity(spec, old);
  }
}

function takeNodeAffinity(spec: JsonObject, old: JsonObject): void {
  const affinity = { ...objectAt(spec, "affinity") };
  take(affinity, "nodeAffinity", objectAt(old, "affinity")["nodeAffinity"]);
  const isLeftEmpty = !isSet(old, "affinity") && Object.keys(affinity).length === 0;
  take(spec, "affinity", isLeftEmpty ? undefined : affinity);
}

function validateNodeAffinityMutation(
  affinity: JsonObject,
  old: JsonObject,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const terms = listAt(affinity, required, "nodeSelectorTerms");
  const oldTerms = listAt(old, required, "nodeSelectorTerms");
  const termsPath = path.child(required).child("nodeSelectorTerms");
  if (oldTerms.length > 0 && oldTerms.length !== terms.length) {
    const detail = "no additions/deletions to non-empty NodeSelectorTerms list are allowed";
    const list = objectAt(affinity, required)["nodeSelectorTerms"];
    errors.invalidShown(termsPath, goSyntaxOfList(term, list), detail);
    return;
  }
  for (const [index, oldTerm] of oldTerms.entries()) {
    if (errors.isFull) {
      return;
    }
    if (!hasOnlyAdditions(terms[index], oldTerm)) {
      const detail = "only additions are allowed (no mutations or deletions)";
      errors.invalidShown(termsPath.index(index), goSyntax(term, terms[index]), detail);
    }
  }
}

/**
 * Reports whether new requirements only follow the old ones. A term without any matches nothing and may not get any.
 */
function hasOnlyAdditions(next: JsonValue | undefined, old: JsonValue): boolean {
  const members = ["matchExpressions", "matchFields"];
  if (members.every((name) => listAt(old, name).length === 0)) {
    return members.every((name) => listAt(next, name).length === 0);
  }
  return members.every((name) => {
    const { length } = listAt(old, name);
    return length === 0 || isSameState(listAt(next, name).slice(0, length), listAt(old, name));
  });
}
