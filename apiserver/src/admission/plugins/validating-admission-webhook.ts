import type { AdmissionPlugin } from "../admission-plugin.js";
import { dispatchValidating } from "../webhooks/dispatch-validating.js";
import { openWebhooks, type WebhookParts, webhooksAreAskedAbout } from "../webhooks/open-webhooks.js";

/** ValidatingAdmissionWebhook: the webhooks of ValidatingWebhookConfigurations may refuse what is written. */
export async function validatingAdmissionWebhook(parts: WebhookParts): Promise<AdmissionPlugin> {
  const dispatch = await openWebhooks(parts, "validating");
  return {
    name: "ValidatingAdmissionWebhook",
    concerns: webhooksAreAskedAbout,
    validate: (attributes) => dispatchValidating(dispatch, attributes),
  };
}
