import { isJsonObject, type JsonObject } from "@gatehouse/envelopes";
import { isSet, listAt, objectAt, textAt } from "../objects/json-fields.js";
import { ownObject } from "../objects/own-members.js";
import { type DefaultingRules, rulesOf, setIfAbsent, setIfZero } from "./defaulting-rule.js";

/** The core group without pods and volumes. */
const sessionTimeoutSeconds = 3 * 60 * 60;

export const coreRules: DefaultingRules = rulesOf("k8s.io.api.core.v1", {
  LimitRangeItem(item) {
    if (textAt(item, "type") === "Container") {
      completeLimits(item);
    }
  },
  Namespace(namespace) {
    const name = textAt(namespace, "metadata", "name");
    if (name !== "") {
      ownObject(ownObject(namespace, "metadata"), "labels")["kubernetes.io/metadata.name"] = name;
    }
  },
  NodeStatus(status) {
    if (!isSet(status, "allocatable") && isSet(status, "capacity")) {
      status["allocatable"] = { ...objectAt(status, "capacity") };
    }
  },
  ReplicationController(controller) {
    const spec = ownObject(controller, "spec");
    const labels = objectAt(spec, "template", "metadata", "labels");
    copyIfEmpty(spec, "selector", labels);
    copyIfEmpty(ownObject(controller, "metadata"), "labels", labels);
    setIfAbsent(spec, "replicas", 1);
  },
  /** `stringData` is another way to write `data`, and stronger. */
  Secret(secret) {
    const { stringData } = secret;
    if (isJsonObject(stringData)) {
      for (const [key, text] of Object.entries(stringData)) {
        ownObject(secret, "data")[key] = Buffer.from(String(text)).toString("base64");
      }
    }
    delete secret["stringData"];
  },
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

/** Copies a map in the place of one that is absent or empty. */
export function copyIfEmpty(object: JsonObject, name: string, from: JsonObject): void {
  if (Object.keys(from).length > 0 && Object.keys(objectAt(object, name)).length === 0) {
    object[name] = { ...from };
  }
}

/** What a container may use at most is also what it gets, and what it gets is what it asks for. */
function completeLimits(item: JsonObject): void {
  addMissing(item, "default", objectAt(item, "max"));
  addMissing(item, "defaultRequest", objectAt(item, "default"));
  addMissing(item, "defaultRequest", objectAt(item, "min"));
}

function addMissing(item: JsonObject, name: string, from: JsonObject): void {
  for (const resource of Object.keys(from)) {
    const amounts = ownObject(item, name);
    if (!Object.hasOwn(amounts, resource)) {
      amounts[resource] = from[resource];
    }
  }
}

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
