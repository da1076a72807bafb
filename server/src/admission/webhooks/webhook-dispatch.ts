import type { AdmissionAttributes } from "../attributes.js";
import type { ObjectForms } from "../object-forms.js";
import type { Webhook } from "./webhook.js";
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
}

/** What a webhook may take: its own timeout, but not more than what is left of the request. */
export function timeoutFor({ timeoutMs }: Webhook, { remainingMs }: AdmissionAttributes): number {
  return Math.max(1, Math.min(timeoutMs, remainingMs));
}
