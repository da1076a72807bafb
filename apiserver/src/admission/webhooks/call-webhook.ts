import { badRequest } from "@gatehouse/envelopes/status";
import { ifLarge } from "../../request/if-large.js";
import { inSpan } from "../../request/request-trace.js";
import type { AdmissionAttributes } from "../attributes.js";
import { type ReviewBody, sentReview } from "./admission-review.js";
import type { Webhook } from "./webhook.js";
import { readAnswer, type WebhookAnswer, WebhookAnswerError } from "./webhook-answer.js";
import { failedCall, type WebhookClient } from "./webhook-client.js";
import type { WebhookDispatch } from "./webhook-dispatch.js";
import { WebhookFailedError } from "./webhook-failure.js";

/** A call of a webhook about a write. */
export interface Question {
  readonly webhook: Webhook;
  readonly attributes: AdmissionAttributes;
  readonly body: ReviewBody;
  readonly isMutating: boolean;
  /** Milliseconds that the webhook may take, at most its own timeout: see `timeoutFor`. */
  readonly timeoutMs: number;
}

/**
 * Asks a webhook. Its warnings and annotations are passed on, whatever it decides. Rejects with WebhookFailedError when there
 * is no answer.
 */
export async function callWebhook(
  { client, breaker }: Pick<WebhookDispatch, "client" | "breaker">,
  question: Question,
): Promise<WebhookAnswer> {
  const { webhook, attributes, isMutating } = question;
  const startedAt = performance.now();
  let answer: WebhookAnswer;
  try {
    answer = await inSpan(
      attributes.trace,
      `Call ${isMutating ? "mutating" : "validating"} webhook`,
      (span) => {
        const traced = { ...question, traceparent: span?.traceparent };
        return breaker === undefined ? ask(client, traced) : breaker.guard(webhook, () => ask(client, traced));
      },
      { configuration: webhook.configuration, webhook: webhook.name },
    );
  } finally {
    attributes.waitedFor(isMutating ? "mutating-webhook" : "validating-webhook", performance.now() - startedAt);
  }
  for (const [key, value] of Object.entries(answer.auditAnnotations)) {
    attributes.annotate(`${webhook.name}/${key}`, value);
  }
  for (const warning of answer.warnings) {
    // v1.29 tells the client nothing that no header can hold.
    if (warning !== "" && !controlCharacters.test(warning)) {
      attributes.warn(warning);
    }
  }
  return answer;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a header must not hold
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/;

/** Throws 400 when a dry run would have effects through this webhook, whatever its failure policy. */
export function checkDryRun(webhook: Webhook, attributes: AdmissionAttributes): void {
  if (attributes.dryRun && !webhook.supportsDryRun) {
    throw badRequest(`admission webhook ${JSON.stringify(webhook.name)} does not support dry run`);
  }
}

async function ask(
  client: WebhookClient,
  question: Question & { readonly traceparent: string | undefined },
): Promise<WebhookAnswer> {
  const { webhook, attributes, body, isMutating, timeoutMs, traceparent } = question;
  const { reviewVersion } = webhook;
  if (reviewVersion === undefined) {
    const problem = "webhook does not accept known AdmissionReview versions (v1, v1beta1)";
    throw new WebhookFailedError(webhook.name, `could not create admission objects: ${problem}`, 400);
  }
  const review = sentReview(body, reviewVersion);
  const { signal, remainingMs } = attributes;
  const sent = await client.call({ webhook, body: review.text, signal, timeoutMs, remainingMs, traceparent });
  try {
    await attributes.yieldIfLarge(sent.length);
    return await readAnswer(sent, review, isMutating, ifLarge(attributes));
  } catch (error) {
    if (error instanceof WebhookAnswerError) {
      throw error.at === "call"
        ? failedCall(webhook, error.message, 400, { cause: error })
        : new WebhookFailedError(webhook.name, `received invalid webhook response: ${error.message}`, 503, {
            cause: error,
          });
    }
    throw error;
  }
}
