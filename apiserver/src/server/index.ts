export type { Filter } from "../filters/filter.js";
export type { ApiGroup, ApiResource } from "../resources/api-group.js";
export type { ApiServerExtensions, ApiServerOptions, StoredValuesOptions, StoreParts } from "./api-server-options.js";
export { objectAccess } from "./cached-object-access.js";
export type { Closer, Closers } from "./closers.js";
export { type HealthSources, healthChecks, type OwnHealthChecks, type StoreCheckTimeouts } from "./health-checks.js";
export type { AdmissionOptions, PluginConfiguration } from "./open-admission.js";
export { openAdmission } from "./open-admission.js";
export type { StorageEncryption } from "./open-encryption.js";
export type { ProcessGroup } from "./process-group.js";
export type { FurtherRoutes } from "./request-handler.js";
export { servedApiSource } from "./served-api-source.js";
export { serverId } from "./server-id.js";
export {
  type AdmissionParts,
  type AuthenticatorParts,
  type HandlerParts,
  resolveGiven,
  type ServerParts,
} from "./server-parts.js";
export type { OpenServingCertificates, ServingCertificatesOptions } from "./serving-certificates.js";
export { type ApiServer, beginApiServer, type StartingApiServer, startApiServer } from "./start-api-server.js";
