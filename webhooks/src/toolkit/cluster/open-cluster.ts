import * as cluster from "@gatehouse/component-base/cluster";

/** Opens a client of a cluster for the toolkit. Rejects with ConfigurationError when nothing says where the cluster is. */
export function openCluster(options: Omit<cluster.OpenClusterOptions, "program">): Promise<cluster.Cluster> {
  return cluster.openCluster({ ...options, program: "gatehouse-admission" });
}
