import type { KindRules } from "@gatehouse/apiserver/registry";
import {
  checkFormat,
  checkLabels,
  checkOrdinaryIp,
  checkRequiredSupported,
  type FieldErrors,
  FieldPath,
  ipProblems,
} from "@gatehouse/apiserver/validation";
import { isSet, type JsonObject, objectAt, textAt, textsAt } from "@gatehouse/envelopes/json";
import { checkDns1123Subdomain } from "@gatehouse/envelopes/validation";
import {
  clusterIPsOf,
  headlessAddress,
  ipFamiliesOf,
  isHeadless,
  isLoadBalancer,
  portsOf,
  takesClusterIP,
} from "../service-fields.js";
import { addressChangeErrors } from "./address-changes.js";
import { validateClusterIPs } from "./cluster-ips.js";
import {
  checkLoadBalancerClass,
  checkLoadBalancerClassChange,
  checkLoadBalancerStatus,
  checkNodePortAllocation,
  checkSourceRanges,
} from "./load-balancer.js";
import { checkNoNodePorts, checkPorts, checkPortsAreUnique } from "./ports.js";
import {
  checkExternalTraffic,
  checkHealthCheckPortChange,
  checkInternalTraffic,
  checkSessionAffinity,
} from "./traffic.js";

const specPath = FieldPath.of("spec");
const serviceTypes = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
/** The port of the kubelet on each node. */
const kubeletPort = 10250;

const topologyHints = "service.kubernetes.io/topology-aware-hints";
const topologyMode = "service.kubernetes.io/topology-mode";

/** Rules of Service: members must fit its type. Addresses and ports have been allocated before. */
export const serviceRules: KindRules = {
  create: checkService,
  update(service, old, errors) {
    const spec = objectAt(service, "spec");
    const oldSpec = objectAt(old, "spec");
    errors.add(addressChangeErrors(spec, oldSpec));
    checkLoadBalancerClassChange(spec, oldSpec, errors);
    // v1.29 lists errors in its form twice.
    checkLoadBalancerClass(spec, errors);
    checkHealthCheckPortChange(spec, oldSpec, errors);
    checkService(service, errors);
  },
  subresources: {
    status: (service, _old, errors, context) => checkLoadBalancerStatus(service, errors, context),
  },
};

function checkService(service: JsonObject, errors: FieldErrors): void {
  const spec = objectAt(service, "spec");
  checkTopologyAnnotations(service, errors);
  if (portsOf(spec).length === 0 && !isHeadless(spec) && takesClusterIP(spec)) {
    errors.required(specPath.child("ports"));
  }
  checkType(spec, errors);
  checkPorts(spec, errors);
  checkLabels(objectAt(spec, "selector"), specPath.child("selector"), errors);
  checkSessionAffinity(spec, errors);
  errors.add(validateClusterIPs(spec));
  checkExternalIPs(spec, errors);
  const type = textAt(spec, "type");
  checkRequiredSupported(type, serviceTypes, specPath.child("type"), errors);
  if (type === "ClusterIP") {
    checkNoNodePorts(spec, errors);
  }
  checkPortsAreUnique(spec, errors);
  checkSourceRanges(service, errors);
  checkNodePortAllocation(spec, errors);
  checkLoadBalancerClass(spec, errors);
  checkExternalTraffic(spec, errors);
  checkInternalTraffic(spec, errors);
}

/** Validates that the older and the newer topology annotation agree. */
function checkTopologyAnnotations(service: JsonObject, errors: FieldErrors): void {
  const annotations = objectAt(service, "metadata", "annotations");
  const isGivenTwice = Object.hasOwn(annotations, topologyHints) && Object.hasOwn(annotations, topologyMode);
  const mode = textAt(annotations, topologyMode);
  if (isGivenTwice && mode !== textAt(annotations, topologyHints)) {
    const path = FieldPath.of("metadata").child("annotations").key(topologyMode);
    errors.invalid(path, mode, `must match annotations[${topologyHints}] when both are specified`);
  }
}

function checkType(spec: JsonObject, errors: FieldErrors): void {
  if (isLoadBalancer(spec)) {
    for (const [index, port] of portsOf(spec).entries()) {
      if (port["port"] === kubeletPort && !errors.isFull) {
        const detail = `may not expose port ${kubeletPort} externally since it is used by kubelet`;
        errors.invalid(specPath.child("ports").index(index), kubeletPort, detail);
      }
    }
  }
  const type = textAt(spec, "type");
  if ((type === "LoadBalancer" || type === "NodePort") && isHeadless(spec)) {
    const path = specPath.child("clusterIPs").index(0);
    errors.invalid(path, headlessAddress, `may not be set to 'None' for ${type} services`);
  }
  if (!takesClusterIP(spec)) {
    checkExternalName(spec, errors);
  }
}

/** Validates an ExternalName service: it has a name and no addresses. */
function checkExternalName(spec: JsonObject, errors: FieldErrors): void {
  const given = [
    ["clusterIPs", clusterIPsOf(spec).length > 0],
    ["ipFamilies", ipFamiliesOf(spec).length > 0],
    ["ipFamilyPolicy", isSet(spec, "ipFamilyPolicy")],
  ] as const;
  for (const [member] of given.filter(([, isGiven]) => isGiven)) {
    errors.forbidden(specPath.child(member), "may not be set for ExternalName services");
  }
  const name = textAt(spec, "externalName").replace(/\.$/, "");
  if (name === "") {
    errors.required(specPath.child("externalName"));
  } else {
    checkFormat(name, checkDns1123Subdomain, specPath.child("externalName"), errors);
  }
}

function checkExternalIPs(spec: JsonObject, errors: FieldErrors): void {
  for (const [index, address] of textsAt(spec, "externalIPs").entries()) {
    if (errors.isFull) {
      return;
    }
    const path = specPath.child("externalIPs").index(index);
    const problems = ipProblems(address);
    if (problems.length > 0) {
      errors.invalidText(path, address, problems);
    } else {
      checkOrdinaryIp(address, path, errors);
    }
  }
}
