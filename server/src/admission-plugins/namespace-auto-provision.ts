import {
  type AdmissionAttributes,
  type AdmissionPlugin,
  namespacesResource,
  namespaceView,
  type ObjectAccess,
  refusal,
} from "@gatehouse/apiserver/admission";
import { StatusError } from "@gatehouse/envelopes/status";
import type { PluginParts } from "./plugin-parts.js";

/** NamespaceAutoProvision: a namespace comes to be with the first object in it. */
export function namespaceAutoProvision({ objects }: Pick<PluginParts, "objects">): AdmissionPlugin {
  const namespaces = namespaceView(objects);
  return {
    name: "NamespaceAutoProvision",
    concerns: ({ operation, resource }) =>
      operation === "CREATE" && !(resource.group === "" && resource.resource === "namespaces"),
    admit(attributes) {
      const { namespace, dryRun } = attributes;
      return dryRun || namespace === "" || namespaces.get("", namespace) !== undefined
        ? undefined
        : provide(objects, attributes);
    },
  };
}

async function provide(objects: ObjectAccess, attributes: AdmissionAttributes): Promise<void> {
  const namespace = { kind: "Namespace", apiVersion: "v1", metadata: { name: attributes.namespace } };
  try {
    await objects.create(namespacesResource, namespace);
  } catch (error) {
    if (!(error instanceof StatusError)) {
      throw error;
    }
    if (error.reason !== "AlreadyExists") {
      throw error.reason === "Forbidden" ? error : refusal(attributes, error.message);
    }
  }
}
