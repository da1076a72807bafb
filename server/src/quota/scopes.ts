import {
  integerAt,
  isSet,
  type JsonObject,
  type JsonValue,
  listAt,
  textAt,
  textsAt,
  valueAt,
} from "@gatehouse/envelopes/json";

/** A condition of a quota for the pods that it counts. */
export interface QuotaScope {
  readonly name: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** Returns all scopes of a quota: those of `scopes`, as Exists, and those of its scope selector. */
export function scopesOf(quota: JsonObject): QuotaScope[] {
  const named = textsAt(quota, "spec", "scopes").map((name) => ({ name, operator: "Exists", values: [] }));
  const selected = listAt(quota, "spec", "scopeSelector", "matchExpressions").map((expression) => ({
    name: textAt(expression, "scopeName"),
    operator: textAt(expression, "operator"),
    values: textsAt(expression, "values"),
  }));
  return [...named, ...selected];
}

/** Reports whether a pod is in a scope. */
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

/** Reports whether a pod has an affinity or anti-affinity to pods of other namespaces. */
function looksElsewhere(affinity: JsonValue | undefined): boolean {
  const required = listAt(affinity, "requiredDuringSchedulingIgnoredDuringExecution");
  const preferred = listAt(affinity, "preferredDuringSchedulingIgnoredDuringExecution");
  const terms = [...required, ...preferred.map((weighted) => valueAt(weighted, "podAffinityTerm"))];
  return terms.some((term) => listAt(term, "namespaces").length > 0 || isSet(term, "namespaceSelector"));
}
