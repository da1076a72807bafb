import { type DefaultingFunctions, inPackage, setIfAbsent, setIfZero } from "../../defaults/defaulting-function.js";
import type { JsonObject } from "../../json/json.js";
import { isSet, listAt, textAt } from "../../json/json-fields.js";
import { ownObject } from "../../json/own-members.js";

/** The core group without pods and volumes. */
const sessionTimeoutSeconds = 3 * 60 * 60;

/**
 * Defaults of Service that depend on type and ports: traffic policies, target ports, three hours of session affinity.
 */
export const serviceDefaults: DefaultingFunctions = inPackage("k8s.io.api.core.v1", {
  Service(service, features) {
    const spec = ownObject(service, "spec");
    setIfZero(spec, "type", "ClusterIP");
    setSessionAffinity(spec);
    setTrafficPolicies(spec);
    if (spec["type"] === "LoadBalancer") {
      setIfAbsent(spec, "allocateLoadBalancerNodePorts", true);
      if (features.enabled("LoadBalancerIPMode")) {
        setAddressModes(service);
      }
    }
  },
  ServicePort(port) {
    if (isSet(port, "port")) {
      setIfZero(port, "targetPort", port["port"] as number);
    }
  },
});

function setSessionAffinity(spec: JsonObject): void {
  setIfZero(spec, "sessionAffinity", "None");
  if (spec["sessionAffinity"] === "None") {
    delete spec["sessionAffinityConfig"];
  } else if (
    spec["sessionAffinity"] === "ClientIP" &&
    !isSet(spec, "sessionAffinityConfig", "clientIP", "timeoutSeconds")
  ) {
    spec["sessionAffinityConfig"] = { clientIP: { timeoutSeconds: sessionTimeoutSeconds } };
  }
}

function setTrafficPolicies(spec: JsonObject): void {
  const type = textAt(spec, "type");
  const hasNodePorts = type === "NodePort" || type === "LoadBalancer";
  if (hasNodePorts || (type === "ClusterIP" && listAt(spec, "externalIPs").length > 0)) {
    setIfZero(spec, "externalTrafficPolicy", "Cluster");
  }
  if (hasNodePorts || type === "ClusterIP") {
    setIfAbsent(spec, "internalTrafficPolicy", "Cluster");
  }
}

function setAddressModes(service: JsonObject): void {
  for (const ingress of listAt(service, "status", "loadBalancer", "ingress") as JsonObject[]) {
    if (textAt(ingress, "ip") !== "") {
      setIfAbsent(ingress, "ipMode", "VIP");
    }
  }
}
