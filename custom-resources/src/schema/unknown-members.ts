import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { isPresent } from "./structural-form.js";

const objectMembers = new Set(["apiVersion", "kind", "metadata"]);

/** Reports whether a value has members that its openAPIV3Schema does not know, and that would be pruned. */
export function hasUnknownMembers(value: JsonValue, schema: JsonObject | undefined): boolean {
  if (Array.isArray(value)) {
    const items = schema?.["items"];
    const ofItems = items !== undefined && isJsonObject(items) ? items : undefined;
    const isKept = schema?.["x-kubernetes-preserve-unknown-fields"] === true && ofItems === undefined;
    return !isKept && value.some((item) => hasUnknownMembers(item, ofItems));
  }
  if (!isJsonObject(value)) {
    return false;
  }
  return Object.entries(value).some(([name, member]) => isUnknown(name, member ?? null, schema));
}

function isUnknown(name: string, member: JsonValue, schema: JsonObject | undefined): boolean {
  const { properties, additionalProperties } = schema ?? {};
  if (schema?.["x-kubernetes-embedded-resource"] === true && objectMembers.has(name)) {
    return false;
  }
  const property = isJsonObject(properties ?? null) && Object.hasOwn(properties as JsonObject, name);
  if (property) {
    return hasUnknownMembers(member, (properties as JsonObject)[name] as JsonObject);
  }
  if (additionalProperties !== undefined && isPresent(additionalProperties)) {
    return hasUnknownMembers(member, isJsonObject(additionalProperties) ? additionalProperties : undefined);
  }
  return schema?.["x-kubernetes-preserve-unknown-fields"] !== true;
}
