import type { KindStrategy } from "@gatehouse/apiserver/registry";
import { isSameState } from "@gatehouse/envelopes/go";
import { isSet, type JsonObject, listAt, objectAt, ownObject, textAt, valueAt } from "@gatehouse/envelopes/json";
import { validateDns1035Name } from "@gatehouse/envelopes/validation";
import {
  isLoadBalancer,
  nodePortsOf,
  portsOf,
  takesClusterIP,
  takesHealthCheckNodePort,
  takesNodePorts,
} from "./service-fields.js";
import { serviceValidation } from "./validation/index.js";
import { isExternallyAccessible, trafficPolicies } from "./validation/traffic.js";
import { serviceWarnings } from "./warnings.js";

/**
 * The strategy of Service, which runs after the allocation (`allocation/`). Members that make no sense with a new type
 * are dropped, unless the client has changed them, too, which validation then refuses.
 */
export const serviceStrategy: KindStrategy = {
  validation: serviceValidation,
  warnings: serviceWarnings,
  metadata: { rechecks: "inValidation", validateName: validateDns1035Name },
  create: { prepareForCreate: dropInternalTrafficPolicy },
  update: {
    allowCreateOnUpdate: true,
    prepareForUpdate(service, old) {
      dropMembersOfOtherTypes(service, old);
      dropInternalTrafficPolicy(service);
    },
  },
  status: {
    prepareForUpdate(service, old, { features }) {
      if (!features.enabled("LoadBalancerIPMode") && !pointsOf(old).some((point) => isSet(point, "ipMode"))) {
        for (const point of pointsOf(service)) {
          delete point["ipMode"];
        }
      }
    },
  },
  deletion: { returnsDeletedObject: true },
};

/** Returns the ingress points of a load balancer. The schema lets only objects in. */
function pointsOf(service: JsonObject): readonly JsonObject[] {
  return listAt(service, "status", "loadBalancer", "ingress") as JsonObject[];
}

/**
 * Drops the internal traffic policy of an ExternalName, which has no traffic to direct. Validation refuses an unknown
 * policy.
 */
function dropInternalTrafficPolicy(service: JsonObject): void {
  const isKnown = trafficPolicies.includes(textAt(service, "spec", "internalTrafficPolicy"));
  if (isKnown && valueAt(service, "spec", "type") === "ExternalName") {
    delete ownObject(service, "spec")["internalTrafficPolicy"];
  }
}

function dropMembersOfOtherTypes(service: JsonObject, old: JsonObject): void {
  const spec = ownObject(service, "spec");
  const oldSpec = objectAt(old, "spec");
  const dropIfUnchanged = (...names: string[]): void => {
    if (names.every((name) => isSameState(spec[name], oldSpec[name]))) {
      for (const name of names) {
        delete spec[name];
      }
    }
  };
  if (takesClusterIP(oldSpec) && !takesClusterIP(spec)) {
    dropIfUnchanged("clusterIP", "clusterIPs");
    dropIfUnchanged("ipFamilies");
    dropIfUnchanged("ipFamilyPolicy");
  }
  if (takesNodePorts(oldSpec) && !takesNodePorts(spec)) {
    dropNodePorts(spec, oldSpec);
  }
  if (takesHealthCheckNodePort(oldSpec) && !takesHealthCheckNodePort(spec)) {
    dropIfUnchanged("healthCheckNodePort");
  }
  if (isLoadBalancer(oldSpec) && !isLoadBalancer(spec)) {
    if (isSet(oldSpec, "allocateLoadBalancerNodePorts")) {
      dropIfUnchanged("allocateLoadBalancerNodePorts");
    }
    dropIfUnchanged("loadBalancerClass");
  }
  if (isExternallyAccessible(oldSpec) && !isExternallyAccessible(spec)) {
    dropIfUnchanged("externalTrafficPolicy");
  }
  if (!isLoadBalancer(spec) && isSet(service, "status")) {
    // In an update the status is that of the old object, which must not change.
    service["status"] = { ...objectAt(service, "status"), loadBalancer: {} };
  }
}

function dropNodePorts(spec: JsonObject, oldSpec: JsonObject): void {
  const oldPorts = nodePortsOf(oldSpec);
  for (const port of nodePortsOf(spec)) {
    if (!oldPorts.has(port)) {
      return;
    }
  }
  for (const port of portsOf(spec)) {
    delete port["nodePort"];
  }
}
