import { type IPFamily, ipFamilyOf } from "@gatehouse/apiserver/options";
import { type FieldErrors, FieldPath, validateFormat, validateQualifiedText } from "@gatehouse/apiserver/validation";
import { goSyntax, goSyntaxOfList } from "@gatehouse/envelopes/go";
import {
  integerAt,
  isSet,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  textAt,
} from "@gatehouse/envelopes/json";
import { validateSubdomainName } from "@gatehouse/envelopes/validation";

const path = FieldPath.of("status");
const systemConditions = ["PodScheduled", "Ready", "Initialized"];

/** Validates the status of a pod. Errors in conditions have v1.29's path, which begins with `metadata`. */
export function validatePodStatus(pod: JsonObject, old: JsonObject, errors: FieldErrors): void {
  const status = objectAt(pod, "status");
  const oldStatus = objectAt(old, "status");
  for (const [index, condition] of listAt(status, "conditions").entries()) {
    const type = textAt(condition, "type");
    if (!systemConditions.includes(type) && !errors.isFull) {
      const at = FieldPath.of("metadata").child("conditions").index(index).child("Type");
      validateQualifiedText(type, at, errors);
    }
  }
  const nominated = textAt(status, "nominatedNodeName");
  if (nominated !== "" && nominated !== textAt(oldStatus, "nominatedNodeName")) {
    validateFormat(nominated, validateSubdomainName, path.child("nominatedNodeName"), errors);
  }
  const policy = textAt(old, "spec", "restartPolicy");
  validateTransitions("containerStatuses", status, oldStatus, policy, errors);
  validateTransitions("initContainerStatuses", status, oldStatus, policy, errors);
  // A node never starts an ephemeral container again.
  validateTransitions("ephemeralContainerStatuses", status, oldStatus, "Never", errors);
  validateClaimStatuses(pod, errors);
  validatePodIps(listAt(status, "podIPs"), errors);
  validateHostIps(status, errors);
}

/** Validates that a container that has ended and is not restarted stays ended. */
function validateTransitions(
  member: string,
  status: JsonObject,
  old: JsonObject,
  restartPolicy: string,
  errors: FieldErrors,
): void {
  if (restartPolicy === "Always") {
    return;
  }
  const alive = new Map<string, number>();
  for (const container of listAt(status, member)) {
    if (!isSet(container, "state", "terminated")) {
      const name = textAt(container, "name");
      alive.set(name, (alive.get(name) ?? 0) + 1);
    }
  }
  for (const [index, container] of listAt(old, member).entries()) {
    const hasFailed = integerAt(container, "state", "terminated", "exitCode") !== 0;
    if (!isSet(container, "state", "terminated") || (hasFailed && restartPolicy === "OnFailure")) {
      continue;
    }
    for (let count = alive.get(textAt(container, "name")) ?? 0; count > 0 && !errors.isFull; count--) {
      const at = path.child(member).index(index).child("state");
      errors.forbidden(at, "may not be transitioned to non-terminated state");
    }
  }
}

function validateClaimStatuses(pod: JsonObject, errors: FieldErrors): void {
  const claims = new Set(listAt(pod, "spec", "resourceClaims").map((claim) => textAt(claim, "name")));
  const names = new Set<string>();
  for (const [index, claim] of listAt(pod, "status", "resourceClaimStatuses").entries()) {
    if (errors.isFull) {
      return;
    }
    const at = path.child("resourceClaimStatuses").index(index).child("name");
    const name = textAt(claim, "name");
    if (!claims.has(name)) {
      errors.invalid(at, name, "must match the name of an entry in `spec.resourceClaims`");
    }
    if (names.has(name)) {
      errors.duplicate(at, name);
    }
    names.add(name);
    if (isSet(claim, "resourceClaimName")) {
      validateFormat(textAt(claim, "resourceClaimName"), validateSubdomainName, at, errors);
    }
  }
}

const podIp = "k8s.io.api.core.v1.PodIP";
const hostIp = "k8s.io.api.core.v1.HostIP";

function validatePodIps(ips: JsonArray, errors: FieldErrors): void {
  const at = path.child("podIPs");
  validateIps(ips, at, errors);
  if (ips.length > 1) {
    validateFamilies(ips, podIp, at, errors);
    validateRepeated(ips, podIp, at, errors);
  }
}

function validateHostIps(status: JsonObject, errors: FieldErrors): void {
  const ips = listAt(status, "hostIPs");
  if (ips.length === 0) {
    return;
  }
  const at = path.child("hostIPs");
  const first = textAt(ips[0], "ip");
  if (textAt(status, "hostIP") !== first) {
    errors.invalid(at.index(0).child("ip"), first, "must be equal to `hostIP`");
  }
  validateIps(ips, at, errors);
  if (ips.length > 1) {
    validateRepeated(ips, hostIp, at, errors);
    validateFamilies(ips, hostIp, at, errors);
  }
}

function validateIps(ips: JsonArray, at: FieldPath, errors: FieldErrors): void {
  for (const [index, item] of ips.entries()) {
    const ip = textAt(item, "ip");
    if (ipFamilyOf(ip) === undefined && !errors.isFull) {
      errors.invalid(at.index(index), ip, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
    }
  }
}

/** Validates that there is at most one address of each family. */
function validateFamilies(ips: JsonArray, message: string, at: FieldPath, errors: FieldErrors): void {
  const families = ips.map((item): IPFamily | undefined => ipFamilyOf(textAt(item, "ip")));
  const wrong = families.indexOf(undefined);
  if (wrong >= 0) {
    errors.internal(at, `failed to check for dual stack with error:invalid IP[${wrong}]: ${textAt(ips[wrong], "ip")}`);
  }
  if (wrong >= 0 || ips.length > 2 || families[0] === families[1]) {
    const shown = goSyntaxOfList(message, ips);
    errors.invalidShown(at, shown, "may specify no more than one IP for each IP family");
  }
}

function validateRepeated(ips: JsonArray, message: string, at: FieldPath, errors: FieldErrors): void {
  const seen = new Set<string>();
  for (const [index, item] of ips.entries()) {
    const ip = textAt(item as JsonValue, "ip");
    if (seen.has(ip) && !errors.isFull) {
      errors.duplicateShown(at.index(index), goSyntax(message, item));
    }
    seen.add(ip);
  }
}
