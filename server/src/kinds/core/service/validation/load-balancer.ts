import type { StrategyContext } from "@gatehouse/apiserver/registry";
import {
  type FieldErrors,
  FieldPath,
  parseCidr,
  parseIp,
  validateFormat,
  validateHostNameOfStatus,
  validateSupported,
} from "@gatehouse/apiserver/validation";
import { isSamePointer, trimSpace } from "@gatehouse/envelopes/go";
import { isSet, type JsonObject, type JsonValue, listAt, objectAt, textAt, textsAt } from "@gatehouse/envelopes/json";
import { validateQualifiedName } from "@gatehouse/envelopes/validation";
import { isLoadBalancer } from "../service-fields.js";

const specPath = FieldPath.of("spec");
const classPath = specPath.child("loadBalancerClass");
const rangesAnnotation = "service.beta.kubernetes.io/load-balancer-source-ranges";
const onlyForLoadBalancers = "may only be used when `type` is 'LoadBalancer'";

/** Validates the source ranges of a load balancer, in the member or in the older annotation. */
export function validateSourceRanges(service: JsonObject, errors: FieldErrors): void {
  const ranges = textsAt(service, "spec", "loadBalancerSourceRanges");
  const annotations = objectAt(service, "metadata", "annotations");
  const isMember = ranges.length > 0;
  if (!isMember && !Object.hasOwn(annotations, rangesAnnotation)) {
    return;
  }
  const annotation = textAt(annotations, rangesAnnotation);
  const path = isMember
    ? specPath.child("LoadBalancerSourceRanges")
    : FieldPath.of("metadata").child("annotations").key(rangesAnnotation);
  if (!isLoadBalancer(objectAt(service, "spec"))) {
    errors.forbidden(path, onlyForLoadBalancers);
  }
  const given = isMember ? ranges : trimSpace(annotation) === "" ? [] : trimSpace(annotation).split(",");
  if (given.some((range) => parseCidr(trimSpace(range)) === undefined)) {
    const shown = isMember ? `[${ranges.join(" ")}]` : annotation;
    errors.invalid(path, shown, "must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24 ");
  }
}

/** Validates `allocateLoadBalancerNodePorts`, which load balancers must have and other services may not. */
export function validateNodePortAllocation(spec: JsonObject, errors: FieldErrors): void {
  const isGiven = isSet(spec, "allocateLoadBalancerNodePorts");
  if (isGiven && !isLoadBalancer(spec)) {
    errors.forbidden(specPath.child("allocateLoadBalancerNodePorts"), onlyForLoadBalancers);
  }
  if (!isGiven && isLoadBalancer(spec)) {
    errors.required(FieldPath.of("allocateLoadBalancerNodePorts"));
  }
}

/** Validates the class of a load balancer. */
export function validateLoadBalancerClass(spec: JsonObject, errors: FieldErrors): void {
  if (!isSet(spec, "loadBalancerClass")) {
    return;
  }
  if (isLoadBalancer(spec)) {
    validateFormat(textAt(spec, "loadBalancerClass"), validateQualifiedName, classPath, errors);
  } else {
    errors.forbidden(classPath, onlyForLoadBalancers);
  }
}

/** Validates that the class of a load balancer has not changed. */
export function validateLoadBalancerClassUpdate(spec: JsonObject, oldSpec: JsonObject, errors: FieldErrors): void {
  const isKept = isLoadBalancer(spec) && isLoadBalancer(oldSpec);
  if (isKept && !isSamePointer(spec["loadBalancerClass"], oldSpec["loadBalancerClass"])) {
    errors.invalid(classPath, spec["loadBalancerClass"], "may not change once set");
  }
}

/** Validates the addresses in the status of a load balancer. */
export function validateLoadBalancerStatus(
  service: JsonObject,
  errors: FieldErrors,
  { features }: StrategyContext,
): void {
  const path = FieldPath.of("status").child("loadBalancer").child("ingress");
  const points = listAt(service, "status", "loadBalancer", "ingress");
  const isLoadBalanced = isLoadBalancer(objectAt(service, "spec"));
  if (points.length > 0 && !isLoadBalanced && !features.enabled("AllowServiceLBStatusOnNonLB")) {
    errors.forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'");
    return;
  }
  const needsMode = features.enabled("LoadBalancerIPMode");
  for (const [index, point] of points.entries()) {
    if (errors.isFull) {
      return;
    }
    validatePoint(point, path.index(index), needsMode, errors);
  }
}

function validatePoint(point: JsonValue, path: FieldPath, needsMode: boolean, errors: FieldErrors): void {
  const ip = textAt(point, "ip");
  if (ip !== "" && parseIp(ip) === undefined) {
    errors.invalid(path.child("ip"), ip, "must be a valid IP address");
  }
  const modePath = path.child("ipMode");
  if (!isSet(point, "ipMode")) {
    if (needsMode && ip !== "") {
      errors.required(modePath, "must be specified when `ip` is set");
    }
  } else if (ip === "") {
    errors.forbidden(modePath, "may not be specified when `ip` is not set");
  } else {
    validateSupported(textAt(point, "ipMode"), ["Proxy", "VIP"], modePath, errors);
  }
  const host = textAt(point, "hostname");
  if (host !== "") {
    validateHostNameOfStatus(host, path.child("hostname"), errors);
  }
}
