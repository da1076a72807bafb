import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";
import { junctors, listOf, propertiesOf } from "./structural-form.js";

/**
 * Checks that all members named in `allOf`, `anyOf`, `oneOf` and `not` of the root are defined outside of them, too.
 */
export function checkCompleteness(root: JsonObject, path: FieldPath, errors: FieldErrors): void {
  checkJunctors(root, root, path, path, errors);
}

/** Checks the nested schemas of `rules`, found at `at`, which describe the same values as `node`, found at `path`. */
function checkJunctors(rules: JsonObject, node: JsonObject, path: FieldPath, at: FieldPath, errors: FieldErrors): void {
  if (isJsonObject(rules["not"])) {
    checkNested(rules["not"], node, path, at.child("not"), errors);
  }
  for (const junctor of junctors) {
    listOf(rules[junctor]).forEach((nested, index) => {
      checkNested(nested, node, path, at.child(junctor).index(index), errors);
    });
  }
}

function checkNested(
  rules: JsonObject,
  node: JsonObject | undefined,
  path: FieldPath,
  at: FieldPath,
  errors: FieldErrors,
): void {
  if (errors.isFull) {
    return;
  }
  if (node === undefined) {
    errors.required(path, `because it is defined in ${at}`);
    return;
  }
  checkJunctors(rules, node, path, at, errors);
  if (isJsonObject(rules["items"])) {
    const items = isJsonObject(node["items"]) ? node["items"] : undefined;
    checkNested(rules["items"], items, path.child("items"), at.child("items"), errors);
  }
  const properties = new Map(propertiesOf(node));
  for (const [name, nested] of propertiesOf(rules)) {
    const property = properties.get(name);
    checkNested(nested, property, path.child("properties").key(name), at.child("properties").key(name), errors);
  }
}
