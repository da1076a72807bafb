import {
  type AdmissionAttributes,
  type AdmissionPlugin,
  bareRefusal,
  isCoreWrite,
  namespacesResource,
  withNamespace,
} from "@gatehouse/apiserver/admission";
import { type JsonArray, type JsonObject, listAt, ownObject } from "@gatehouse/envelopes/json";
import { qualityOfService } from "../../pods/quality-of-service.js";
import type { PluginParts } from "../plugin-parts.js";
import { areTolerationsAllowed, mergeTolerations } from "../tolerations.js";
import { readClusterTolerations } from "./configuration.js";
import { type NamespaceTolerations, namespaceTolerationsOf, type Stated } from "./namespace-tolerations.js";

/** The toleration for memory pressure, which pods that are not BestEffort get. */
const memoryPressure = { key: "node.kubernetes.io/memory-pressure", operator: "Exists", effect: "NoSchedule" };

type Parts = Pick<PluginParts, "objects" | "configuration">;

/** PodTolerationRestriction: pods get the tolerations of their namespace, and have none that it does not allow. */
export async function podTolerationRestriction({ objects, configuration }: Parts): Promise<AdmissionPlugin> {
  const cluster = await readClusterTolerations(configuration);
  const namespaces = objects.view(namespacesResource, namespaceTolerationsOf);

  const checkAllowed = ({ object }: AdmissionAttributes, { allowed }: NamespaceTolerations): void => {
    const tolerations = listAt(object, "spec", "tolerations");
    if (tolerations.length === 0) {
      return;
    }
    if (!areTolerationsAllowed(tolerations, listOf(allowed) ?? cluster.allowed)) {
      const whose = allowed === undefined ? "cluster" : "namespace";
      throw bareRefusal(
        `pod tolerations (possibly merged with namespace default tolerations) conflict with its ${whose} whitelist`,
      );
    }
  };

  return {
    name: "PodTolerationRestriction",
    concerns: (write) => isCoreWrite(write, "pods", ["CREATE", "UPDATE"]),
    admit: (attributes) =>
      withNamespace(namespaces, attributes, (namespace) => {
        const pod = attributes.object as JsonObject;
        const defaults = attributes.operation === "CREATE" ? (listOf(namespace.defaults) ?? cluster.defaults) : [];
        const more = qualityOfService(pod) === "BestEffort" ? defaults : [...defaults, memoryPressure];
        if (more.length > 0) {
          attributes.mutate((object) => {
            const spec = ownObject(object, "spec");
            spec["tolerations"] = structuredClone(mergeTolerations(listAt(spec, "tolerations"), more));
            return undefined;
          });
        }
        checkAllowed(attributes, namespace);
      }),
    validate: (attributes) => withNamespace(namespaces, attributes, (namespace) => checkAllowed(attributes, namespace)),
  };
}

function listOf(stated: Stated): JsonArray | undefined {
  if (stated !== undefined && "problem" in stated) {
    throw bareRefusal(stated.problem);
  }
  return stated?.list;
}
