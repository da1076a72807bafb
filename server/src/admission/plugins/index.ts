import type { AdmissionPluginName } from "../../config/admission-plugins.js";
import type { MakePlugin } from "../plugin-parts.js";
import { imagePolicyWebhook } from "./image-policy-webhook/image-policy-webhook.js";
import { mutatingAdmissionWebhook } from "./mutating-admission-webhook.js";
import { namespaceLifecycle } from "./namespace-lifecycle.js";
import { resourceQuota } from "./resource-quota/resource-quota.js";
import { validatingAdmissionWebhook } from "./validating-admission-webhook.js";

/** How each plugin is made. Those that are not here exist by name only. */
export const pluginMakers: Readonly<Partial<Record<AdmissionPluginName, MakePlugin>>> = {
  ImagePolicyWebhook: imagePolicyWebhook,
  MutatingAdmissionWebhook: mutatingAdmissionWebhook,
  NamespaceLifecycle: namespaceLifecycle,
  ResourceQuota: resourceQuota,
  ValidatingAdmissionWebhook: validatingAdmissionWebhook,
};
