import type { JsonObject } from "@gatehouse/envelopes";
import { isSet, objectAt } from "../../../objects/json-fields.js";

const classAnnotation = "kubernetes.io/ingress.class";

/** What is said about a new ingress. */
export function ingressWarnings(ingress: JsonObject, old: JsonObject | undefined): readonly string[] {
  const usesAnnotation = Object.hasOwn(objectAt(ingress, "metadata", "annotations"), classAnnotation);
  return old === undefined && usesAnnotation && !isSet(ingress, "spec", "ingressClassName")
    ? [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`]
    : [];
}
