import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { webhookConfigurationRules } from "./rules/webhook-configuration.js";
import { webhookConfigurationTable } from "./webhook-configuration.js";

/** The definition of ValidatingWebhookConfiguration. Its generation counts changes of the list of webhooks. */
export const validatingWebhookConfigurationRow: ResourceRow = {
  resource: "validatingwebhookconfigurations",
  kind: "ValidatingWebhookConfiguration",
  namespaced: false,
  metadataRechecks: ["object"],
  finalizerRule: "any",
  categories: ["api-extensions"],
  storageVersionHash: "B0wHjQmsGNk=",
  allowUnconditionalUpdate: false,
  hasGeneration: true,
  desiredState: ["webhooks"],
  countsEmptied: true,
  table: webhookConfigurationTable,
  rules: webhookConfigurationRules,
};
