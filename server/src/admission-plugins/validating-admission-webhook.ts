import {
  type AdmissionPlugin,
  dispatchValidating,
  openWebhooks,
  webhooksAreAskedAbout,
} from "@gatehouse/apiserver/admission";
import type { PluginParts } from "./plugin-parts.js";

/** ValidatingAdmissionWebhook: the webhooks of ValidatingWebhookConfigurations may refuse what is written. */
export async function validatingAdmissionWebhook(parts: PluginParts): Promise<AdmissionPlugin> {
  const dispatch = await openWebhooks(parts, "validating");
  return {
    name: "ValidatingAdmissionWebhook",
    concerns: webhooksAreAskedAbout,
    validate: (attributes) => dispatchValidating(dispatch, attributes),
  };
}
