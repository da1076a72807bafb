import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { webhookConfigurationRules } from "./rules/webhook-configuration.js";
import { webhookConfigurationTable } from "./webhook-configuration.js";

/** The definition of MutatingWebhookConfiguration. Its generation counts changes of the list of webhooks. */
export const mutatingWebhookConfigurationRow: ResourceRow = {
  resource: "mutatingwebhookconfigurations",
  kind: "MutatingWebhookConfiguration",
  namespaced: false,
  metadataRechecks: ["object"],
  finalizerRule: "any",
  categories: ["api-extensions"],
  storageVersionHash: "Sqi0GUgDaX0=",
  allowUnconditionalUpdate: false,
  hasGeneration: true,
  desiredState: ["webhooks"],
  countsEmptied: true,
  table: webhookConfigurationTable,
  rules: webhookConfigurationRules,
};
