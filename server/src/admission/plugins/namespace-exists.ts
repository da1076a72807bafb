import { notFound } from "@gatehouse/envelopes";
import type { AdmissionPlugin } from "../admission-plugin.js";
import type { AdmissionAttributes } from "../attributes.js";
import type { ObjectView } from "../object-access.js";
import type { PluginParts } from "../plugin-parts.js";
import { type NamespaceFacts, namespacesResource, namespaceView } from "./namespaces.js";

/** NamespaceExists: nothing is written or deleted in a namespace that does not exist. */
export function namespaceExists({ objects }: Pick<PluginParts, "objects">): AdmissionPlugin {
  const namespaces = namespaceView(objects);
  return {
    name: "NamespaceExists",
    concerns: ({ operation, resource }) =>
      operation !== "CONNECT" && !(resource.group === "" && resource.resource === "namespaces"),
    validate(attributes) {
      const { namespace } = attributes;
      const isKnown = namespace === "" || namespaces.get("", namespace) !== undefined;
      return isKnown ? undefined : refuseIfMissing(namespaces, attributes);
    },
  };
}

/** The cache may be behind. */
async function refuseIfMissing(
  namespaces: ObjectView<NamespaceFacts>,
  { namespace, signal }: AdmissionAttributes,
): Promise<void> {
  await namespaces.catchUp(signal);
  if (namespaces.get("", namespace) === undefined) {
    throw notFound(namespacesResource, namespace);
  }
}
