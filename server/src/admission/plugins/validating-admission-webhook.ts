import type { AdmissionPlugin } from "../admission-plugin.js";
import type { PluginParts } from "../plugin-parts.js";
import { dispatchValidating } from "../webhooks/dispatch-validating.js";
import { openWebhooks, webhooksAreAskedAbout } from "../webhooks/open-webhooks.js";

/** ValidatingAdmissionWebhook: the webhooks of ValidatingWebhookConfigurations may refuse what is written. */
export async function validatingAdmissionWebhook(parts: PluginParts): Promise<AdmissionPlugin> {
  const dispatch = await openWebhooks(parts, "validatingwebhookconfigurations");
  return {
    name: "ValidatingAdmissionWebhook",
    concerns: webhooksAreAskedAbout,
    validate: (attributes) => dispatchValidating(dispatch, attributes),
  };
}
