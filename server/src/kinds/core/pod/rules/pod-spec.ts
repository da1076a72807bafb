import {
  checkFormat,
  checkLabels,
  checkLabelText,
  checkQualifiedText,
  checkRequiredSupported,
  type FieldErrors,
  type FieldPath,
} from "@gatehouse/apiserver/validation";
import { integerAt, isJsonObject, isSet, type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { checkSubdomainName } from "@gatehouse/envelopes/validation";
import { checkTolerations } from "../../../../validation/tolerations.js";
import { checkAffinity } from "./affinity.js";
import { type ContainerRules, checkHostNetworkPorts } from "./container.js";
import { checkContainers, checkEphemeralContainers, checkInitContainers } from "./containers.js";
import { checkDnsConfig, checkHostAliases } from "./name-resolution.js";
import { checkOperatingSystem } from "./operating-system.js";
import type { PodOptions } from "./pod-options.js";
import { checkResources } from "./resources.js";
import { checkActiveDeadline, checkHostUsers, checkPodSecurity } from "./security-context.js";
import { checkTopologySpread } from "./topology-spread.js";
import { checkResourceClaims, checkVolumes } from "./volumes.js";
import { checkHostProcesses } from "./windows-options.js";

/** Validates the spec of a pod or template; `podName` is empty if the name of the pod is unknown. */
export function checkPodSpec(
  spec: JsonObject,
  podName: string,
  path: FieldPath,
  errors: FieldErrors,
  options: PodOptions,
): void {
  const volumes = checkVolumes(spec, podName, path.child("volumes"), errors, options);
  checkResourceClaims(spec, podName, path.child("resourceClaims"), errors);
  const rules: ContainerRules = {
    volumes,
    claimNames: claimNamesOf(spec),
    gracePeriod: integerAt(spec, "terminationGracePeriodSeconds"),
    restartPolicy: textAt(spec, "restartPolicy"),
    options,
  };
  checkContainers(spec, path, errors, rules);
  checkInitContainers(spec, path, errors, rules);
  checkEphemeralContainers(spec, path, errors, rules);
  checkHostNetworkPorts(spec, path, errors, options);
  checkPolicies(spec, path, errors);
  checkLabels(objectAt(spec, "nodeSelector"), path.child("nodeSelector"), errors);
  checkPodSecurity(spec, path, errors, options);
  checkAffinity(spec, path.child("affinity"), errors, options);
  checkDnsConfig(spec, path.child("dnsConfig"), errors);
  checkGates(spec, path, errors);
  checkTopologySpread(spec, path.child("topologySpreadConstraints"), errors, options);
  checkHostProcesses(spec, path, errors, options);
  checkHostUsers(spec, path, errors);
  checkNames(spec, path, errors, options);
  checkOperatingSystem(spec, path, errors);
}

function claimNamesOf(spec: JsonObject): ReadonlySet<string> {
  return new Set(
    listAt(spec, "resourceClaims")
      .map((claim) => textAt(claim, "name"))
      .filter((name) => name !== ""),
  );
}

/** Values of `restartPolicy`, as v1.29 lists them. */
const restartPolicies = ["Always", "OnFailure", "Never"];
const dnsPolicies = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
const preemptionPolicies = ["PreemptLowerPriority", "Never"];

function checkPolicies(spec: JsonObject, path: FieldPath, errors: FieldErrors): void {
  checkRequiredSupported(textAt(spec, "restartPolicy"), restartPolicies, path.child("restartPolicy"), errors);
  checkRequiredSupported(textAt(spec, "dnsPolicy"), dnsPolicies, path.child("dnsPolicy"), errors);
}

/** Validates readiness gates and scheduling gates. */
function checkGates(spec: JsonObject, path: FieldPath, errors: FieldErrors): void {
  for (const [index, gate] of listAt(spec, "readinessGates").entries()) {
    if (errors.isFull) {
      return;
    }
    const at = path.child("readinessGates").index(index).child("conditionType");
    checkQualifiedText(textAt(gate, "conditionType"), at, errors);
  }
  const names = new Set<string>();
  for (const [index, gate] of listAt(spec, "schedulingGates").entries()) {
    if (errors.isFull) {
      return;
    }
    const at = path.child("schedulingGates").index(index);
    const name = textAt(gate, "name");
    checkQualifiedText(name, at, errors);
    if (names.has(name)) {
      errors.duplicate(at, name);
    }
    names.add(name);
  }
}

/** Validates names in the spec and the members that v1.29 validates between them. */
function checkNames(spec: JsonObject, path: FieldPath, errors: FieldErrors, options: PodOptions): void {
  checkSubdomainMember(spec, "serviceAccountName", path, errors);
  checkSubdomainMember(spec, "nodeName", path, errors);
  checkActiveDeadline(spec, path, errors);
  for (const member of ["hostname", "subdomain"]) {
    const name = textAt(spec, member);
    if (name !== "") {
      checkLabelText(name, path.child(member), errors);
    }
  }
  checkTolerations(listAt(spec, "tolerations"), path.child("tolerations"), errors);
  checkHostAliases(spec, path.child("hostAliases"), errors);
  checkSubdomainMember(spec, "priorityClassName", path, errors);
  if (isSet(spec, "runtimeClassName")) {
    checkFormat(textAt(spec, "runtimeClassName"), checkSubdomainName, path.child("runtimeClassName"), errors);
  }
  if (isSet(spec, "preemptionPolicy")) {
    const policy = textAt(spec, "preemptionPolicy");
    checkRequiredSupported(policy, preemptionPolicies, path.child("preemptionPolicy"), errors);
  }
  if (isJsonObject(spec["overhead"])) {
    checkResources({ limits: spec["overhead"] }, path.child("overhead"), errors, {
      claimNames: new Set(),
      allowIndivisibleHugePages: options.allowIndivisibleHugePages,
    });
  }
}

function checkSubdomainMember(spec: JsonObject, member: string, path: FieldPath, errors: FieldErrors): void {
  const name = textAt(spec, member);
  if (name !== "") {
    checkFormat(name, checkSubdomainName, path.child(member), errors);
  }
}
