export type { AdmissionPlugin } from "./admission/admission-plugin.js";
export type { AdmissionAttributes, Operation } from "./admission/attributes.js";
export type { AdmissionPluginDefinition } from "./admission/plugin-definition.js";
export { refusal } from "./admission/refusal.js";
export type { AuditBackend } from "./audit/audit-backend.js";
export type { AuditEvent } from "./audit/audit-event.js";
export type { AuditOutput, AuditOutputParts } from "./audit/outputs/audit-output.js";
export type { AuditOptions } from "./audit/outputs/resolve-audit.js";
export {
  type AuthenticationDecision,
  type Authenticator,
  type Credentials,
  noOpinion,
  rejected,
} from "./authentication/authenticator.js";
export { bearerTokenAuthenticator } from "./authentication/tokens/bearer-token.js";
export { parseTokenFile, staticTokens } from "./authentication/tokens/static-tokens.js";
export type { TokenAuthenticator } from "./authentication/tokens/token-authenticator.js";
export { alwaysAllow, alwaysDeny } from "./authorization/always.js";
export type { AuthorizationAttributes, AuthorizationDecision, Authorizer } from "./authorization/authorizer.js";
export type { ObjectClient } from "./client/object-client.js";
export type { UserInfo } from "./request/user-info.js";
export type { ApiGroup, ApiResource } from "./resources/api-group.js";
export {
  type ComputedRequest,
  type ComputedResource,
  type ComputedWatchRequest,
  defineComputedResource,
  type ObjectEvent,
  type ObjectsAt,
} from "./resources/define-computed-resource.js";
export { defineResource, type StoredResource } from "./resources/define-resource.js";
export { defineTypedResource, type TypedResource, type TypedVersion } from "./resources/define-typed-resource.js";
export { type NamedObject, ObjectsInMemory, type ObjectsInMemoryOptions } from "./resources/objects-in-memory.js";
export type { Column, ResourceShape } from "./resources/resource-shape.js";
export type { ApiServerExtensions, ApiServerOptions } from "./server/api-server-options.js";
export type { AdmissionOptions, PluginConfiguration } from "./server/open-admission.js";
export type { AdmissionParts, AuthenticatorParts, Given, HandlerParts, ServerParts } from "./server/server-parts.js";
export { type ApiServer, startApiServer } from "./server/start-api-server.js";
export type { Store } from "./storage/store.js";
