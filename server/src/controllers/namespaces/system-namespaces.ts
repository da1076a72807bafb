import { type Controller, type ControllerOptions, reconcile } from "@gatehouse/apiserver/client";
import { namespaces } from "../core-resources.js";

/** Namespaces that every cluster has. */
const systemNamespaceNames: readonly string[] = ["default", "kube-system", "kube-public", "kube-node-lease"];

/** The options of the controller of system namespaces. */
export interface SystemNamespacesOptions extends ControllerOptions {
  /** Called when all of them exist for the first time. */
  readonly onDone: () => void;
}

/** Makes the namespaces that every cluster has, at the start and after a deletion. */
export function systemNamespaces(options: SystemNamespacesOptions): Controller {
  const { client, onDone } = options;
  const unseen = new Set(systemNamespaceNames);
  return {
    name: "system-namespaces-controller",
    run: (signal) =>
      reconcile({
        ...options,
        signal,
        concurrency: systemNamespaceNames.length,
        initial: systemNamespaceNames,
        sources: [
          {
            resource: namespaces,
            keyOf: ({ name }, event) => (event === "DELETED" && systemNamespaceNames.includes(name) ? name : undefined),
          },
        ],
        async work(name) {
          if ((await client.get(namespaces, "", name)) === undefined) {
            await client.create(namespaces, { kind: "Namespace", apiVersion: "v1", metadata: { name } });
          }
          if (unseen.delete(name) && unseen.size === 0) {
            onDone();
          }
          return undefined;
        },
      }),
  };
}
