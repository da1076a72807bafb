import type { NamespaceReader, NamespaceState } from "../admission/plugins/namespace-lifecycle.js";
import { textAt } from "../objects/json-fields.js";
import type { CatalogueSource } from "./live-catalogue.js";
import type { ResourceStorage } from "./resource-storage.js";

const terminatingMark = Buffer.from('"phase":"Terminating"');

/** Tells admission of namespaces, from their cache. */
export function namespaceStates(catalogues: Pick<CatalogueSource, "current">): NamespaceReader {
  const storage = (): ResourceStorage | undefined => catalogues.current.find("", "v1", "namespaces")?.storage;
  return {
    cached: (name) => stateOf(storage(), name),
    async fresh(name, signal) {
      const namespaces = storage();
      await namespaces?.catchUp({ signal });
      return stateOf(namespaces, name);
    },
  };
}

function stateOf(namespaces: ResourceStorage | undefined, name: string): NamespaceState {
  const entry = namespaces?.cache.get(namespaces.keyOf("", name));
  if (entry === undefined) {
    return undefined;
  }
  // Most namespaces never have these bytes in them; those that do may have them in an annotation.
  const mayBeTerminating = entry.bytes.includes(terminatingMark);
  return mayBeTerminating && textAt(entry.object(), "status", "phase") === "Terminating" ? "terminating" : "active";
}
