import {
  type FieldErrors,
  type FieldPath,
  validateFormat,
  validateLabels,
  validateLabelText,
  validateQualifiedText,
  validateRequiredSupported,
} from "@gatehouse/apiserver/validation";
import { integerAt, isJsonObject, isSet, type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { validateSubdomainName } from "@gatehouse/envelopes/validation";
import { validateTolerations } from "../../../../validation/tolerations.js";
import { validateAffinity } from "./affinity.js";
import { type ContainerContext, validateHostNetworkPorts } from "./container.js";
import { validateContainers, validateEphemeralContainers, validateInitContainers } from "./containers.js";
import { validateDnsConfig, validateHostAliases } from "./name-resolution.js";
import { validateOperatingSystem } from "./operating-system.js";
import type { PodOptions } from "./pod-options.js";
import { validateResources } from "./resources.js";
import { validateActiveDeadline, validateHostUsers, validatePodSecurity } from "./security-context.js";
import { validateTopologySpread } from "./topology-spread.js";
import { validateResourceClaims, validateVolumes } from "./volumes.js";
import { validateHostProcesses } from "./windows-options.js";

/** Validates the spec of a pod or template; `podName` is empty if the name of the pod is unknown. */
export function validatePodSpec(
  spec: JsonObject,
  podName: string,
  path: FieldPath,
  errors: FieldErrors,
  options: PodOptions,
): void {
  const volumes = validateVolumes(spec, podName, path.child("volumes"), errors, options);
  validateResourceClaims(spec, podName, path.child("resourceClaims"), errors);
  const context: ContainerContext = {
    volumes,
    claimNames: claimNamesOf(spec),
    gracePeriod: integerAt(spec, "terminationGracePeriodSeconds"),
    restartPolicy: textAt(spec, "restartPolicy"),
    options,
  };
  validateContainers(spec, path, errors, context);
  validateInitContainers(spec, path, errors, context);
  validateEphemeralContainers(spec, path, errors, context);
  validateHostNetworkPorts(spec, path, errors, options);
  validatePolicies(spec, path, errors);
  validateLabels(objectAt(spec, "nodeSelector"), path.child("nodeSelector"), errors);
  validatePodSecurity(spec, path, errors, options);
  validateAffinity(spec, path.child("affinity"), errors, options);
  validateDnsConfig(spec, path.child("dnsConfig"), errors);
  validateGates(spec, path, errors);
  validateTopologySpread(spec, path.child("topologySpreadConstraints"), errors, options);
  validateHostProcesses(spec, path, errors, options);
  validateHostUsers(spec, path, errors);
  validateNames(spec, path, errors, options);
  validateOperatingSystem(spec, path, errors);
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

function validatePolicies(spec: JsonObject, path: FieldPath, errors: FieldErrors): void {
  validateRequiredSupported(textAt(spec, "restartPolicy"), restartPolicies, path.child("restartPolicy"), errors);
  validateRequiredSupported(textAt(spec, "dnsPolicy"), dnsPolicies, path.child("dnsPolicy"), errors);
}

/** Validates readiness gates and scheduling gates. */
function validateGates(spec: JsonObject, path: FieldPath, errors: FieldErrors): void {
  for (const [index, gate] of listAt(spec, "readinessGates").entries()) {
    if (errors.isFull) {
      return;
    }
    const at = path.child("readinessGates").index(index).child("conditionType");
    validateQualifiedText(textAt(gate, "conditionType"), at, errors);
  }
  const names = new Set<string>();
  for (const [index, gate] of listAt(spec, "schedulingGates").entries()) {
    if (errors.isFull) {
      return;
    }
    const at = path.child("schedulingGates").index(index);
    const name = textAt(gate, "name");
    validateQualifiedText(name, at, errors);
    if (names.has(name)) {
      errors.duplicate(at, name);
    }
    names.add(name);
  }
}

/** Validates names in the spec and the members that v1.29 validates between them. */
function validateNames(spec: JsonObject, path: FieldPath, errors: FieldErrors, options: PodOptions): void {
  validateSubdomainMember(spec, "serviceAccountName", path, errors);
  validateSubdomainMember(spec, "nodeName", path, errors);
  validateActiveDeadline(spec, path, errors);
  for (const member of ["hostname", "subdomain"]) {
    const name = textAt(spec, member);
    if (name !== "") {
      validateLabelText(name, path.child(member), errors);
    }
  }
  validateTolerations(listAt(spec, "tolerations"), path.child("tolerations"), errors);
  validateHostAliases(spec, path.child("hostAliases"), errors);
  validateSubdomainMember(spec, "priorityClassName", path, errors);
  if (isSet(spec, "runtimeClassName")) {
    validateFormat(textAt(spec, "runtimeClassName"), validateSubdomainName, path.child("runtimeClassName"), errors);
  }
  if (isSet(spec, "preemptionPolicy")) {
    const policy = textAt(spec, "preemptionPolicy");
    validateRequiredSupported(policy, preemptionPolicies, path.child("preemptionPolicy"), errors);
  }
  if (isJsonObject(spec["overhead"])) {
    validateResources({ limits: spec["overhead"] }, path.child("overhead"), errors, {
      claimNames: new Set(),
      allowIndivisibleHugePages: options.allowIndivisibleHugePages,
    });
  }
}

function validateSubdomainMember(spec: JsonObject, member: string, path: FieldPath, errors: FieldErrors): void {
  const name = textAt(spec, member);
  if (name !== "") {
    validateFormat(name, validateSubdomainName, path.child(member), errors);
  }
}
