import { internalError } from "@gatehouse/envelopes/status";
import type { AdmissionAttributes } from "../attributes.js";
import { type FailedOpen, failedOpenEntry } from "./failed-open.js";
import type { Webhook } from "./webhook.js";
import type { WebhookDispatch } from "./webhook-dispatch.js";
import { WebhookFailedError } from "./webhook-failure.js";

/** The outcome of a webhook that did not allow the write. */
export interface Objection {
  readonly webhook: Webhook;
  readonly error: unknown;
  readonly type: FailedOpen["type"];
  /** The place `round_R_index_I`, for the annotation. */
  readonly place: string;
}

/** Names of the phases in annotations and metrics. */
const names = {
  mutating: { annotation: "mutation", metric: "admit" },
  validating: { annotation: "validating", metric: "validating" },
} as const;

/**
 * Throws the error for the client, or returns when the write goes on without the webhook: only a failure may be
 * ignored, and that is noted.
 */
export function goOnOrThrow(
  dispatch: WebhookDispatch,
  attributes: AdmissionAttributes,
  { webhook, error, type, place }: Objection,
): void {
  if (!(error instanceof WebhookFailedError)) {
    throw error;
  }
  if (!webhook.ignoresFailure) {
    throw internalError(error.message, error);
  }
  if (!error.wasAborted) {
    const { annotation, metric } = names[type];
    dispatch.metrics.failedOpen(webhook.name, metric);
    dispatch.failedOpen(failedOpenEntry(type, webhook, attributes, error.message));
    attributes.annotate(`failed-open.${annotation}.webhook.admission.k8s.io/${place}`, webhook.name);
  }
}
