import { type AdmissionPlugin, isCoreWrite } from "@gatehouse/apiserver/admission";
import { metaOf } from "@gatehouse/apiserver/objects";
import { listAt, textAt } from "@gatehouse/envelopes/json";
import { forbidden } from "@gatehouse/envelopes/status";
import { podsResource } from "./pods.js";

const hostname = "kubernetes.io/hostname";

/** LimitPodHardAntiAffinityTopology: a pod may keep others off its node, but not off its zone. */
export function limitPodHardAntiAffinityTopology(): AdmissionPlugin {
  return {
    name: "LimitPodHardAntiAffinityTopology",
    concerns: (write) => isCoreWrite(write, "pods", ["CREATE", "UPDATE"]),
    validate({ object = {} }) {
      const required = "requiredDuringSchedulingIgnoredDuringExecution";
      const other = listAt(object, "spec", "affinity", "podAntiAffinity", required)
        .map((term) => textAt(term, "topologyKey"))
        .find((key) => key !== hostname);
      if (other !== undefined) {
        throw forbidden(
          podsResource,
          metaOf(object).name ?? "",
          `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${other} but only key ${hostname} is allowed`,
        );
      }
    },
  };
}
