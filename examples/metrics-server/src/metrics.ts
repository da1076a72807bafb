import { type ApiGroup, defineComputedResource } from "@gatehouse/apiserver";
import type { Snapshot, Usage } from "./usage.js";

/** A source of the usage as it is now. */
export type ReadUsage = () => Promise<Snapshot>;

const group = "metrics.k8s.io";
const usage = { type: "object", additionalProperties: { type: "string" } };
const times = { timestamp: { type: "string", format: "date-time" }, window: { type: "string" } };
const container = { type: "object", properties: { name: { type: "string" }, usage } };

/** The time over which the usage is measured, as the API tells it. */
const window = "30s";

/** Returns the group metrics.k8s.io. Nothing of it is stored: every request reads the usage. */
export function metricsGroup(read: ReadUsage): ApiGroup {
  const nodes = defineComputedResource({
    ...{ group, version: "v1beta1", resource: "nodes", kind: "NodeMetrics", singular: "", namespaced: false },
    schema: { type: "object", properties: { ...times, usage } },
    async get(name) {
      const snapshot = await read();
      const found = snapshot.nodes.get(name);
      return found && nodeMetrics(name, found, snapshot);
    },
    async list() {
      const snapshot = await read();
      return [...snapshot.nodes].map(([name, used]) => nodeMetrics(name, used, snapshot));
    },
  });
  const pods = defineComputedResource({
    ...{ group, version: "v1beta1", resource: "pods", kind: "PodMetrics", singular: "", namespaced: true },
    schema: { type: "object", properties: { ...times, containers: { type: "array", items: container } } },
    async get(name, { namespace }) {
      const snapshot = await read();
      const found = snapshot.pods.get(namespace)?.get(name);
      return found && podMetrics(namespace, name, found, snapshot);
    },
    async list({ namespace }) {
      const snapshot = await read();
      const namespaces = namespace === "" ? [...snapshot.pods.keys()] : [namespace];
      return namespaces.flatMap((one) =>
        [...(snapshot.pods.get(one) ?? [])].map(([name, used]) => podMetrics(one, name, used, snapshot)),
      );
    },
  });
  return { name: group, versions: ["v1beta1"], resources: [nodes, pods] };
}

const timesOf = ({ time }: Snapshot): object => ({ timestamp: wireTime(time), window });

function nodeMetrics(name: string, used: Usage, snapshot: Snapshot): object {
  return { metadata: { name, creationTimestamp: wireTime(snapshot.time) }, ...timesOf(snapshot), usage: wire(used) };
}

function podMetrics(namespace: string, name: string, used: ReadonlyMap<string, Usage>, snapshot: Snapshot): object {
  return {
    metadata: { name, namespace, creationTimestamp: wireTime(snapshot.time) },
    ...timesOf(snapshot),
    containers: [...used].map(([one, usageOfOne]) => ({ name: one, usage: wire(usageOfOne) })),
  };
}

/** Returns a usage as quantities. */
function wire({ cores, bytes }: Usage): object {
  return { cpu: `${Math.round(cores * 1e9)}n`, memory: `${Math.ceil(bytes / 1024)}Ki` };
}

function wireTime(time: Date): string {
  return time.toISOString().replace(/\.\d+/, "");
}
