import { copyMemberNotes } from "../../codec/member-notes.js";
import { type DefaultingFunctions, inPackage, setIfAbsent, setIfZero } from "../../defaults/defaulting-function.js";
import type { JsonArray, JsonObject } from "../../json/json.js";
import { booleanAt, isSet, listAt, objectAt, textAt } from "../../json/json-fields.js";
import { ownObject } from "../../json/own-members.js";
import { imageTag } from "./image-tag.js";

/**
 * Defaults that depend on other members of a pod or template: pull policies by tag, requests by limits, host ports,
 * empty volumes.
 */
export const podDefaults: DefaultingFunctions = inPackage("k8s.io.api.core.v1", {
  Container: setPullPolicy,
  EphemeralContainerCommon: setPullPolicy,
  /** Sets defaults of pods only: those of a template are set when a pod is made of it. */
  Pod(pod, features) {
    const spec = ownObject(pod, "spec");
    setIfAbsent(spec, "enableServiceLinks", true);
    // Some were stored so once; v1.29 reads every pod so.
    if (Number(spec["terminationGracePeriodSeconds"] ?? 0) < 0) {
      spec["terminationGracePeriodSeconds"] = 1;
    }
    const containers = listAt(spec, "containers");
    const initContainers = listAt(spec, "initContainers");
    for (const item of [...containers, ...initContainers] as JsonObject[]) {
      requestLimits(item);
    }
    if (features.enabled("InPlacePodVerticalScaling")) {
      for (const item of containers as JsonObject[]) {
        setResizePolicy(item);
      }
    }
    if (booleanAt(spec, "hostNetwork")) {
      setHostPorts(containers);
      setHostPorts(initContainers);
    }
  },
  PodSpec(spec, features) {
    nameServiceAccountTwice(spec);
    if (features.enabled("DefaultHostNetworkHostPortsInPodTemplates") && booleanAt(spec, "hostNetwork")) {
      setHostPorts(listAt(spec, "containers"));
      setHostPorts(listAt(spec, "initContainers"));
    }
  },
  PodStatus: nameAddressTwice,
  /** Makes a volume without a source an empty folder. */
  Volume(volume) {
    const hasSource = Object.keys(volume).some(
      (name) => name !== "name" && volume[name] !== undefined && volume[name] !== null,
    );
    if (!hasSource) {
      volume["emptyDir"] = {};
    }
  },
});

/**
 * Sets `podIP` to the first of `podIPs` and the reverse. If they differ, the single one wins: a client that knows no
 * other has changed it.
 */
function nameAddressTwice(status: JsonObject): void {
  const single = textAt(status, "podIP");
  const first = textAt(listAt(status, "podIPs")[0], "ip");
  if (single === "" && first !== "") {
    status["podIP"] = first;
  } else if (single !== first) {
    status["podIPs"] = [{ ip: single }];
  }
}

/**
 * Sets `serviceAccount`, an old name, and `serviceAccountName` to the same value. The new one wins, so that a client
 * that changes it alone has its way.
 */
function nameServiceAccountTwice(spec: JsonObject): void {
  const name = textAt(spec, "serviceAccountName") || textAt(spec, "serviceAccount");
  if (name !== "") {
    spec["serviceAccountName"] = name;
    spec["serviceAccount"] = name;
  }
}

/** Sets the pull policy: an image whose tag can move is pulled every time. */
function setPullPolicy(value: JsonObject): void {
  setIfZero(value, "imagePullPolicy", imageTag(textAt(value, "image")) === "latest" ? "Always" : "IfNotPresent");
}

/** Sets missing requests of a container to its limits. */
function requestLimits(value: JsonObject): void {
  const limits = objectAt(value, "resources", "limits");
  if (Object.keys(limits).length === 0) {
    return;
  }
  const resources = ownObject(value, "resources");
  if (!isSet(resources, "requests")) {
    const requests = { ...limits };
    copyMemberNotes(limits, requests);
    resources["requests"] = requests;
    return;
  }
  const requests = ownObject(resources, "requests");
  for (const resource of Object.keys(limits)) {
    if (!Object.hasOwn(requests, resource)) {
      requests[resource] = limits[resource];
    }
  }
}

function setResizePolicy(value: JsonObject): void {
  if (listAt(value, "resizePolicy").length > 0) {
    return;
  }
  const policies = ["cpu", "memory"]
    .filter((name) => isSet(value, "resources", "requests", name) || isSet(value, "resources", "limits", name))
    .map((resourceName) => ({ resourceName, restartPolicy: "NotRequired" }));
  if (policies.length > 0) {
    value["resizePolicy"] = policies;
  }
}

/** Sets host ports to the container ports, as they are on the host's network. */
function setHostPorts(containers: JsonArray): void {
  for (const item of containers) {
    for (const port of listAt(item, "ports") as JsonObject[]) {
      if (isSet(port, "containerPort")) {
        setIfZero(port, "hostPort", port["containerPort"] as number);
      }
    }
  }
}
