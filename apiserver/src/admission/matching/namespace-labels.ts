import { notFound } from "@gatehouse/envelopes/status";
import type { NamespaceLabels } from "@gatehouse/policies/admission-expressions";
import { namespacesResource, namespaceView } from "../namespaces.js";
import type { ObjectAccess } from "../object-access.js";

/** Returns a reader of the labels of namespaces. One that is not known may be new: the reader lets the cache catch up. */
export function namespaceLabels(objects: ObjectAccess): NamespaceLabels {
  const namespaces = namespaceView(objects);
  return (namespace, signal) => {
    const known = namespaces.get("", namespace);
    return known === undefined ? freshLabels(namespace, signal) : known.labels;
  };

  async function freshLabels(namespace: string, signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
    await namespaces.catchUp(signal, { namespace: "", name: namespace });
    const known = namespaces.get("", namespace);
    if (known === undefined) {
      throw notFound(namespacesResource, namespace);
    }
    return known.labels;
  }
}
