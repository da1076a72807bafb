import { exactGenerationOf, type KindDefinition } from "@gatehouse/apiserver/registry";
import { webhookConfigurationValidation } from "./validation/webhook-configuration.js";
import { webhookConfigurationTable } from "./webhook-configuration.js";

/** The definition of MutatingWebhookConfiguration. Its generation counts changes of the list of webhooks. */
export const mutatingWebhookConfigurationDefinition: KindDefinition = {
  resource: "mutatingwebhookconfigurations",
  kind: "MutatingWebhookConfiguration",
  namespaced: false,
  categories: ["api-extensions"],
  storageVersionHash: "Sqi0GUgDaX0=",
  table: webhookConfigurationTable,
  strategy: {
    validation: webhookConfigurationValidation,
    metadata: { rechecks: ["object"], knownFinalizersOnly: false },
    generation: exactGenerationOf("webhooks"),
    update: { allowUnconditionalUpdate: false },
  },
};
