import type { AdmissionPluginName } from "../../config/admission-plugins.js";
import type { MakePlugin } from "../plugin-parts.js";
import { namespaceLifecycle } from "./namespace-lifecycle.js";
import { resourceQuota } from "./resource-quota/resource-quota.js";

/** How each plugin is made. Those that are not here exist by name only. */
export const pluginMakers: Readonly<Partial<Record<AdmissionPluginName, MakePlugin>>> = {
  NamespaceLifecycle: namespaceLifecycle,
  ResourceQuota: resourceQuota,
};
