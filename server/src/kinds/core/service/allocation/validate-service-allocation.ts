import { type FieldError, fieldError, type JsonObject } from "@gatehouse/envelopes";
import { isSet, objectAt, textAt } from "../../../../objects/json-fields.js";
import {
  clusterIPsOf,
  headlessAddress,
  healthCheckNodePortOf,
  ipFamiliesOf,
  isHeadless,
  nodePortOf,
  portsOf,
  sameList,
  takesClusterIP,
  takesHealthCheckNodePort,
} from "../service-fields.js";
import { invalidAddresses, invalidFamilies } from "./field-errors.js";
import { validateClusterIPs } from "./validate-cluster-ips.js";

const unchangeable = "may not change once set";

/** What is wrong with the addresses and ports of a service that is about to be stored. */
export function validateAllocation(service: JsonObject): FieldError[] {
  const spec = objectAt(service, "spec");
  return [...typeErrors(spec), ...validateClusterIPs(spec), ...nodePortErrors(spec), ...healthCheckErrors(spec)];
}

/** What is wrong with a change of them: only a service that was or becomes an ExternalName may change its address. */
export function validateAllocationUpdate(service: JsonObject, old: JsonObject): FieldError[] {
  const spec = objectAt(service, "spec");
  const oldSpec = objectAt(old, "spec");
  const errors: FieldError[] = [];
  if (takesClusterIP(spec) && takesClusterIP(oldSpec)) {
    errors.push(...addressChangeErrors(spec, oldSpec), ...familyChangeErrors(spec, oldSpec));
  }
  if (takesHealthCheckNodePort(spec) && takesHealthCheckNodePort(oldSpec)) {
    if (healthCheckNodePortOf(spec) !== healthCheckNodePortOf(oldSpec)) {
      errors.push(fieldError.forbidden("spec.healthCheckNodePort", "field is immutable"));
    }
  }
  return errors;
}

function typeErrors(spec: JsonObject): FieldError[] {
  const type = textAt(spec, "type");
  if ((type === "LoadBalancer" || type === "NodePort") && isHeadless(spec)) {
    const detail = `may not be set to 'None' for ${type} services`;
    return [fieldError.invalid("spec.clusterIPs[0]", headlessAddress, detail)];
  }
  if (takesClusterIP(spec)) {
    return [];
  }
  const given = [
    ["clusterIPs", clusterIPsOf(spec).length > 0],
    ["ipFamilies", ipFamiliesOf(spec).length > 0],
    ["ipFamilyPolicy", isSet(spec, "ipFamilyPolicy")],
  ] as const;
  return given
    .filter(([, isGiven]) => isGiven)
    .map(([member]) => fieldError.forbidden(`spec.${member}`, "may not be set for ExternalName services"));
}

function nodePortErrors(spec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const isClusterIP = textAt(spec, "type") === "ClusterIP";
  const seen = new Set<string>();
  for (const [index, port] of portsOf(spec).entries()) {
    const field = `spec.ports[${index}].nodePort`;
    const nodePort = nodePortOf(port);
    if (nodePort === 0) {
      continue;
    }
    if (isClusterIP) {
      errors.push(fieldError.forbidden(field, "may not be used when `type` is 'ClusterIP'"));
    }
    const key = `${textAt(port, "protocol")} ${nodePort}`;
    if (seen.has(key)) {
      errors.push(fieldError.duplicate(field, nodePort));
    }
    seen.add(key);
  }
  return errors;
}

function healthCheckErrors(spec: JsonObject): FieldError[] {
  const nodePort = healthCheckNodePortOf(spec);
  if (nodePort === 0 || takesHealthCheckNodePort(spec)) {
    return [];
  }
  const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return [fieldError.invalid("spec.healthCheckNodePort", nodePort, detail)];
}

function addressChangeErrors(spec: JsonObject, oldSpec: JsonObject): FieldError[] {
  if (isHeadless(spec) && isHeadless(oldSpec)) {
    return [];
  }
  const now = clusterIPsOf(spec);
  const before = clusterIPsOf(oldSpec);
  if (now.length === before.length) {
    return before.flatMap((address, index) =>
      address === now[index] ? [] : [invalidAddresses(`spec.clusterIPs[${index}]`, now, unchangeable)],
    );
  }
  if (now.length === 0) {
    return [invalidAddresses("spec.clusterIPs[0]", now, "primary clusterIP can not be unset")];
  }
  const errors: FieldError[] = [];
  if (before.length > 0 && now[0] !== before[0]) {
    errors.push(invalidAddresses("spec.clusterIPs[0]", now, unchangeable));
  }
  if (now.length === 1 && before.length > 1 && textAt(spec, "ipFamilyPolicy") !== "SingleStack") {
    errors.push(mustBeSingleStack(spec, "clusterIP"));
  }
  return errors;
}

function familyChangeErrors(spec: JsonObject, oldSpec: JsonObject): FieldError[] {
  if (isHeadless(spec) || isHeadless(oldSpec)) {
    return [];
  }
  const now = ipFamiliesOf(spec);
  const before = ipFamiliesOf(oldSpec);
  if (before.length === 0 || sameList(now, before)) {
    return [];
  }
  const field = "spec.ipFamilies[0]";
  if (now.length === before.length) {
    return before.filter((family, index) => family !== now[index]).map(() => invalidFamilies(field, now, unchangeable));
  }
  const errors: FieldError[] = [];
  if (now.length > 0 && now[0] !== before[0]) {
    errors.push(invalidAddresses(field, clusterIPsOf(spec), unchangeable));
  }
  if (now.length === 1 && textAt(spec, "ipFamilyPolicy") !== "SingleStack") {
    errors.push(mustBeSingleStack(spec, "ipFamily"));
  }
  return errors;
}

function mustBeSingleStack(spec: JsonObject, what: string): FieldError {
  const detail = `must be set to 'SingleStack' when releasing the secondary ${what}`;
  return fieldError.invalid("spec.ipFamilyPolicy", textAt(spec, "ipFamilyPolicy"), detail);
}
