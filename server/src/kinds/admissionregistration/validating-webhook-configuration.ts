import { exactGenerationOf, type KindDefinition } from "@gatehouse/apiserver/registry";
import { webhookConfigurationValidation } from "./validation/webhook-configuration.js";
import { webhookConfigurationTable } from "./webhook-configuration.js";

/** The definition of ValidatingWebhookConfiguration. Its generation counts changes of the list of webhooks. */
export const validatingWebhookConfigurationDefinition: KindDefinition = {
  resource: "validatingwebhookconfigurations",
  kind: "ValidatingWebhookConfiguration",
  namespaced: false,
  categories: ["api-extensions"],
  storageVersionHash: "B0wHjQmsGNk=",
  table: webhookConfigurationTable,
  strategy: {
    validation: webhookConfigurationValidation,
    metadata: { rechecks: ["object"], knownFinalizersOnly: false },
    generation: exactGenerationOf("webhooks"),
    update: { allowUnconditionalUpdate: false },
  },
};
