import { decodeJson, invalid, type JsonObject, validateObjectMeta, validateObjectMetaUpdate, validateStructure } from "@gatehouse/envelopes";
import { metaOf } from "../object-meta.js";
import type { ServedResource } from "../served-resource.js";

/** Validates an object that is about to be stored, and brings it into canonical form, in place. */
export function finishObject(served: ServedResource, object: JsonObject, old: JsonObject | undefined): void {
  const errors =
    old === undefined
      ? validateObjectMeta(metaOf(object), {
          namespaced: served.namespaced,
          nameRule: served.definition.nameRule,
        })
      : validateObjectMetaUpdate(metaOf(object), metaOf(old));
  errors.push(...validateStructure(served.schema, object));
  errors.push(...(served.definition.validate?.(object) ?? []));
  if (old !== undefined) {
    errors.push(...(served.definition.validateUpdate?.(object, old) ?? []));
  }
  if (errors.length > 0) {
    throw invalid(served, metaOf(object).name ?? "", errors);
  }
  canonicalize(served, object);
}

/** Members in wire order, whatever order defaulting, admission and patches have left them in. */
function canonicalize(served: ServedResource, object: JsonObject): void {
  const canonical = decodeJson(served.schema, object).object;
  for (const key of Object.keys(object)) {
    delete object[key];
  }
  object["kind"] = served.kind;
  object["apiVersion"] = served.apiVersion;
  Object.assign(object, canonical);
}
