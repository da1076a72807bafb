import {
  decodeJson,
  type Field,
  type FieldError,
  invalid,
  type JsonObject,
  type ObjectSchema,
  sortMembers,
  validateStructure,
} from "@gatehouse/envelopes";
import type { ServedResource } from "../catalogue/served-resource.js";
import { metaOf } from "../objects/object-meta.js";
import { changedMetadataErrors, newMetadataErrors } from "./validate-metadata.js";

/**
 * Validates an object that is about to be stored, and brings it into canonical form, in place. `subresource` is what is
 * written; empty for the object itself.
 */
export function validateAndCanonicalize(
  served: ServedResource,
  object: JsonObject,
  old: JsonObject | undefined,
  subresource = "",
): void {
  const { definition } = served;
  const meta = metaOf(object);
  const metaErrors =
    old === undefined ? newMetadataErrors(served, meta) : changedMetadataErrors(served, meta, metaOf(old), subresource);
  // Joined without spreading into arguments: the rules of a kind may find more errors than a call can take.
  const errors: readonly FieldError[] = metaErrors.concat(
    validateStructure(served.schema, object),
    definition.validate?.(object) ?? [],
    old === undefined ? [] : (definition.validateUpdate?.(object, old) ?? []),
  );
  if (errors.length > 0) {
    throw invalid(served, meta.name ?? "", errors);
  }
  canonicalize(served, object);
}

/** Members in wire order, whatever order defaulting, admission and patches have left them in. */
export function canonicalize(served: ServedResource, object: JsonObject): void {
  if (served.isUnstructured) {
    canonicalizeUnstructured(served, object);
    return;
  }
  const canonical = decodeJson(served.schema, object, { emptyAsNull: true }).object;
  const members = Object.keys(canonical).filter((key) => key !== "kind" && key !== "apiVersion");
  const order = ["kind", "apiVersion", ...members];
  const present = Object.keys(object);
  if (present.length !== order.length || present.some((key, index) => key !== order[index])) {
    // An object that has lost members is slow to read and to encode ever after; most have theirs in order.
    for (const key of present) {
      delete object[key];
    }
  }
  object["kind"] = served.kind;
  object["apiVersion"] = served.apiVersion;
  for (const key of members) {
    object[key] = canonical[key];
  }
}

/** Of custom kinds only the metadata is typed; all keys are sorted, as Go writes maps. */
function canonicalizeUnstructured(served: ServedResource, object: JsonObject): void {
  object["kind"] = served.kind;
  object["apiVersion"] = served.apiVersion;
  const { schema } = served.schema.properties.get("metadata") as Field;
  object["metadata"] = decodeJson(schema as ObjectSchema, metaOf(object)).object;
  const sorted = sortMembers(object);
  if (sorted !== object) {
    for (const key of Object.keys(object)) {
      delete object[key];
    }
    Object.assign(object, sorted);
  }
}
