import { present } from "@gatehouse/apiserver/conversion";
import { readGoMessage } from "@gatehouse/envelopes/go";
import { isJsonObject, type JsonObject, type JsonValue, listAt, objectAt } from "@gatehouse/envelopes/json";
import { defaultScaleDownRules, defaultScaleUpRules } from "@gatehouse/envelopes/kind-defaults";
import { messageSchema } from "@gatehouse/envelopes/schema";

/**
 * Returns the behavior for the annotation, under capitalized names and with null for absent members: v1.29 writes its
 * internal form there, and other API servers of the same cluster must understand it.
 */
export function behaviorToAnnotation(behavior: JsonObject): JsonObject {
  return {
    ScaleUp: rulesToAnnotation(behavior["scaleUp"]),
    ScaleDown: rulesToAnnotation(behavior["scaleDown"]),
  };
}

function rulesToAnnotation(rules: JsonValue | undefined): JsonObject | null {
  if (!isJsonObject(rules)) {
    return null;
  }
  const policies = listAt(rules, "policies");
  return {
    StabilizationWindowSeconds: rules["stabilizationWindowSeconds"] ?? null,
    SelectPolicy: rules["selectPolicy"] ?? null,
    Policies:
      policies.length === 0
        ? null
        : policies.map((policy) => ({
            Type: objectAt(policy)["type"] ?? "",
            Value: objectAt(policy)["value"] ?? 0,
            PeriodSeconds: objectAt(policy)["periodSeconds"] ?? 0,
          })),
  };
}

/**
 * Returns the behavior in an annotation, completed by the defaults of each side but for its policies, which are required;
 * undefined when it holds none.
 */
export function behaviorFromAnnotation(value: JsonValue | undefined): JsonObject | undefined {
  const schema = messageSchema("k8s.io.api.autoscaling.v2.HorizontalPodAutoscalerBehavior");
  const { scaleUp, scaleDown } = readGoMessage(schema, value ?? null) ?? {};
  return isJsonObject(scaleUp) || isJsonObject(scaleDown)
    ? { scaleUp: completed(scaleUp, defaultScaleUpRules()), scaleDown: completed(scaleDown, defaultScaleDownRules()) }
    : undefined;
}

/** Returns the rules of a side in the order of the schema, so that to write them again changes nothing. */
function completed(rules: JsonValue | undefined, defaults: JsonObject): JsonObject {
  if (!isJsonObject(rules)) {
    return defaults;
  }
  const given = { ...defaults, ...rules };
  return present({
    stabilizationWindowSeconds: given["stabilizationWindowSeconds"],
    selectPolicy: given["selectPolicy"],
    policies: rules["policies"],
  });
}
