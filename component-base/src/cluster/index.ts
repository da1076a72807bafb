export {
  type Cluster,
  type ClusterResource,
  type ObjectKey,
  type OpenClusterOptions,
  openCluster,
  type WatchEvent,
} from "./open-cluster.js";
