import { encodeJson, parseJson } from "@gatehouse/envelopes/codec";
import { DecodeError } from "@gatehouse/envelopes/errors";
import { isJsonObject, type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { checkValue } from "./check-value.js";
import { compareValues } from "./compare.js";
import { difference, type FieldSet } from "./field-set.js";
import { FieldsError } from "./fields-error.js";
import { appliedFieldsOf } from "./fields-of.js";
import type { MergedKind } from "./merged-kind.js";

/** The name under which kubectl applies. */
export const kubectlManager = "kubectl";

const annotation = "kubectl.kubernetes.io/last-applied-configuration";
const maxAnnotationBytes = 256 * 1024;

/** Reports whether an object carries kubectl's note of what client-side apply has applied. */
export function hasLastApplied(object: JsonObject): boolean {
  return textAt(object, "metadata", "annotations", annotation) !== "";
}

/**
 * Returns the object with the applied configuration as its note; without the note when annotations would get too large.
 */
export function setLastApplied(object: JsonObject, config: JsonObject): JsonObject {
  const metadata = isJsonObject(object["metadata"]) ? object["metadata"] : {};
  const annotations = isJsonObject(metadata["annotations"]) ? { ...metadata["annotations"] } : {};
  // With the line end that v1.29 writes after every document.
  annotations[annotation] = `${encodeJson(sortMembers(withoutNote(config)))}\n`;
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations)) {
    bytes += Buffer.byteLength(key) + Buffer.byteLength(String(value));
  }
  if (bytes > maxAnnotationBytes) {
    delete annotations[annotation];
  }
  return { ...object, metadata: { ...metadata, annotations } };
}

function withoutNote(config: JsonObject): JsonObject {
  const metadata = isJsonObject(config["metadata"]) ? { ...config["metadata"] } : {};
  if (isJsonObject(metadata["annotations"])) {
    const { [annotation]: _note, ...annotations } = metadata["annotations"];
    metadata["annotations"] = annotations;
  }
  return { ...config, metadata };
}

/** Sorts members at every level, as Go writes maps. */
function sortMembers(object: JsonObject): JsonObject {
  return JSON.parse(
    JSON.stringify(object, (_key, value: unknown) =>
      isJsonObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
    ),
  ) as JsonObject;
}

/**
 * Returns the fields that kubectl may take over without force: those in its note whose values have not changed.
 * Undefined when there is no readable note.
 */
export function allowedByLastApplied(kind: MergedKind, live: JsonObject): FieldSet | undefined {
  const note = textAt(live, "metadata", "annotations", annotation);
  if (note === "") {
    return undefined;
  }
  try {
    const { value } = parseJson(note);
    if (!isJsonObject(value) || value["apiVersion"] !== kind.apiVersion || typeof value["kind"] !== "string") {
      return undefined;
    }
    checkValue(kind.type, value, "refused");
    const { changed, removed } = compareValues(kind.type, value, live);
    return difference(difference(appliedFieldsOf(kind.type, value), changed), removed);
  } catch (error) {
    if (error instanceof FieldsError || error instanceof DecodeError) {
      return undefined;
    }
    throw error;
  }
}
