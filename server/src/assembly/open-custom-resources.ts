import type { ServiceAddresses } from "@gatehouse/apiserver/review-webhooks";
import type { ServerParts } from "@gatehouse/apiserver/server";
import { WebhookClients } from "@gatehouse/custom-resources/conversion";
import { LiveCustomResources } from "@gatehouse/custom-resources/resources";

/** Serves the custom resources of all definitions. Resolves when those of stored definitions are served. */
export async function openCustomResources(addresses: ServiceAddresses, server: ServerParts): Promise<void> {
  const { liveRegistry, storages, closers, signal, reportFault } = server;
  const webhooks = closers.use(new WebhookClients(addresses));
  // Whoever asks for a custom resource after a restart finds it.
  await new LiveCustomResources({ liveRegistry, storages, webhooks, onError: reportFault }).follow(signal);
}
