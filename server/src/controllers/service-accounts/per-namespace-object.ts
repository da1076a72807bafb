import { type ControllerOptions, isNamespaceGone, reconcile } from "@gatehouse/apiserver/client";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { GroupResource } from "@gatehouse/envelopes/status";
import { activeNamespaces, isActiveNamespace } from "../namespaces/active-namespaces.js";

/** The object that each namespace is to have. */
export interface PerNamespaceObject extends ControllerOptions {
  readonly signal: AbortSignal;
  readonly resource: GroupResource;
  readonly name: string;
  /** The object for a namespace that has none. */
  readonly make: (namespace: string) => JsonObject;
  /** Changes an object into what it should be; undefined when it is that already. Absent when its mere being is enough. */
  readonly correct?: (object: JsonObject) => JsonObject | undefined;
}

/** Keeps one object of a fixed name in every active namespace, and as it should be while it is in one that ends. */
export function keepInEveryNamespace(options: PerNamespaceObject): Promise<void> {
  const { client, resource, name, make, correct } = options;
  const ensure = async (namespace: string): Promise<void> => {
    const object = await client.get(resource, namespace, name);
    if (object === undefined) {
      if (isActiveNamespace(client, namespace)) {
        await client.create(resource, make(namespace));
      }
    } else if (correct !== undefined && correct(structuredClone(object)) !== undefined) {
      await client.update(resource, { namespace, name }, correct);
    }
  };
  return reconcile({
    ...options,
    concurrency: 5,
    sources: [
      activeNamespaces,
      {
        resource,
        // Those that are there when the controller starts come with their namespaces.
        keyOf: (object, event) => (object.name === name && event !== "LISTED" ? object.namespace : undefined),
      },
    ],
    async work(namespace) {
      try {
        await ensure(namespace);
      } catch (error) {
        if (!isNamespaceGone(error)) {
          throw error;
        }
      }
      return undefined;
    },
  });
}
