import { isSet, type JsonObject, objectAt } from "@gatehouse/envelopes/json";

const classAnnotation = "kubernetes.io/ingress.class";

/** Returns the warnings about a new ingress. */
export function ingressWarnings(ingress: JsonObject, old: JsonObject | undefined): readonly string[] {
  const usesAnnotation = Object.hasOwn(objectAt(ingress, "metadata", "annotations"), classAnnotation);
  return old === undefined && usesAnnotation && !isSet(ingress, "spec", "ingressClassName")
    ? [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`]
    : [];
}
