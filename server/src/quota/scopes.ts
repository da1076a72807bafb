import {
  integerAt,
  isSet,
  type JsonObject,
  type JsonValue,
  listAt,
  textAt,
  textsAt,
  valueAt,
} from "@gatehouse/envelopes";

/** One thing that a quota demands of the pods it counts. */
export interface QuotaScope {
  readonly name: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** All that a quota demands: `scopes` only name what must be so. */
export function scopesOf(quota: JsonObject): QuotaScope[] {
  const named = textsAt(quota, "spec", "scopes").map((name) => ({ name, operator: "Exists", values: [] }));
  const selected = listAt(quota, "spec", "scopeSelector", "matchExpressions").map((expression) => ({
    name: textAt(expression, "scopeName"),
    operator: textAt(expression, "operator"),
    values: textsAt(expression, "values"),
  }));
  return [...named, ...selected];
}

/** Whether a pod is in a scope. */
export function isInScope(pod: JsonObject, scope: QuotaScope): boolean {
  switch (scope.name) {
    case "Terminating":
      return hasDeadline(pod);
    case "NotTerminating":
      return !hasDeadline(pod);
    case "BestEffort":
      return textAt(pod, "status", "qosClass") === "BestEffort";
    case "NotBestEffort":
      return textAt(pod, "status", "qosClass") !== "BestEffort";
    case "PriorityClass":
      return hasPriorityClass(textAt(pod, "spec", "priorityClassName"), scope);
    case "CrossNamespacePodAffinity":
      return ["podAffinity", "podAntiAffinity"].some((name) => looksElsewhere(valueAt(pod, "spec", "affinity", name)));
    default:
      return false;
  }
}

function hasDeadline(pod: JsonObject): boolean {
  return isSet(pod, "spec", "activeDeadlineSeconds") && integerAt(pod, "spec", "activeDeadlineSeconds") >= 0;
}

function hasPriorityClass(name: string, { operator, values }: QuotaScope): boolean {
  switch (operator) {
    case "Exists":
      return name !== "";
    case "DoesNotExist":
      return name === "";
    case "In":
      return name !== "" && values.includes(name);
    case "NotIn":
      return name === "" || !values.includes(name);
    default:
      return false;
  }
}

/** Whether a pod wants to be near pods of other namespaces, or away from them. */
function looksElsewhere(affinity: JsonValue | undefined): boolean {
  const required = listAt(affinity, "requiredDuringSchedulingIgnoredDuringExecution");
  const preferred = listAt(affinity, "preferredDuringSchedulingIgnoredDuringExecution");
  const terms = [...required, ...preferred.map((weighted) => valueAt(weighted, "podAffinityTerm"))];
  return terms.some((term) => listAt(term, "namespaces").length > 0 || isSet(term, "namespaceSelector"));
}
