import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { isJsonObject, type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { validateSimpleJsonPath } from "./json-path.js";

/** Validates the paths of replicas and selector in the /scale subresource. */
export function validateSubresources(subresources: JsonObject | undefined, path: FieldPath, errors: FieldErrors): void {
  const scale = subresources?.["scale"];
  if (!isJsonObject(scale)) {
    return;
  }
  for (const [member, root] of [
    ["specReplicasPath", ".spec."],
    ["statusReplicasPath", ".status."],
  ] as const) {
    const jsonPath = textAt(scale, member);
    const at = path.child(`scale.${member}`);
    if (jsonPath === "") {
      errors.required(at);
    } else if (validateSimpleJsonPath(jsonPath, at, errors) && !jsonPath.startsWith(root)) {
      errors.invalid(at, jsonPath, `should be a json path under ${root.slice(0, -1)}`);
    }
  }
  const selector = textAt(scale, "labelSelectorPath");
  const at = path.child("scale.labelSelectorPath");
  if (selector !== "" && validateSimpleJsonPath(selector, at, errors) && !/^\.(spec|status)\./.test(selector)) {
    errors.invalid(at, selector, "should be a json path under either .spec or .status");
  }
}

/** Reports whether objects have a /status subresource. */
export function hasStatus(subresources: JsonObject | undefined): boolean {
  return isJsonObject(subresources?.["status"]);
}
