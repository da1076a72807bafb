export { authenticationFlags } from "./authentication-flags.js";
export { type AuthorizationConfig, type AuthorizerConfig, modesOf, resolveAuthorization } from "./authorization.js";
export { authorizationFlags } from "./authorization-flags.js";
export { defaultFeatureGates, type FeatureGates, parseFeatureGates } from "./feature-gates.js";
export { hostAndPort } from "./host-and-port.js";
export { type IPFamily, ipFamilyOf, ipv4Text, parseIPv4 } from "./ip-address.js";
export { addressRange, minPrefixLength, type NumberRange, networkAddress, portRange } from "./number-range.js";
export { type IssuersConfig, resolveOidc } from "./oidc.js";
export { parseRuntimeConfig, type RegisteredVersions, type RuntimeConfig } from "./runtime-config.js";
