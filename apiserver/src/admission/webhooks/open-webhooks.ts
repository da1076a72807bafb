import type { ConfigDocument } from "@gatehouse/component-base/config-documents";
import type { MetricsRegistry } from "@gatehouse/component-base/metrics";
import { WriteSelectors } from "@gatehouse/policies/admission-expressions";
import type { Authorizer } from "../../authorization/authorizer.js";
import type { ServiceAddresses } from "../../review-webhooks/service-addresses.js";
import type { SortOfWrite } from "../admission-plugin.js";
import { matchConditionMetrics } from "../expressions/match-condition-metrics.js";
import { namespaceLabels } from "../matching/namespace-labels.js";
import type { ObjectAccess } from "../object-access.js";
import type { ObjectInterfaces } from "../object-interfaces.js";
import type { FailedOpen } from "./failed-open.js";
import { readWebhookCredentials } from "./read-webhook-credentials.js";
import type { WebhookType } from "./webhook.js";
import { WebhookBreaker } from "./webhook-breaker.js";
import { type BeforeWebhook, WebhookClient } from "./webhook-client.js";
import type { WebhookDispatch } from "./webhook-dispatch.js";
import { webhookMetrics } from "./webhook-metrics.js";
import { WebhookSource } from "./webhook-source.js";

const group = "admissionregistration.k8s.io";

/** Resources whose writes no webhook is asked about, so that a faulty webhook can always be removed. */
const exempt: ReadonlySet<string> = new Set([
  "mutatingwebhookconfigurations",
  "validatingwebhookconfigurations",
  "validatingadmissionpolicies",
  "validatingadmissionpolicybindings",
]);

export function webhooksAreAskedAbout({ resource }: SortOfWrite): boolean {
  return resource.group !== group || !exempt.has(resource.resource);
}

/** The parts of the server that calls to webhooks rest on. */
export interface WebhookParts {
  readonly objects: ObjectAccess;
  readonly forms: ObjectInterfaces;
  /** The authorizer of the server, which expressions ask. */
  readonly authorizer: Authorizer;
  /** Finds the addresses of services in the cluster. */
  readonly serviceAddresses: ServiceAddresses;
  /** Called with each write that went on though a webhook could not be asked about it. */
  readonly failedOpen: (entry: FailedOpen) => void;
  readonly settings: WebhookSettings;
  /** The configuration of the plugin in the AdmissionConfiguration: a WebhookAdmissionConfiguration. */
  readonly configuration: ConfigDocument | undefined;
  readonly metrics: MetricsRegistry;
  /** Called before each call of a webhook; absent for none. */
  readonly beforeWebhook?: BeforeWebhook | undefined;
  /** Aborts when the server stops. */
  readonly signal: AbortSignal;
}

/** Flags about calls to webhooks. */
export interface WebhookSettings {
  /** `--admission-webhook-deadline-budget`. */
  readonly webhookDeadlineBudget: boolean;
  /** `--admission-webhook-breaker`. */
  readonly webhookBreaker: boolean;
}

/** Opens the parts for calls of the webhooks of one type. Rejects with ConfigurationError. */
export async function openWebhooks(parts: WebhookParts, type: WebhookType): Promise<WebhookDispatch> {
  const { objects, forms, authorizer, serviceAddresses, configuration, metrics, signal, settings, failedOpen } = parts;
  const credentials = await readWebhookCredentials(configuration);
  const client = new WebhookClient({ credentials, serviceAddresses, beforeCall: parts.beforeWebhook });
  signal.addEventListener("abort", () => client[Symbol.dispose](), { once: true });
  return {
    source: new WebhookSource(objects, forms, type),
    selectors: new WriteSelectors(namespaceLabels(objects)),
    forms,
    client,
    authorizer,
    metrics: webhookMetrics(metrics),
    conditionMetrics: matchConditionMetrics(metrics),
    sharesDeadline: settings.webhookDeadlineBudget,
    breaker: settings.webhookBreaker ? new WebhookBreaker() : undefined,
    failedOpen,
  };
}
