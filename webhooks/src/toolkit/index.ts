export {
  anyAuthenticator,
  anyCaller,
  type BearerTokenOptions,
  type CallerAuthenticator,
  type CallerVerdict,
  type ClientCertificateOptions,
  type ConcurrencyLimitOptions,
  clientCertificates,
  type Middleware,
  openBearerTokens,
} from "@gatehouse/component-base/https-service";
export { version } from "@gatehouse/component-base/version";
export { type HookSources, type LoadedHooks, loadHooks } from "./config/load-hooks.js";
export { conversionEndpoints } from "./conversion/conversion-endpoints.js";
export { type Converter, type ConverterOptions, converter, NotConvertible } from "./conversion/converter.js";
export {
  type AdmissionDecision,
  type Allowed,
  allow,
  type DecisionNotes,
  type Denied,
  type DenyOptions,
  deny,
  patch,
} from "./decision/decision.js";
export type { AdmissionRequest, Operation } from "./handlers/admission-request.js";
export { all } from "./handlers/all.js";
export { chain } from "./handlers/chain.js";
export type { Handler, HandlerContext } from "./handlers/handler.js";
export { type Mutation, mutator } from "./handlers/mutator.js";
export { inPodTemplates } from "./handlers/pod-templates.js";
export { type Check, type ChecksByOperation, type RequestOf, validator } from "./handlers/validator.js";
export { when } from "./handlers/when.js";
export { type AdmissionOptions, admission } from "./hooks/admission.js";
export { admissionEndpoints } from "./hooks/admission-endpoints.js";
export { type Hook, mutatingHook, validatingHook } from "./hooks/hook.js";
export type { HookOptions, HookRule, MutatingHookOptions } from "./hooks/hook-options.js";
export { createJsonPatch, type PatchOperation } from "./json-patch/create-json-patch.js";
export type { Lookup } from "./lookup/lookup.js";
export type { ObjectKey, ReadableResource } from "./lookup/readable-resource.js";
export { rbacFor } from "./registration/rbac.js";
export {
  type HookLocation,
  type RegistrationOptions,
  webhookConfigurations,
} from "./registration/webhook-configurations.js";
export type { ReviewAnswer, ReviewCall, ReviewEndpoint } from "./server/review-endpoint.js";
export {
  defaultMaxBodyBytes,
  type ReviewLimits,
  type ReviewMiddlewareOptions,
  reviewMiddleware,
} from "./server/review-middleware.js";
export {
  type RunningWebhookServer,
  startWebhookServer,
  type WebhookServerOptions,
} from "./server/start-webhook-server.js";
export { type AdmissionOutcome, admit } from "./testing/admit.js";
export type { GivenRequest } from "./testing/build-review.js";
export { BadObjectError } from "./testing/prepare-object.js";
