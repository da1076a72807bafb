import {
  type FieldErrors,
  type FieldPath,
  maxInt32,
  validateRange,
  validateRequiredSupported,
} from "@gatehouse/apiserver/validation";
import { goSyntax } from "@gatehouse/envelopes/go";
import {
  booleanAt,
  integerAt,
  isSet,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  textAt,
} from "@gatehouse/envelopes/json";
import { validateDescendingPath } from "../../../../validation/file-paths.js";
import type { PodOptions } from "./pod-options.js";
import { validateSysctls } from "./sysctls.js";
import { validateWindowsOptions } from "./windows-options.js";

const ids = [0, maxInt32] as const;

/** Validates the security context of a pod. `path` is that of the pod's spec. */
export function validatePodSecurity(spec: JsonObject, path: FieldPath, errors: FieldErrors, options: PodOptions): void {
  const security = objectAt(spec, "securityContext");
  const at = path.child("securityContext");
  for (const name of ["fsGroup", "runAsUser", "runAsGroup"]) {
    validateRange(security[name], ids, at.child(name), errors);
  }
  for (const [index, group] of listAt(security, "supplementalGroups").entries()) {
    if (errors.isFull) {
      return;
    }
    validateRange(group ?? 0, ids, at.child("supplementalGroups").index(index), errors);
  }
  if (booleanAt(spec, "shareProcessNamespace") && booleanAt(spec, "hostPID")) {
    const detail = "ShareProcessNamespace and HostPID cannot both be enabled";
    errors.invalid(at.child("shareProcessNamespace"), true, detail);
  }
  validateSysctls(spec, at.child("sysctls"), errors, options);
  const policies = ["Always", "OnRootMismatch"];
  if (isSet(security, "fsGroupChangePolicy") && !policies.includes(textAt(security, "fsGroupChangePolicy"))) {
    errors.notSupported(at.child("fsGroupChangePolicy"), textAt(security, "fsGroupChangePolicy"), policies);
  }
  validateSeccompProfile(security, at.child("seccompProfile"), errors);
  validateWindowsOptions(security["windowsOptions"], at.child("windowsOptions"), errors);
}

/** Validates the security context of a container. */
export function validateContainerSecurity(
  container: JsonValue,
  path: FieldPath,
  errors: FieldErrors,
  options: PodOptions,
): void {
  if (!isSet(container, "securityContext")) {
    return;
  }
  const security = objectAt(container, "securityContext");
  const isPrivileged = booleanAt(security, "privileged");
  if (isPrivileged && !options.allowPrivileged) {
    errors.forbidden(path.child("privileged"), "disallowed by cluster policy");
  }
  for (const name of ["runAsUser", "runAsGroup"]) {
    validateRange(security[name], ids, path.child(name), errors);
  }
  const procMounts = ["Default", "Unmasked"];
  if (isSet(security, "procMount") && !procMounts.includes(textAt(security, "procMount"))) {
    errors.notSupported(path.child("procMount"), textAt(security, "procMount"), procMounts);
  }
  validateSeccompProfile(security, path.child("seccompProfile"), errors);
  if (security["allowPrivilegeEscalation"] === false) {
    validateEscalation(security, isPrivileged, path, errors);
  }
  validateWindowsOptions(security["windowsOptions"], path.child("windowsOptions"), errors);
}

/** Validates that a container without privilege escalation is not privileged and has no CAP_SYS_ADMIN. */
function validateEscalation(security: JsonObject, isPrivileged: boolean, path: FieldPath, errors: FieldErrors): void {
  const report = (what: string): void => {
    const shown = goSyntax("k8s.io.api.core.v1.SecurityContext", security);
    errors.invalidShown(path, shown, `cannot set \`allowPrivilegeEscalation\` to false and ${what}`);
  };
  if (isPrivileged) {
    report("`privileged` to true");
  }
  for (const capability of listAt(security, "capabilities", "add")) {
    if (errors.isFull) {
      return;
    }
    if (capability === "CAP_SYS_ADMIN") {
      report("`capabilities.Add` CAP_SYS_ADMIN");
    }
  }
}

const seccompTypes = ["Localhost", "RuntimeDefault", "Unconfined"];

/** Validates a seccomp profile. */
function validateSeccompProfile(security: JsonObject, path: FieldPath, errors: FieldErrors): void {
  if (!isSet(security, "seccompProfile")) {
    return;
  }
  const profile = objectAt(security, "seccompProfile");
  const type = textAt(profile, "type");
  const file = path.child("localhostProfile");
  if (type === "") {
    errors.required(path.child("type"), "type is required when seccompProfile is set");
  } else {
    validateRequiredSupported(type, seccompTypes, path.child("type"), errors);
  }
  if (type === "Localhost") {
    if (isSet(profile, "localhostProfile")) {
      validateDescendingPath(textAt(profile, "localhostProfile"), file, errors);
    } else {
      errors.required(file, "must be set when seccomp type is Localhost");
    }
  } else if (isSet(profile, "localhostProfile")) {
    const shown = goSyntax("k8s.io.api.core.v1.SeccompProfile", profile);
    errors.invalidShown(file, shown, "can only be set when seccomp type is Localhost");
  }
}

/** Validates that a pod with a user namespace of its own shares no other namespace with the host. */
export function validateHostUsers(spec: JsonObject, path: FieldPath, errors: FieldErrors): void {
  if (spec["hostUsers"] !== false) {
    return;
  }
  for (const [member, shown] of [
    ["hostNetwork", "hostNetwork"],
    ["hostPID", "HostPID"],
    ["hostIPC", "HostIPC"],
  ] as const) {
    if (booleanAt(spec, member)) {
      errors.forbidden(path.child(shown), "when `pod.Spec.HostUsers` is false");
    }
  }
}

/** Validates the active deadline of a pod in seconds. */
export function validateActiveDeadline(spec: JsonObject, path: FieldPath, errors: FieldErrors): void {
  if (isSet(spec, "activeDeadlineSeconds")) {
    validateRange(integerAt(spec, "activeDeadlineSeconds"), [1, maxInt32], path.child("activeDeadlineSeconds"), errors);
  }
}
