export { AdmissionChain } from "./admission-chain.js";
export { type AdmissionPlugin, isCoreWrite, type SortOfWrite } from "./admission-plugin.js";
export { AdmissionAttributes, type Operation } from "./attributes.js";
export type { Access, MayDo } from "./may-do.js";
export { afterFreshRead, type NamespaceFacts, namespacesResource, namespaceView, withNamespace } from "./namespaces.js";
export type { ObjectAccess, ObjectView } from "./object-access.js";
export { isSameKind, type ObjectInterfaces, type ServedForm } from "./object-interfaces.js";
export { type AdmissionPluginDefinition, type PluginSelection, selectAdmissionPlugins } from "./plugin-definition.js";
export { mutatingAdmissionWebhook } from "./plugins/mutating-admission-webhook.js";
export { namespaceLifecycle } from "./plugins/namespace-lifecycle.js";
export { validatingAdmissionPolicy } from "./plugins/validating-admission-policy.js";
export { validatingAdmissionWebhook } from "./plugins/validating-admission-webhook.js";
export type { PolicyParts } from "./policies/open-policies.js";
export { RecentNames } from "./recent-names.js";
export { bareRefusal, refusal } from "./refusal.js";
export type { FailedOpen } from "./webhooks/failed-open.js";
export type { WebhookParts, WebhookSettings } from "./webhooks/open-webhooks.js";
export {
  openWebhooks,
  type WebhookParts,
  type WebhookSettings,
  webhooksAreAskedAbout,
} from "./webhooks/open-webhooks.js";
export type { BeforeWebhook } from "./webhooks/webhook-client.js";
