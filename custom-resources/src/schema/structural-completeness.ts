import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";
import { junctors, listOf, propertiesOf } from "./structural-form.js";

/**
 * Checks that all members named in `allOf`, `anyOf`, `oneOf` and `not` of the root are defined outside of them, too.
 */
export function validateCompleteness(root: JsonObject, path: FieldPath, errors: FieldErrors): void {
  validateJunctors(root, root, path, path, errors);
}

/** Checks the nested schemas of `validation`, found at `at`, which describe the same values as `node`, found at `path`. */
function validateJunctors(
  validation: JsonObject,
  node: JsonObject,
  path: FieldPath,
  at: FieldPath,
  errors: FieldErrors,
): void {
  if (isJsonObject(validation["not"])) {
    validateNested(validation["not"], node, path, at.child("not"), errors);
  }
  for (const junctor of junctors) {
    listOf(validation[junctor]).forEach((nested, index) => {
      validateNested(nested, node, path, at.child(junctor).index(index), errors);
    });
  }
}

function validateNested(
  validation: JsonObject,
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
  validateJunctors(validation, node, path, at, errors);
  if (isJsonObject(validation["items"])) {
    const items = isJsonObject(node["items"]) ? node["items"] : undefined;
    validateNested(validation["items"], items, path.child("items"), at.child("items"), errors);
  }
  const properties = new Map(propertiesOf(node));
  for (const [name, nested] of propertiesOf(validation)) {
    const property = properties.get(name);
    validateNested(nested, property, path.child("properties").key(name), at.child("properties").key(name), errors);
  }
}
