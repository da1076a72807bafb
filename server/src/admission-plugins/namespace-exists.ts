import { type AdmissionPlugin, namespaceView, withNamespace } from "@gatehouse/apiserver/admission";
import type { PluginParts } from "./plugin-parts.js";

/** NamespaceExists: nothing is written or deleted in a namespace that does not exist. */
export function namespaceExists({ objects }: Pick<PluginParts, "objects">): AdmissionPlugin {
  const namespaces = namespaceView(objects);
  return {
    name: "NamespaceExists",
    concerns: ({ operation, resource }) =>
      operation !== "CONNECT" && !(resource.group === "" && resource.resource === "namespaces"),
    validate: (attributes) =>
      attributes.namespace === "" ? undefined : withNamespace(namespaces, attributes, () => {}),
  };
}
