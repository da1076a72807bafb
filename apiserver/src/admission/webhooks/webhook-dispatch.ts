import type { AdmissionAttributes } from "../attributes.js";
import type { ObjectForms } from "../object-forms.js";
import type { FailedOpen } from "./failed-open.js";
import type { Webhook } from "./webhook.js";
import type { WebhookBreaker } from "./webhook-breaker.js";
import type { WebhookClient } from "./webhook-client.js";
import type { WebhookMetrics } from "./webhook-metrics.js";
import type { WebhookSelectors } from "./webhook-selectors.js";
import type { WebhookSource } from "./webhook-source.js";

/** What the webhooks of one type are asked with. */
export interface WebhookDispatch {
  readonly source: WebhookSource;
  readonly selectors: WebhookSelectors;
  readonly forms: ObjectForms;
  readonly client: WebhookClient;
  readonly metrics: WebhookMetrics;
  /** Time is shared among the webhooks of a write (`--admission-webhook-deadline-budget`). */
  readonly sharesDeadline: boolean;
  /** Undefined where every call is made (`--admission-webhook-breaker`). */
  readonly breaker: WebhookBreaker | undefined;
  /** Takes what went on without a webhook (`--admission-webhook-ledger-size`). */
  readonly failedOpen: (entry: FailedOpen) => void;
}

/** What is kept of the time of a write for validation and the store, in milliseconds. */
const reserveMs = 1000;

/**
 * What a webhook may take: its own timeout. Where time is shared, not more than its part of what is left of the request, so
 * that those after it, `others` of them one after the other, have theirs. Where it is not, the request itself ends the call
 * when its time is over: a timer for that would race with the one of the request, and what it ends would count as a failure
 * of the webhook, and go on under Ignore.
 */
export function timeoutFor(
  { sharesDeadline }: Pick<WebhookDispatch, "sharesDeadline">,
  { timeoutMs }: Webhook,
  { remainingMs }: AdmissionAttributes,
  others: number,
): number {
  return sharesDeadline ? Math.max(1, Math.min(timeoutMs, (remainingMs - reserveMs) / (others + 1))) : timeoutMs;
}
