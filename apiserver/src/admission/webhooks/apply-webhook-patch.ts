import { DecodeError, parseJsonSteps } from "@gatehouse/envelopes/codec";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import { decodeJsonPatch, jsonPatchSteps } from "@gatehouse/envelopes/json-patch";
import type { Steps } from "@gatehouse/envelopes/scheduling";
import { internalError, StatusError } from "@gatehouse/envelopes/status";
import { patchFailure } from "./patch-failure.js";

/** Reads the operations of a patch that a webhook has sent, in steps. Throws 500: the fault is the webhook's. */
export function* decodeWebhookPatch(bytes: Buffer): Steps<readonly JsonObject[]> {
  try {
    const { value } = yield* parseJsonSteps(bytes.toString());
    return decodeJsonPatch(value, { fieldValidation: "Ignore" }).operations;
  } catch (error) {
    if (error instanceof DecodeError || error instanceof StatusError) {
      throw internalError(error.message, error);
    }
    throw error;
  }
}

/** Returns the document with the patch applied, in steps. Throws 500 when it does not apply. */
export function* applyWebhookPatch(document: JsonObject, operations: readonly JsonObject[]): Steps<JsonValue> {
  const steps = jsonPatchSteps(document, operations);
  for (let done = 0; ; done++) {
    try {
      const step = steps.next();
      if (step.done === true) {
        return step.value;
      }
    } catch (error) {
      if (error instanceof StatusError) {
        throw internalError(yield* explain(document, operations, done), error);
      }
      throw error;
    }
    yield;
  }
}

/**
 * Finds out why an operation failed; those before it are applied again, since only a finished document shows their
 * result.
 */
function* explain(document: JsonObject, operations: readonly JsonObject[], failed: number): Steps<string> {
  const before = yield* applyWebhookPatch(document, operations.slice(0, failed));
  return patchFailure(before, operations[failed] ?? {});
}
