import { metaOf } from "@gatehouse/apiserver/objects";
import { type IPFamily, ipFamilyOf } from "@gatehouse/apiserver/options";
import { isSet, type JsonObject, objectAt, ownObject, textAt } from "@gatehouse/envelopes/json";
import { type FieldError, fieldError } from "@gatehouse/envelopes/status";
import { clusterIPsOf, headlessAddress, ipFamiliesOf, sameList, takesClusterIP } from "../service-fields.js";
import { validateClusterIPs } from "../validation/cluster-ips.js";
import { invalidAddresses, invalidService } from "./field-errors.js";

/** The families that services get addresses of, one or two; the first one is the default. */
export type ClusterFamilies = readonly [IPFamily, ...IPFamily[]];

/**
 * Fills in `ipFamilyPolicy` and `ipFamilies` of a service and validates them against the families of this cluster, as
 * v1.29 does (KEP-563). Throws 422.
 */
export function completeIPFamilies(service: JsonObject, old: JsonObject | undefined, cluster: ClusterFamilies): void {
  const spec = ownObject(service, "spec");
  const oldSpec = old === undefined ? undefined : objectAt(old, "spec");
  if (!takesClusterIP(spec) || (oldSpec !== undefined && keepsDualStackPreference(spec, oldSpec))) {
    return;
  }
  if (!isSet(spec, "ipFamilyPolicy")) {
    spec["ipFamilyPolicy"] = defaultPolicy(spec, oldSpec);
  }
  refuse(service, validateClusterIPs(spec));
  const errors = oldSpec === undefined ? [] : fitToPolicy(spec, oldSpec);
  errors.push(...policyErrors(spec), ...inferFamilies(spec, cluster));
  refuse(service, errors);
  if (isHeadlessWithoutSelector(spec)) {
    completeWithoutSelector(spec, cluster);
    return;
  }
  refuse(service, clusterErrors(spec, cluster));
  const families = ipFamiliesOf(spec);
  const first = families[0] ?? cluster[0];
  if (families.length < 2) {
    spec["ipFamilies"] = isSingleStack(spec) || cluster.length < 2 ? [first] : [first, otherFamily(first)];
  }
}

function refuse(service: JsonObject, errors: readonly FieldError[]): void {
  if (errors.length > 0) {
    throw invalidService(metaOf(service).name ?? "", errors);
  }
}

/** Reports whether an update changes none of the members of a service that prefers dual stack; it then keeps them. */
function keepsDualStackPreference(spec: JsonObject, oldSpec: JsonObject): boolean {
  const preference = "PreferDualStack";
  return (
    textAt(spec, "ipFamilyPolicy") === preference &&
    (!isSet(oldSpec, "ipFamilyPolicy") || textAt(oldSpec, "ipFamilyPolicy") === preference) &&
    textAt(spec, "type") === textAt(oldSpec, "type") &&
    sameList(clusterIPsOf(spec), clusterIPsOf(oldSpec)) &&
    sameList(ipFamiliesOf(spec), ipFamiliesOf(oldSpec))
  );
}

function defaultPolicy(spec: JsonObject, oldSpec: JsonObject | undefined): string {
  if (isSet(oldSpec, "ipFamilyPolicy")) {
    return textAt(oldSpec, "ipFamilyPolicy");
  }
  return isHeadlessWithoutSelector(spec) ? "RequireDualStack" : "SingleStack";
}

/**
 * Reports whether a service is headless without a selector: its endpoints are managed elsewhere and can be of any
 * family.
 */
export function isHeadlessWithoutSelector(spec: JsonObject): boolean {
  return textAt(spec, "clusterIP") === headlessAddress && Object.keys(objectAt(spec, "selector")).length === 0;
}

function isSingleStack(spec: JsonObject): boolean {
  return textAt(spec, "ipFamilyPolicy") === "SingleStack";
}

/**
 * Releases the second address and family of a service that has become single stack, and returns errors for any other
 * release.
 */
function fitToPolicy(spec: JsonObject, oldSpec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const lists = [
    { member: "clusterIPs", now: clusterIPsOf(spec), before: clusterIPsOf(oldSpec), what: "cluster IP" },
    { member: "ipFamilies", now: ipFamiliesOf(spec), before: ipFamiliesOf(oldSpec), what: "IP family" },
  ];
  for (const { member, now, before, what } of lists) {
    if (isSingleStack(spec)) {
      if (now.length > 1 && sameList(now, before)) {
        spec[member] = now.slice(0, 1);
      }
    } else if (now.length > 0 && now.length < before.length) {
      errors.push(policyError(spec, `must be 'SingleStack' to release the secondary ${what}`));
    }
  }
  return errors;
}

function policyError(spec: JsonObject, detail: string): FieldError {
  return fieldError.invalid("spec.ipFamilyPolicy", textAt(spec, "ipFamilyPolicy"), detail);
}

function policyErrors(spec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const expected = "must be 'RequireDualStack' or 'PreferDualStack' when multiple";
  if (isSingleStack(spec) && clusterIPsOf(spec).length === 2) {
    errors.push(policyError(spec, `${expected} cluster IPs are specified`));
  }
  if (isSingleStack(spec) && ipFamiliesOf(spec).length === 2) {
    errors.push(policyError(spec, `${expected} IP families are specified`));
  }
  return errors;
}

/** Sets the families that the addresses imply, and returns errors for families that are not configured. */
function inferFamilies(spec: JsonObject, cluster: ClusterFamilies): FieldError[] {
  const errors: FieldError[] = [];
  const addresses = clusterIPsOf(spec);
  const families = [...ipFamiliesOf(spec)];
  for (const [index, address] of addresses.entries()) {
    if (address === headlessAddress) {
      break;
    }
    if (index < families.length) {
      continue;
    }
    const family = ipFamilyOf(address);
    if (family !== undefined && cluster.includes(family)) {
      families.push(family);
    } else {
      const detail = `${family ?? "unknown"} is not configured on this cluster`;
      errors.push(invalidAddresses(`spec.clusterIPs[${index}]`, addresses, detail));
    }
  }
  if (families.length > 0) {
    spec["ipFamilies"] = families;
  }
  return errors;
}

function completeWithoutSelector(spec: JsonObject, cluster: ClusterFamilies): void {
  const families = ipFamiliesOf(spec);
  const first = families[0] ?? cluster[0];
  if (families.length < 2) {
    spec["ipFamilies"] = isSingleStack(spec) ? [first] : [first, otherFamily(first)];
  }
}

/** Returns the other of the two families. */
export function otherFamily(family: string): IPFamily {
  return family === "IPv4" ? "IPv6" : "IPv4";
}

function clusterErrors(spec: JsonObject, cluster: ClusterFamilies): FieldError[] {
  const errors: FieldError[] = [];
  if (textAt(spec, "ipFamilyPolicy") === "RequireDualStack" && cluster.length < 2) {
    errors.push(policyError(spec, "this cluster is not configured for dual-stack services"));
  }
  for (const [index, family] of ipFamiliesOf(spec).entries()) {
    if (!cluster.some((configured) => configured === family)) {
      errors.push(fieldError.invalid(`spec.ipFamilies[${index}]`, family, "not configured on this cluster"));
    }
  }
  return errors;
}
