export {
  type AddressRange,
  addressRange,
  addressText,
  firstAddress,
  networkAddress,
  numberOfAddress,
} from "./address-range.js";
export { authenticationFlags } from "./authentication-flags.js";
export { type AuthorizationConfig, type AuthorizerConfig, modesOf, resolveAuthorization } from "./authorization.js";
export { authorizationFlags } from "./authorization-flags.js";
export { type Cidr, parseCidr } from "./cidr.js";
export { type EtcdConfig, etcdFlags, etcdKeyPrefix, resolveEtcd } from "./etcd.js";
export { defaultFeatureGates, type FeatureGates, parseFeatureGates } from "./feature-gates.js";
export { addressFlags, deletionFlags } from "./general-flags.js";
export { hostAndPort } from "./host-and-port.js";
export { type IPFamily, type IpAddress, ipFamilyOf, ipText, parseIp } from "./ip-address.js";
export { type NumberRange, portRange, reservedOf } from "./number-range.js";
export { type IssuersConfig, resolveOidc } from "./oidc.js";
export { parseRuntimeConfig, type RegisteredVersions, type RuntimeConfig } from "./runtime-config.js";
export {
  resolveServingCertificate,
  resolveTls,
  type ServingCertificateFiles,
  type TlsConfig,
  tlsFlags,
} from "./tls.js";
export { defaultWatchCaches, resolveWatchCaches, type WatchCaches, watchCacheFlags } from "./watch-caches.js";
