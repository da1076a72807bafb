import type { KindRules } from "@gatehouse/apiserver/registry";
import type { FieldErrors } from "@gatehouse/apiserver/validation";
import { checkNonnegative, FieldPath, immutable } from "@gatehouse/apiserver/validation";
import { encodeJson, isSet, type JsonObject, type JsonValue, valueAt } from "@gatehouse/envelopes";

/** A revision is what was, which does not change. */
export const controllerRevisionRules: KindRules = {
  create: checkRevision,
  update(revision, old, errors) {
    checkRevision(revision, errors);
    const data = valueAt(revision, "data");
    // What v1.29 has not looked into is the same only if it is written the same.
    if (encodeJson(data ?? null) !== encodeJson(valueAt(old, "data") ?? null)) {
      errors.invalidShown(FieldPath.of("data"), goUnknown(data), immutable);
    }
  },
};

function checkRevision(revision: JsonObject, errors: FieldErrors): void {
  if (!isSet(revision, "data")) {
    errors.required(FieldPath.of("data"), "data is mandatory");
  }
  checkNonnegative(valueAt(revision, "revision"), FieldPath.of("revision"), errors);
}

/** In bytes: each of them takes six characters. v1.29 knows no limit. */
const maxShown = 64 * 1024;

/** The JSON of an object as Go prints what it has not looked into: byte by byte. */
function goUnknown(data: JsonValue | undefined): string {
  if (data === undefined || data === null) {
    return '"null"';
  }
  const bytes = Buffer.from(encodeJson(data)).subarray(0, maxShown);
  const raw = Array.from(bytes, (byte) => `0x${byte.toString(16)}`).join(", ");
  return `runtime.Unknown{TypeMeta:runtime.TypeMeta{APIVersion:"", Kind:""}, Raw:[]uint8{${raw}}, ContentEncoding:"", ContentType:"application/json"}`;
}
