import type { AdmissionPlugin } from "../admission-plugin.js";
import type { PluginParts } from "../plugin-parts.js";
import { dispatchMutating } from "../webhooks/dispatch-mutating.js";
import { openWebhooks, webhooksAreAskedAbout } from "../webhooks/open-webhooks.js";

/** MutatingAdmissionWebhook: the webhooks of MutatingWebhookConfigurations may change what is written, or refuse it. */
export async function mutatingAdmissionWebhook(parts: PluginParts): Promise<AdmissionPlugin> {
  const dispatch = await openWebhooks(parts, "mutatingwebhookconfigurations");
  return {
    name: "MutatingAdmissionWebhook",
    concerns: webhooksAreAskedAbout,
    admit: (attributes) => dispatchMutating(dispatch, attributes),
  };
}
