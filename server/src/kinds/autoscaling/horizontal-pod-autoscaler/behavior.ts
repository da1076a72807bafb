import { present } from "@gatehouse/apiserver/conversion";
import { isJsonObject, isSet, type JsonObject, type JsonValue, listAt, objectAt } from "@gatehouse/envelopes/json";
import { defaultScaleDownRules, defaultScaleUpRules } from "@gatehouse/envelopes/kind-defaults";

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

/** Returns the behavior in an annotation, completed by the defaults of a side; undefined when it holds none. */
export function behaviorFromAnnotation(value: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(value)) {
    return undefined;
  }
  const scaleUp = rulesFromAnnotation(anyCase(value, "scaleUp"));
  const scaleDown = rulesFromAnnotation(anyCase(value, "scaleDown"));
  return scaleUp === undefined && scaleDown === undefined
    ? undefined
    : { scaleUp: scaleUp ?? defaultScaleUpRules(), scaleDown: scaleDown ?? defaultScaleDownRules() };
}

function rulesFromAnnotation(value: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(value)) {
    return undefined;
  }
  const policies = anyCase(value, "policies");
  return present({
    stabilizationWindowSeconds: anyCase(value, "stabilizationWindowSeconds") ?? undefined,
    selectPolicy: anyCase(value, "selectPolicy") ?? undefined,
    policies:
      Array.isArray(policies) && policies.length > 0
        ? policies.filter(isJsonObject).map((policy) => ({
            type: anyCase(policy, "type") ?? "",
            value: anyCase(policy, "value") ?? 0,
            periodSeconds: anyCase(policy, "periodSeconds") ?? 0,
          }))
        : undefined,
  });
}

/** Returns a member without regard to the case of its name, as Go reads it. */
function anyCase(object: JsonObject, name: string): JsonValue | undefined {
  const wanted = name.toLowerCase();
  const key = Object.keys(object).find((candidate) => candidate.toLowerCase() === wanted);
  return key !== undefined && isSet(object, key) ? object[key] : undefined;
}
