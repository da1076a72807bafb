import { jsonTypeName } from "@gatehouse/envelopes/codec";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { badRequest, type StatusError } from "@gatehouse/envelopes/status";

/**
 * A patch with a misshapen directive or list. kube-apiserver maps these to no status and so answers 500; the fault is the
 * client's, so we say 400, with the same text.
 */
export function patchFailed(message: string): StatusError {
  return badRequest(message);
}

/**
 * The body of a merge patch or strategic merge patch as an object; 400 if it is anything else. `null` is an empty patch.
 * `prefix` is the text that kube-apiserver puts before the decoder's own.
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
