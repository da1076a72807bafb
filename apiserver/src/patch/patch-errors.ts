import { jsonTypeName } from "@gatehouse/envelopes/codec";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { badRequest, type StatusError } from "@gatehouse/envelopes/status";

/**
 * Returns the 400 for a patch with a misshapen directive or list. kube-apiserver maps these errors to no status and so
 * answers 500; the fault is the client's, so we answer 400 with the same text.
 */
export function patchFailed(message: string): StatusError {
  return badRequest(message);
}

/**
 * Returns the body of a merge patch or strategic merge patch as an object; throws 400 if it is anything else. `null` is
 * an empty patch. `prefix` is the text that kube-apiserver puts before the decoder's own.
 */
export function decodeObjectPatch(patch: JsonValue, prefix: string): JsonObject {
  if (patch === null) {
    return {};
  }
  if (!isJsonObject(patch)) {
    throw badRequest(
      `${prefix}json: cannot unmarshal ${jsonTypeName(patch)} into Go value of type map[string]interface {}`,
    );
  }
  return patch;
}
