export type {
  CertificatePem,
  ClientAuthorization,
  ClientConfig,
  ClientIdentity,
  ExecCluster,
  ExecPluginConfig,
  InteractiveMode,
} from "./client-config.js";
export { type ExecUserEntry, setExecUser } from "./edit-kubeconfig.js";
export { inClusterConfig } from "./in-cluster-config.js";
export { type KubeconfigEntries, mergeKubeconfig } from "./merge-kubeconfig.js";
export {
  type KubeconfigIdentities,
  loadKubeconfig,
  loadKubeconfigIdentities,
  type ParseKubeconfigOptions,
  parseKubeconfig,
} from "./parse-kubeconfig.js";
export { formatKubeconfig, type KubeconfigContent, writeKubeconfig } from "./write-kubeconfig.js";
