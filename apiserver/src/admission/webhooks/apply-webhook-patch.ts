import { DecodeError } from "@gatehouse/envelopes/errors";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import { decodeJsonPatch, jsonPatchSteps } from "@gatehouse/envelopes/json-patch";
import { internalError, StatusError } from "@gatehouse/envelopes/status";
import { parseBreathing } from "../../review-webhooks/parse-breathing.js";
import { patchFailure } from "./patch-failure.js";

/**
 * Reads the operations of a patch that a webhook has sent; yields to other work in between. Rejects with 500: the fault
 * is the webhook's.
 */
export async function decodeWebhookPatch(
  bytes: Buffer,
  breathe: () => Promise<void> | undefined,
): Promise<readonly JsonObject[]> {
  try {
    const { value } = await parseBreathing(bytes.toString(), breathe);
    return decodeJsonPatch(value, { fieldValidation: "Ignore" }).operations;
  } catch (error) {
    if (error instanceof DecodeError || error instanceof StatusError) {
      throw internalError(error.message, error);
    }
    throw error;
  }
}

/**
 * Returns the document with the patch applied; yields to other work in between. Rejects with 500 when it does not
 * apply.
 */
export async function applyWebhookPatch(
  document: JsonObject,
  operations: readonly JsonObject[],
  breathe: () => Promise<void> | undefined,
): Promise<JsonValue> {
  const steps = jsonPatchSteps(document, operations);
  for (let done = 0; ; done++) {
    try {
      const step = steps.next();
      if (step.done === true) {
        return step.value;
      }
    } catch (error) {
      if (error instanceof StatusError) {
        throw internalError(await explain(document, operations, done, breathe), error);
      }
      throw error;
    }
    await breathe();
  }
}

/**
 * Finds out why an operation failed; those before it are applied again, since only a finished document shows their
 * result.
 */
async function explain(
  document: JsonObject,
  operations: readonly JsonObject[],
  failed: number,
  breathe: () => Promise<void> | undefined,
): Promise<string> {
  const before = await applyWebhookPatch(document, operations.slice(0, failed), breathe);
  return patchFailure(before, operations[failed] ?? {});
}
