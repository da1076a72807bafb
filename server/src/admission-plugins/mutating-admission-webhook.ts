import {
  type AdmissionPlugin,
  dispatchMutating,
  openWebhooks,
  webhooksAreAskedAbout,
} from "@gatehouse/apiserver/admission";
import type { PluginParts } from "./plugin-parts.js";

/** MutatingAdmissionWebhook: the webhooks of MutatingWebhookConfigurations may change what is written, or refuse it. */
export async function mutatingAdmissionWebhook(parts: PluginParts): Promise<AdmissionPlugin> {
  const dispatch = await openWebhooks(parts, "mutating");
  return {
    name: "MutatingAdmissionWebhook",
    concerns: webhooksAreAskedAbout,
    admit: (attributes) => dispatchMutating(dispatch, attributes),
  };
}
