import type { AdmissionPlugin } from "../admission-plugin.js";
import { dispatchMutating } from "../webhooks/dispatch-mutating.js";
import { openWebhooks, type WebhookParts, webhooksAreAskedAbout } from "../webhooks/open-webhooks.js";

/** MutatingAdmissionWebhook: the webhooks of MutatingWebhookConfigurations may change what is written, or refuse it. */
export async function mutatingAdmissionWebhook(parts: WebhookParts): Promise<AdmissionPlugin> {
  const dispatch = await openWebhooks(parts, "mutating");
  return {
    name: "MutatingAdmissionWebhook",
    concerns: webhooksAreAskedAbout,
    admit: (attributes) => dispatchMutating(dispatch, attributes),
  };
}
