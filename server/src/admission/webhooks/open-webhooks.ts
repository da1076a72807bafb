import type { SortOfWrite } from "../admission-plugin.js";
import type { PluginParts } from "../plugin-parts.js";
import { readWebhookCredentials } from "./read-webhook-credentials.js";
import { WebhookBreaker } from "./webhook-breaker.js";
import { WebhookClient } from "./webhook-client.js";
import type { WebhookDispatch } from "./webhook-dispatch.js";
import { webhookMetrics } from "./webhook-metrics.js";
import { WebhookSelectors } from "./webhook-selectors.js";
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

/** Opens the parts for calls of the webhooks of one type. Rejects with ConfigurationError. */
export async function openWebhooks(
  parts: PluginParts,
  resource: "mutatingwebhookconfigurations" | "validatingwebhookconfigurations",
): Promise<WebhookDispatch> {
  const { objects, forms, serviceAddresses, configuration, metrics, signal, settings, failedOpen } = parts;
  const credentials = await readWebhookCredentials(configuration);
  const client = new WebhookClient({ credentials, serviceAddresses });
  signal.addEventListener("abort", () => client[Symbol.dispose](), { once: true });
  return {
    source: new WebhookSource(objects, forms, { group, resource }),
    selectors: new WebhookSelectors(objects),
    forms,
    client,
    metrics: webhookMetrics(metrics),
    sharesDeadline: settings.webhookDeadlineBudget,
    breaker: settings.webhookBreaker ? new WebhookBreaker() : undefined,
    failedOpen,
  };
}
