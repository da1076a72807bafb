import { copyJson } from "@gatehouse/envelopes/codec";
import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";
import { applyJsonPatch } from "@gatehouse/envelopes/json-patch";
import type { PatchOperation } from "../json-patch/create-json-patch.js";

/** Returns a copy of the object with the operations applied. Throws Error when they do not apply. */
export function applyPatch(object: JsonObject, operations: readonly PatchOperation[]): JsonObject {
  let result: unknown;
  try {
    result = applyJsonPatch(copyJson(object), operations as unknown as JsonObject[]);
  } catch (error) {
    const { cause } = error as { readonly cause?: { readonly message?: string } };
    throw new Error(`the patch does not apply: ${cause?.message ?? "unknown operation"}`, { cause: error });
  }
  if (!isJsonObject(result)) {
    throw new Error("the patch leaves no object");
  }
  return result;
}
