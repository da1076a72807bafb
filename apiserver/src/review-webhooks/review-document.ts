import { decodeJson, encodeJson } from "@gatehouse/envelopes/codec";
import { DecodeError } from "@gatehouse/envelopes/errors";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { apiVersionOf, type GroupVersionKind, kindSchema, type ObjectSchema } from "@gatehouse/envelopes/schema";
import { ReviewAnswerError } from "../errors/errors.js";
import { sharedWork } from "../scheduling/shared-work.js";
import { builtinScheme } from "./answer-scheme.js";
import { readReviewAnswer } from "./review-answer.js";

/** Encodes a review, byte for byte as v1.29 does; `status` is its status before there is an answer. */
export function encodeReview(kind: GroupVersionKind, spec: JsonObject, status: JsonObject): string {
  const metadata = { creationTimestamp: null };
  return `${encodeJson({ kind: kind.kind, apiVersion: apiVersionOf(kind), metadata, spec, status })}\n`;
}

/**
 * Decodes the answered review of tokens, access or images, in steps of shared work, since one answer may be for many requests.
 * Rejects with ReviewAnswerError.
 */
export async function decodeReview(kind: GroupVersionKind, body: Buffer): Promise<JsonObject> {
  const { value, asWritten } = await readReviewAnswer(body, kind, sharedWork, builtinScheme);
  try {
    const schema = kindSchema(kind.group, kind.version, kind.kind)?.schema as ObjectSchema;
    return decodeJson(schema, value ?? {}, { asWritten }).object;
  } catch (error) {
    throw error instanceof DecodeError ? new ReviewAnswerError(error.message, { cause: error }) : error;
  }
}
