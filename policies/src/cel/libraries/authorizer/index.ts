export type { AccessDecision, AccessQuestion, AuthorizationSource } from "./authorization-source.js";
export { authorizer, authorizerType, resourceCheckType } from "./authorizer-library.js";
export {
  type AuthorizerValue,
  authorizerValue,
  type ResourceParts,
  requestResourceValue,
} from "./authorizer-values.js";
