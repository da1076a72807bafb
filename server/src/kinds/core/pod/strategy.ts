import { copyMembers, metaOf } from "@gatehouse/apiserver/objects";
import type { KindStrategy, SelectableField } from "@gatehouse/apiserver/registry";
import { booleanAt, integerAt, isSet, type JsonObject, listAt, ownObject, textAt } from "@gatehouse/envelopes/json";
import { hasEnded } from "../../../pods/has-ended.js";
import { qualityOfService } from "../../../pods/quality-of-service.js";
import { podValidation } from "./validation/index.js";
import { podWarnings } from "./warnings.js";

/** The strategy of Pod. */
export const podStrategy: KindStrategy = {
  validation: podValidation,
  warnings: podWarnings,
  create: { resetStatus: startPending },
  update: {
    subresources: { ephemeralcontainers: { prepareForUpdate: takeEphemeralContainers } },
  },
  status: {
    // v1.29 leaves members of disabled features alone here.
    dropDisabledFields: () => undefined,
    resetFields: ["spec", "metadata.deletionTimestamp", "metadata.ownerReferences"],
    prepareForUpdate(pod, old) {
      // Old kubelets send owner references back mangled, which would break garbage collection. A status says nothing of the end.
      copyMembers(metaOf(old), metaOf(pod), ["ownerReferences", "deletionTimestamp"]);
    },
  },
  deletion: { returnsDeletedObject: true, gracePeriodSeconds },
};

/** Gives a new pod its status. Of the one that was sent, v1.29 keeps the quality of service class. */
function startPending(pod: JsonObject): void {
  const status: JsonObject = { phase: "Pending", qosClass: qualityOfService(pod) };
  if (listAt(pod, "spec", "schedulingGates").length > 0) {
    status["conditions"] = [
      {
        type: "PodScheduled",
        status: "False",
        lastProbeTime: null,
        lastTransitionTime: null,
        reason: "SchedulingGated",
        message: "Scheduling is blocked due to non-empty scheduling gates",
      },
    ];
  }
  pod["status"] = status;
}

/** Restores everything but the list of ephemeral containers, which is all that /ephemeralcontainers writes. */
function takeEphemeralContainers(pod: JsonObject, old: JsonObject): void {
  const ephemeralContainers = listAt(pod, "spec", "ephemeralContainers");
  const sent = metaOf(pod);
  for (const key of Object.keys(pod)) {
    delete pod[key];
  }
  Object.assign(pod, structuredClone(old));
  // v1.29 does not track managed fields here, either.
  for (const name of ["name", "namespace", "uid", "resourceVersion"]) {
    metaOf(pod)[name] = sent[name] ?? metaOf(pod)[name];
  }
  const spec = ownObject(pod, "spec");
  if (ephemeralContainers.length > 0) {
    spec["ephemeralContainers"] = ephemeralContainers;
  } else {
    delete spec["ephemeralContainers"];
  }
}

/** Returns the grace period of a deletion in seconds: 0 for a pod that is on no node or has ended. */
function gracePeriodSeconds(pod: JsonObject, requested: number | undefined): number {
  if (textAt(pod, "spec", "nodeName") === "" || hasEnded(pod)) {
    return 0;
  }
  const ownSeconds = isSet(pod, "spec", "terminationGracePeriodSeconds")
    ? Number(integerAt(pod, "spec", "terminationGracePeriodSeconds"))
    : 0;
  const seconds = requested ?? ownSeconds;
  return seconds < 0 ? 1 : seconds;
}

/**
 * The selectable fields of pods. `spec.host` is an older name of `spec.nodeName`; `status.podIPs` is accepted, but
 * empty.
 */
export const podFields: Readonly<Record<string, SelectableField>> = {
  "spec.nodeName": nodeName,
  "spec.host": nodeName,
  "spec.restartPolicy": (pod) => textAt(pod, "spec", "restartPolicy"),
  "spec.schedulerName": (pod) => textAt(pod, "spec", "schedulerName"),
  "spec.serviceAccountName": (pod) => textAt(pod, "spec", "serviceAccountName"),
  "spec.hostNetwork": (pod) => String(booleanAt(pod, "spec", "hostNetwork")),
  "status.phase": (pod) => textAt(pod, "status", "phase"),
  "status.podIP": (pod) => textAt(listAt(pod, "status", "podIPs")[0], "ip") || textAt(pod, "status", "podIP"),
  "status.podIPs": () => "",
  "status.nominatedNodeName": (pod) => textAt(pod, "status", "nominatedNodeName"),
};

function nodeName(pod: JsonObject): string {
  return textAt(pod, "spec", "nodeName");
}
