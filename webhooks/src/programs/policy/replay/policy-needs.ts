import { type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { variablesOf } from "@gatehouse/policies/cel-tracing";
import type { FoundPolicy } from "../policies/policy-folder.js";

/** The needs of a policy: parts of a request besides the object that is written. */
export interface PolicyNeeds {
  readonly oldObject: boolean;
  /** Labels of the namespace other than its name, or other members of it. */
  readonly namespace: boolean;
}

/** The label that each namespace has by itself. */
const nameLabel = "kubernetes.io/metadata.name";

/** Returns the needs of a policy and its bindings. */
export function policyNeeds({ object, bindingObjects, traced }: FoundPolicy): PolicyNeeds {
  const variables = new Set(traced.expressions.flatMap(({ checked }) => [...variablesOf(checked.parsed)]));
  const matches = [objectAt(object, "spec", "matchConstraints"), ...bindingObjects.map(matchResourcesOf)];
  return {
    oldObject: variables.has("oldObject") || matches.some((match) => selectorKeys(match, "objectSelector").length > 0),
    namespace:
      variables.has("namespaceObject") ||
      matches.some((match) => selectorKeys(match, "namespaceSelector").some((key) => key !== nameLabel)),
  };
}

function matchResourcesOf(binding: JsonObject): JsonObject {
  return objectAt(binding, "spec", "matchResources");
}

function selectorKeys(match: JsonObject, selector: string): readonly string[] {
  const expressions = listAt(match, selector, "matchExpressions").map((expression) => textAt(expression, "key"));
  return [...Object.keys(objectAt(match, selector, "matchLabels")), ...expressions];
}
