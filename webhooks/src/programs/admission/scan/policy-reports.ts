import type { Cluster } from "@gatehouse/component-base/cluster";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { StatusError } from "@gatehouse/envelopes/status";
import type { ScanResult } from "./scan-result.js";

const apiVersion = "wgpolicyk8s.io/v1alpha2";
const kinds = ["PolicyReport", "ClusterPolicyReport"];

/** Label by which a scan finds its own reports; other writers of reports set it, too. */
const managedBy = { "app.kubernetes.io/managed-by": "gatehouse-admission" };

/** Largest number of results in a report; more would not fit into an object. The summary counts all. */
const maxResults = 2000;

/**
 * Returns the results as PolicyReport objects (wgpolicyk8s.io/v1alpha2): one for each namespace, and one for the
 * cluster.
 */
export function policyReports(results: readonly ScanResult[], name: string, now: Date): JsonObject[] {
  const namespaces = [...new Set(results.map(({ resource }) => resource.namespace))].sort();
  return namespaces.map((namespace) => {
    const own = results.filter(({ resource }) => resource.namespace === namespace);
    const count = (result: string): number => own.filter((candidate) => candidate.result === result).length;
    // Objects that pass are only counted.
    const told = own.filter(({ result }) => result !== "pass").slice(0, maxResults);
    return {
      apiVersion,
      kind: namespace === undefined ? "ClusterPolicyReport" : "PolicyReport",
      metadata: { name, ...(namespace === undefined ? {} : { namespace }), labels: managedBy },
      summary: {
        pass: count("pass"),
        fail: count("fail"),
        warn: count("warn"),
        error: count("error"),
        skip: count("skip"),
      },
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

/** Returns the reports of an earlier scan of the same name that the present one does not replace. */
export async function staleReports(
  cluster: Cluster,
  name: string,
  reports: readonly JsonObject[],
  signal: AbortSignal,
): Promise<JsonObject[]> {
  const current = new Set(reports.map(reportName));
  const labelSelector = Object.entries(managedBy)
    .map(([key, value]) => `${key}=${value}`)
    .join(",");
  const stale: JsonObject[] = [];
  for (const kind of kinds) {
    const resource = await cluster.resourceOf(apiVersion, kind).catch(ifServed);
    const onItem = (item: JsonObject): void => {
      const report = { ...item, apiVersion, kind };
      if ((item["metadata"] as JsonObject)["name"] === name && !current.has(reportName(report))) {
        stale.push(report);
      }
    };
    if (resource !== undefined) {
      await cluster.list(resource, onItem, signal, labelSelector);
    }
  }
  return stale;
}

/** Returns the name of a report for messages: `PolicyReport namespace/name`. */
export function reportName(report: JsonObject): string {
  const { name, namespace } = report["metadata"] as JsonObject;
  return `${report["kind"]} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
}

function ifServed(error: unknown): undefined {
  if (!(error instanceof StatusError && error.code === 404)) {
    throw error;
  }
}
