import { decodeJson } from "@gatehouse/envelopes/codec";
import { DecodeError } from "@gatehouse/envelopes/errors";
import { goGroupVersionKind, goQuote } from "@gatehouse/envelopes/go";
import {
  booleanAt,
  integerAt,
  isJsonObject,
  isSet,
  type JsonObject,
  objectAt,
  textAt,
  textsAt,
} from "@gatehouse/envelopes/json";
import type { StepContext } from "@gatehouse/envelopes/scheduling";
import { kindSchema, type ObjectSchema } from "@gatehouse/envelopes/schema";
import type { Status, StatusDetails } from "@gatehouse/envelopes/status";
import { ReviewAnswerError } from "../../errors/errors.js";
import { readReviewAnswer } from "../../review-webhooks/review-answer.js";
import type { SentReview } from "./admission-review.js";
import { WebhookDenialError } from "./webhook-failure.js";

/** The answer of a webhook. */
export interface WebhookAnswer {
  readonly isAllowed: boolean;
  /** The Status that the webhook sent; undefined for none. */
  readonly result: JsonObject | undefined;
  /** The JSON patch as bytes; undefined for none. */
  readonly patch: Buffer | undefined;
  readonly patchType: string;
  readonly auditAnnotations: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

/** An answer that cannot be read (`call`), or that is not one to the question (`response`). */
export class WebhookAnswerError extends Error {
  readonly at: "call" | "response";

  constructor(at: "call" | "response", message: string, options?: ErrorOptions) {
    super(message, options);
    this.at = at;
  }
}

/** Reads the body of an answer in steps. Rejects with WebhookAnswerError. */
export async function readAnswer(
  body: Buffer,
  review: SentReview,
  isMutating: boolean,
  context: StepContext,
): Promise<WebhookAnswer> {
  const answer = await decodeReview(body, review.version, context);
  await context.yield();
  const response = isJsonObject(answer) ? answer["response"] : undefined;
  if (!isJsonObject(response)) {
    throw new WebhookAnswerError("response", "webhook response was absent");
  }
  if (review.version === "v1") {
    checkIdentity(answer, response, review);
    checkPatchMembers(response, isMutating);
  }
  const patch = Buffer.from(textAt(response, "patch"), "base64");
  const isPatched = isMutating && patch.length > 0;
  return {
    isAllowed: booleanAt(response, "allowed"),
    result: isSet(response, "status") ? objectAt(response, "status") : undefined,
    patch: isPatched ? patch : undefined,
    // The older version has never looked at the type.
    patchType: review.version === "v1" ? textAt(response, "patchType") : "JSONPatch",
    auditAnnotations: objectAt(response, "auditAnnotations") as Readonly<Record<string, string>>,
    warnings: textsAt(response, "warnings"),
  };
}

async function decodeReview(body: Buffer, version: "v1" | "v1beta1", context: StepContext): Promise<JsonObject> {
  try {
    const review = { group: "admission.k8s.io", version, kind: "AdmissionReview" };
    const { value, asWritten } = await readReviewAnswer(body, review, context);
    await context.yield();
    const schema = kindSchema("admission.k8s.io", version, "AdmissionReview")?.schema as ObjectSchema;
    const { object } = decodeJson(schema, value ?? {}, { asWritten });
    // These are what the answer says, and are compared with what was asked for.
    return { ...object, kind: textAt(value, "kind"), apiVersion: textAt(value, "apiVersion") };
  } catch (error) {
    if (error instanceof DecodeError || error instanceof ReviewAnswerError) {
      throw new WebhookAnswerError("call", error.message, { cause: error });
    }
    throw error;
  }
}

function checkIdentity(answer: JsonObject, response: JsonObject, { uid }: SentReview): void {
  const said = textAt(response, "uid");
  if (said !== uid) {
    throw new WebhookAnswerError("response", `expected response.uid=${goQuote(uid)}, got ${goQuote(said)}`);
  }
  const [apiVersion, kind] = [textAt(answer, "apiVersion"), textAt(answer, "kind")];
  if (apiVersion !== "admission.k8s.io/v1" || kind !== "AdmissionReview") {
    throw new WebhookAnswerError(
      "response",
      `expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got ${goGroupVersionKind(apiVersion, kind)}`,
    );
  }
}

function checkPatchMembers(response: JsonObject, isMutating: boolean): void {
  const hasPatch = textAt(response, "patch") !== "";
  const hasType = isSet(response, "patchType");
  if (!isMutating) {
    if (hasPatch || hasType) {
      const member = hasPatch ? "patch" : "patchType";
      throw new WebhookAnswerError("response", `validating webhook may not return response.${member}`);
    }
    return;
  }
  if (hasPatch && !hasType) {
    throw new WebhookAnswerError("response", "webhook returned response.patch but not response.patchType");
  }
  if (!hasPatch && hasType) {
    throw new WebhookAnswerError("response", "webhook returned response.patchType but not response.patch");
  }
  if (hasType && textAt(response, "patchType") === "") {
    throw new WebhookAnswerError("response", 'webhook returned invalid response.patchType of ""');
  }
}

/**
 * Returns the denial of a webhook for the client: its own Status, completed where a code or message is missing, the
 * code is below 400, or it says that all is well.
 */
export function denial(webhook: string, result: JsonObject | undefined): WebhookDenialError {
  const code = Math.max(400, Number(integerAt(result, "code")));
  const [message, reason, status] = [textAt(result, "message"), textAt(result, "reason"), textAt(result, "status")];
  const prefix = `admission webhook ${JSON.stringify(webhook)} denied the request`;
  const text = message === "" && reason === "" ? `${prefix} without explanation` : `${prefix}: ${message || reason}`;
  return new WebhookDenialError(code, reason, text, {
    status: status === "" || status === "Success" ? "Failure" : status,
    ...(isSet(result, "details") ? { details: objectAt(result, "details") as StatusDetails } : {}),
    ...(isSet(result, "metadata") ? { metadata: objectAt(result, "metadata") as Status["metadata"] } : {}),
  });
}
