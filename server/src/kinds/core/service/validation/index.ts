import type { KindValidation } from "@gatehouse/apiserver/registry";
import {
  type FieldErrors,
  FieldPath,
  ipProblems,
  validateFormat,
  validateLabels,
  validateOrdinaryIp,
  validateRequiredSupported,
} from "@gatehouse/apiserver/validation";
import { isSet, type JsonObject, objectAt, textAt, textsAt } from "@gatehouse/envelopes/json";
import { validateDns1123Subdomain } from "@gatehouse/envelopes/validation";
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
  validateLoadBalancerClass,
  validateLoadBalancerClassUpdate,
  validateLoadBalancerStatus,
  validateNodePortAllocation,
  validateSourceRanges,
} from "./load-balancer.js";
import { validateNoNodePorts, validatePorts, validatePortsAreUnique } from "./ports.js";
import {
  validateExternalTraffic,
  validateHealthCheckPortUpdate,
  validateInternalTraffic,
  validateSessionAffinity,
} from "./traffic.js";

const specPath = FieldPath.of("spec");
const serviceTypes = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
/** The port of the kubelet on each node. */
const kubeletPort = 10250;

const topologyHints = "service.kubernetes.io/topology-aware-hints";
const topologyMode = "service.kubernetes.io/topology-mode";

/** Rules of Service: members must fit its type. Addresses and ports have been allocated before. */
export const serviceValidation: KindValidation = {
  create: validateService,
  update(service, old, errors) {
    const spec = objectAt(service, "spec");
    const oldSpec = objectAt(old, "spec");
    errors.recheckMetadata("change");
    errors.add(addressChangeErrors(spec, oldSpec));
    validateLoadBalancerClassUpdate(spec, oldSpec, errors);
    // v1.29 lists errors in its form twice.
    validateLoadBalancerClass(spec, errors);
    validateHealthCheckPortUpdate(spec, oldSpec, errors);
    errors.recheckMetadata("object");
    validateService(service, errors);
  },
  subresources: {
    status(service, _old, errors, context) {
      errors.recheckMetadata("change");
      validateLoadBalancerStatus(service, errors, context);
    },
  },
};

function validateService(service: JsonObject, errors: FieldErrors): void {
  const spec = objectAt(service, "spec");
  validateTopologyAnnotations(service, errors);
  if (portsOf(spec).length === 0 && !isHeadless(spec) && takesClusterIP(spec)) {
    errors.required(specPath.child("ports"));
  }
  validateType(spec, errors);
  validatePorts(spec, errors);
  validateLabels(objectAt(spec, "selector"), specPath.child("selector"), errors);
  validateSessionAffinity(spec, errors);
  errors.add(validateClusterIPs(spec));
  validateExternalIPs(spec, errors);
  const type = textAt(spec, "type");
  validateRequiredSupported(type, serviceTypes, specPath.child("type"), errors);
  if (type === "ClusterIP") {
    validateNoNodePorts(spec, errors);
  }
  validatePortsAreUnique(spec, errors);
  validateSourceRanges(service, errors);
  validateNodePortAllocation(spec, errors);
  validateLoadBalancerClass(spec, errors);
  validateExternalTraffic(spec, errors);
  validateInternalTraffic(spec, errors);
}

/** Validates that the older and the newer topology annotation agree. */
function validateTopologyAnnotations(service: JsonObject, errors: FieldErrors): void {
  const annotations = objectAt(service, "metadata", "annotations");
  const isGivenTwice = Object.hasOwn(annotations, topologyHints) && Object.hasOwn(annotations, topologyMode);
  const mode = textAt(annotations, topologyMode);
  if (isGivenTwice && mode !== textAt(annotations, topologyHints)) {
    const path = FieldPath.of("metadata").child("annotations").key(topologyMode);
    errors.invalid(path, mode, `must match annotations[${topologyHints}] when both are specified`);
  }
}

function validateType(spec: JsonObject, errors: FieldErrors): void {
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
    validateExternalName(spec, errors);
  }
}

/** Validates an ExternalName service: it has a name and no addresses. */
function validateExternalName(spec: JsonObject, errors: FieldErrors): void {
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
    validateFormat(name, validateDns1123Subdomain, specPath.child("externalName"), errors);
  }
}

function validateExternalIPs(spec: JsonObject, errors: FieldErrors): void {
  for (const [index, address] of textsAt(spec, "externalIPs").entries()) {
    if (errors.isFull) {
      return;
    }
    const path = specPath.child("externalIPs").index(index);
    const problems = ipProblems(address);
    if (problems.length > 0) {
      errors.invalidText(path, address, problems);
    } else {
      validateOrdinaryIp(address, path, errors);
    }
  }
}
