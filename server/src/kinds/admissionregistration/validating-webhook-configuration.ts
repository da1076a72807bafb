import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { webhookConfigurationValidation } from "./validation/webhook-configuration.js";
import { webhookConfigurationTable } from "./webhook-configuration.js";

/** The definition of ValidatingWebhookConfiguration. Its generation counts changes of the list of webhooks. */
export const validatingWebhookConfigurationDefinition: KindDefinition = {
  resource: "validatingwebhookconfigurations",
  kind: "ValidatingWebhookConfiguration",
  namespaced: false,
  metadataRechecks: ["object"],
  finalizerNames: "any",
  categories: ["api-extensions"],
  storageVersionHash: "B0wHjQmsGNk=",
  allowUnconditionalUpdate: false,
  hasGeneration: true,
  desiredState: ["webhooks"],
  countsEmptied: true,
  table: webhookConfigurationTable,
  validation: webhookConfigurationValidation,
};
