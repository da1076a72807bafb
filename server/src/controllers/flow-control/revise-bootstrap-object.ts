import { autoUpdateAnnotation } from "@gatehouse/apiserver/flow-control";
import { parseGoBoolean } from "@gatehouse/envelopes/go";
import { integerAt, isSameJson, type JsonObject, type JsonValue, objectAt } from "@gatehouse/envelopes/json";
import type { BootstrapObject } from "./bootstrap-objects.js";

/**
 * Returns a stored object as it should be; undefined when it is so. The specification of a mandatory object is always
 * mended, that of a suggested one as its annotation says; without one, as long as nobody has changed it.
 */
export function revisedBootstrapObject(
  current: JsonObject,
  { object, isMandatory }: BootstrapObject,
): JsonObject | undefined {
  const told = annotationOf(current);
  const isOurs = isMandatory || (told ?? Number(integerAt(current, "metadata", "generation")) === 1);
  const mendsSpec = isOurs && !hasSpec(current, object);
  if (!mendsSpec && told === isOurs) {
    return undefined;
  }
  const metadata = objectAt(current, "metadata");
  return {
    ...current,
    metadata: {
      ...metadata,
      annotations: {
        ...objectAt(metadata, "annotations"),
        ...(told === isOurs ? {} : { [autoUpdateAnnotation]: String(isOurs) }),
      },
    },
    ...(mendsSpec ? { spec: structuredClone(object["spec"] as JsonValue) } : {}),
  };
}

/** Reports whether an object that is no bootstrap object of this release was one of another. */
export function isFormerBootstrapObject(current: JsonObject): boolean {
  return annotationOf(current) === true;
}

function annotationOf(object: JsonObject): boolean | undefined {
  const value = objectAt(object, "metadata", "annotations")[autoUpdateAnnotation];
  return typeof value === "string" ? parseGoBoolean(value) : undefined;
}

/** Reports whether an object has the specification of another; members of nested objects may come in any order. */
function hasSpec(current: JsonObject, wanted: JsonObject): boolean {
  return isSameJson(current["spec"], wanted["spec"]);
}
