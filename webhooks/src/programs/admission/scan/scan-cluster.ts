import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { StatusError } from "@gatehouse/envelopes/status";
import type { Cluster, ClusterResource } from "../../../toolkit/cluster/open-cluster.js";
import type { Hook } from "../../../toolkit/hooks/hook.js";
import { type AdmissionOutcome, admit } from "../../../toolkit/testing/admit.js";
import { BadObjectError } from "../../../toolkit/testing/prepare-object.js";

/** The verdict of one hook on a stored object. */
export interface ScanResult {
  readonly resource: { apiVersion: string; kind: string; namespace?: string; name: string; uid: string };
  readonly policy: string;
  readonly result: "fail" | "warn" | "error" | "pass";
  readonly message: string;
}

/**
 * Puts every stored object that a rule of a hook names to the hooks, as if it were created now. Resources that the
 * cluster does not serve, and rules with `*`, are skipped and reported to `onSkipped`.
 */
export async function scanCluster(
  cluster: Cluster,
  hooks: readonly Hook[],
  onSkipped: (what: string) => void,
  signal: AbortSignal,
): Promise<ScanResult[]> {
  const results: ScanResult[] = [];
  for (const resource of await resourcesOf(cluster, hooks, onSkipped)) {
    const objects: JsonObject[] = [];
    await cluster.list(resource, (item) => objects.push(item), signal);
    for (const item of objects) {
      // Items of lists do not say what they are.
      const object = { ...item, apiVersion: resource.apiVersion, kind: resource.kind };
      results.push(...(await judge(hooks, resource, object)));
    }
  }
  return results;
}

async function resourcesOf(
  cluster: Cluster,
  hooks: readonly Hook[],
  onSkipped: (what: string) => void,
): Promise<ClusterResource[]> {
  const wanted = new Map<string, readonly [apiVersion: string, resource: string]>();
  for (const rule of hooks.flatMap(({ rules }) => rules)) {
    for (const group of rule.apiGroups) {
      for (const version of rule.apiVersions) {
        for (const resource of rule.resources.filter((name) => !name.includes("/"))) {
          const apiVersion = group === "" ? version : `${group}/${version}`;
          wanted.set(`${apiVersion} ${resource}`, [apiVersion, resource]);
        }
      }
    }
  }
  const found: ClusterResource[] = [];
  for (const [key, [apiVersion, resource]] of wanted) {
    if (key.includes("*")) {
      onSkipped(key);
      continue;
    }
    try {
      found.push(await cluster.resourceNamed(apiVersion, resource));
    } catch (error) {
      if (!(error instanceof StatusError && error.code === 404)) {
        throw error;
      }
      onSkipped(key);
    }
  }
  return found;
}

async function judge(hooks: readonly Hook[], resource: ClusterResource, object: JsonObject): Promise<ScanResult[]> {
  const { apiVersion, kind } = resource;
  const { namespace, name, uid } = (isJsonObject(object["metadata"]) ? object["metadata"] : {}) as Record<
    string,
    JsonValue
  >;
  const about = {
    apiVersion,
    kind,
    ...(typeof namespace === "string" ? { namespace } : {}),
    name: String(name),
    uid: String(uid),
  };
  const results: ScanResult[] = [];
  for (const hook of hooks) {
    try {
      results.push(...resultsOf(hook, await admit([hook], { object, resource: resource.resource }), about));
    } catch (error) {
      if (!(error instanceof BadObjectError)) {
        throw error;
      }
      results.push({ resource: about, policy: hook.name, result: "error", message: error.message });
    }
  }
  return results;
}

function resultsOf(hook: Hook, outcome: AdmissionOutcome, resource: ScanResult["resource"]): ScanResult[] {
  if (outcome.asked.length === 0) {
    return [];
  }
  const of = (result: ScanResult["result"], message: string): ScanResult => ({
    resource,
    policy: hook.name,
    result,
    message,
  });
  if (outcome.outcome === "denied") {
    return [of("fail", outcome.message ?? "")];
  }
  if (outcome.outcome === "failed") {
    return [of("error", outcome.message ?? "")];
  }
  if (outcome.warnings.length > 0) {
    return [of("warn", outcome.warnings.join("; "))];
  }
  return [outcome.patch.length > 0 ? of("warn", "the hook would change this object") : of("pass", "")];
}
