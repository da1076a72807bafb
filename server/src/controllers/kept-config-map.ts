import { type ControllerOptions, reconcile } from "@gatehouse/apiserver/client";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { configMaps, namespaces } from "./core-resources.js";
import { isActiveNamespace } from "./namespaces/active-namespaces.js";

const namespace = "kube-system";

/** A config map of the server's own, and its content. */
export interface KeptConfigMap extends ControllerOptions {
  readonly signal: AbortSignal;
  readonly name: string;
  /** Computes the data from the stored data; returns its argument if that is right. */
  readonly dataFor: (data: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
  /** Interval in milliseconds between further checks, for inputs of `dataFor` that change; absent for none. */
  readonly everyMs?: number;
}

/** Keeps a config map in kube-system, from the start and after every change or deletion by others. */
export function keepConfigMap(options: KeptConfigMap): Promise<void> {
  const { client, name, dataFor, everyMs } = options;
  const dataOf = (object: JsonObject): Readonly<Record<string, string>> =>
    (object["data"] ?? {}) as Readonly<Record<string, string>>;
  return reconcile({
    ...options,
    concurrency: 1,
    sources: [
      { resource: namespaces, keyOf: (object) => (object.name === namespace ? name : undefined) },
      {
        resource: configMaps,
        keyOf: (object, event) =>
          object.namespace === namespace && object.name === name && event !== "LISTED" ? name : undefined,
      },
    ],
    async work() {
      if (!isActiveNamespace(client, namespace)) {
        // It is about to come, or to go; then this is called again.
        return undefined;
      }
      const stored = await client.get(configMaps, namespace, name);
      if (stored === undefined) {
        const data = { ...dataFor({}) };
        // There may be nothing to tell.
        if (Object.keys(data).length > 0) {
          await client.create(configMaps, { kind: "ConfigMap", apiVersion: "v1", metadata: { name, namespace }, data });
        }
      } else if (dataFor(dataOf(stored)) !== dataOf(stored)) {
        await client.update(configMaps, { namespace, name }, (object) => {
          const data = dataOf(object);
          const wanted = dataFor(data);
          return wanted === data ? undefined : { ...object, data: { ...wanted } };
        });
      }
      return everyMs === undefined ? undefined : { afterMs: everyMs };
    },
  });
}
