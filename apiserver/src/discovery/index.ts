export { byVersionRank } from "./kube-aware-version.js";
export type { DiscoveredResource, ForeignSpec, ServedApi, ServedGroup, ServedGroupVersion } from "./served-api.js";
export { versionLine } from "./version.js";
