import type { JsonObject } from "@gatehouse/envelopes";
import type { ScanResult } from "./scan-cluster.js";

/** Results that one report holds: more would not fit into an object. The summary counts all. */
const maxResults = 2000;

/** The results as PolicyReport objects (wgpolicyk8s.io/v1alpha2): one for each namespace, and one for the cluster. */
export function policyReports(results: readonly ScanResult[], name: string, now: Date): JsonObject[] {
  const namespaces = [...new Set(results.map(({ resource }) => resource.namespace))].sort();
  return namespaces.map((namespace) => {
    const own = results.filter(({ resource }) => resource.namespace === namespace);
    const count = (result: string): number => own.filter((candidate) => candidate.result === result).length;
    // What passes is counted only.
    const told = own.filter(({ result }) => result !== "pass").slice(0, maxResults);
    return {
      apiVersion: "wgpolicyk8s.io/v1alpha2",
      kind: namespace === undefined ? "ClusterPolicyReport" : "PolicyReport",
      metadata: namespace === undefined ? { name } : { name, namespace },
      summary: { pass: count("pass"), fail: count("fail"), warn: count("warn"), error: count("error"), skip: 0 },
      results: told.map(({ resource, policy, result, message }) => ({
        policy,
        result,
        message,
        source: "gatehouse-admission",
        resources: [resource],
        timestamp: { seconds: Math.floor(now.getTime() / 1000), nanos: 0 },
      })),
    };
  });
}
