import type { WriteSelectors } from "@gatehouse/policies/admission-expressions";
import type { Authorizer } from "../../authorization/authorizer.js";
import type { AdmissionAttributes } from "../attributes.js";
import type { MatchConditionMetrics } from "../expressions/match-condition-metrics.js";
import type { ObjectInterfaces } from "../object-interfaces.js";
import type { FailedOpen } from "./failed-open.js";
import type { Webhook } from "./webhook.js";
import type { WebhookBreaker } from "./webhook-breaker.js";
import type { WebhookClient } from "./webhook-client.js";
import type { WebhookMetrics } from "./webhook-metrics.js";
import type { WebhookSource } from "./webhook-source.js";

/** The parts that calls of the webhooks of one type need. */
export interface WebhookDispatch {
  readonly source: WebhookSource;
  readonly selectors: WriteSelectors;
  readonly forms: ObjectInterfaces;
  /** The authorizer of the server, which match conditions ask. */
  readonly authorizer: Authorizer;
  readonly client: WebhookClient;
  readonly metrics: WebhookMetrics;
  readonly conditionMetrics: MatchConditionMetrics;
  /** True if the webhooks of a write share its time (`--admission-webhook-deadline-budget`). */
  readonly sharesDeadline: boolean;
  /** The breaker; undefined where every call is made (`--admission-webhook-breaker`). */
  readonly breaker: WebhookBreaker | undefined;
  /** Called with a write that went on without a webhook (`--admission-webhook-ledger-size`). */
  readonly failedOpen: (entry: FailedOpen) => void;
}

/** Milliseconds of a write's time that are reserved for validation and the store. */
const reserveMs = 1000;

/**
 * Returns the milliseconds that a webhook may take: its own timeout. Where time is shared, at most its part of the time
 * left for the request, so that the `others` after it have theirs. Where it is not, the request itself ends the call at
 * its deadline: a second timer would race with that of the request, and a call that it ended would count as a failure
 * of the webhook, and be ignored under Ignore.
 */
export function timeoutFor(
  { sharesDeadline }: Pick<WebhookDispatch, "sharesDeadline">,
  { timeoutMs }: Webhook,
  { remainingMs }: AdmissionAttributes,
  others: number,
): number {
  return sharesDeadline ? Math.max(1, Math.min(timeoutMs, (remainingMs - reserveMs) / (others + 1))) : timeoutMs;
}
