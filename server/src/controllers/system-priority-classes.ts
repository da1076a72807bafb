import { type Controller, type ControllerOptions, reconcile } from "@gatehouse/apiserver/client";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { GroupResource } from "@gatehouse/envelopes/status";

const priorityClasses: GroupResource = Object.freeze({ group: "scheduling.k8s.io", resource: "priorityclasses" });

/** Classes that every cluster has, by name, with what v1.29 says of them. */
const systemClasses: ReadonlyMap<string, { readonly value: number; readonly description: string }> = new Map([
  [
    "system-node-critical",
    {
      value: 2_000_001_000,
      description: "Used for system critical pods that must not be moved from their current node.",
    },
  ],
  [
    "system-cluster-critical",
    {
      value: 2_000_000_000,
      description:
        "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.",
    },
  ],
]);

/** Makes the priority classes of the system when the server starts. Whoever deletes one later is not contradicted (v1.29). */
export function systemPriorityClasses(options: ControllerOptions): Controller {
  const { client } = options;
  return {
    name: "bootstrap-system-priority-classes",
    run: (signal) =>
      reconcile({
        ...options,
        signal,
        concurrency: 1,
        initial: [...systemClasses.keys()],
        sources: [],
        async work(name) {
          const isServed = client.find(priorityClasses) !== undefined;
          if (isServed && (await client.get(priorityClasses, "", name)) === undefined) {
            await client.create(priorityClasses, systemClass(name));
          }
          return undefined;
        },
      }),
  };
}

function systemClass(name: string): JsonObject {
  return {
    kind: "PriorityClass",
    apiVersion: "scheduling.k8s.io/v1",
    metadata: { name },
    ...systemClasses.get(name),
  };
}
