import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { webhookConfigurationValidation } from "./validation/webhook-configuration.js";
import { webhookConfigurationTable } from "./webhook-configuration.js";

/** The definition of MutatingWebhookConfiguration. Its generation counts changes of the list of webhooks. */
export const mutatingWebhookConfigurationDefinition: KindDefinition = {
  resource: "mutatingwebhookconfigurations",
  kind: "MutatingWebhookConfiguration",
  namespaced: false,
  metadataRechecks: ["object"],
  finalizerNames: "any",
  categories: ["api-extensions"],
  storageVersionHash: "Sqi0GUgDaX0=",
  allowUnconditionalUpdate: false,
  hasGeneration: true,
  desiredState: ["webhooks"],
  countsEmptied: true,
  table: webhookConfigurationTable,
  validation: webhookConfigurationValidation,
};
