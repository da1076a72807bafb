export { discoveryRoutes } from "./discovery-routes.js";
export { byVersionRank } from "./kube-aware-version.js";
export type { DiscoveredResource, ServedApi, ServedGroup, ServedGroupVersion } from "./served-api.js";
export { version, versionLine } from "./version.js";
