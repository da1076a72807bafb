import type { ServiceAddresses } from "@gatehouse/apiserver/review-webhooks";
import type { ServerParts } from "@gatehouse/apiserver/server";
import { conversionMetrics, WebhookClients } from "@gatehouse/custom-resources/conversion";
import { documentMetrics, LiveCustomResources } from "@gatehouse/custom-resources/resources";

/** Serves the custom resources of all definitions. Resolves when those of stored definitions are served. */
export async function openCustomResources(addresses: ServiceAddresses, server: ServerParts): Promise<void> {
  const { liveRegistry, storages, closers, signal, reportFault, metrics } = server;
  const webhooks = closers.use(new WebhookClients(addresses, conversionMetrics(metrics)));
  // Whoever asks for a custom resource after a restart finds it.
  const onDocumentChange = documentMetrics(metrics);
  await new LiveCustomResources({
    liveRegistry,
    storages,
    webhooks,
    onDocumentChange,
    onError: reportFault,
  }).follow(signal);
}
