import type { KindValidation } from "@gatehouse/apiserver/registry";
import { type FieldErrors, FieldPath, immutable, validateNonnegative } from "@gatehouse/apiserver/validation";
import { encodeJson } from "@gatehouse/envelopes/codec";
import { isSet, type JsonObject, type JsonValue, valueAt } from "@gatehouse/envelopes/json";

/** Rules of ControllerRevision, whose data never changes. */
export const controllerRevisionValidation: KindValidation = {
  create: validateRevision,
  update(revision, old, errors) {
    validateRevision(revision, errors);
    const data = valueAt(revision, "data");
    // v1.29 compares the data byte by byte, without decoding it.
    if (encodeJson(data ?? null) !== encodeJson(valueAt(old, "data") ?? null)) {
      errors.invalidShown(FieldPath.of("data"), goUnknown(data), immutable);
    }
  },
};

function validateRevision(revision: JsonObject, errors: FieldErrors): void {
  if (!isSet(revision, "data")) {
    errors.required(FieldPath.of("data"), "data is mandatory");
  }
  validateNonnegative(valueAt(revision, "revision"), FieldPath.of("revision"), errors);
}

/** Limit on the shown data in bytes, each of which takes six characters; v1.29 has none. */
const maxShown = 64 * 1024;

/** Returns the JSON of an object as Go prints a runtime.Unknown: byte by byte. */
function goUnknown(data: JsonValue | undefined): string {
  if (data === undefined || data === null) {
    return '"null"';
  }
  const bytes = Buffer.from(encodeJson(data)).subarray(0, maxShown);
  const raw = Array.from(bytes, (byte) => `0x${byte.toString(16)}`).join(", ");
  return `runtime.Unknown{TypeMeta:runtime.TypeMeta{APIVersion:"", Kind:""}, Raw:[]uint8{${raw}}, ContentEncoding:"", ContentType:"application/json"}`;
}
