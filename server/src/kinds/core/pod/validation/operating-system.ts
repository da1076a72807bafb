import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { booleanAt, isSet, type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";

const systems = ["linux", "windows"];

/** Validates that a pod for one operating system has no members that only another one supports. */
export function validateOperatingSystem(spec: JsonObject, path: FieldPath, errors: FieldErrors): void {
  if (!isSet(spec, "os")) {
    return;
  }
  const name = textAt(spec, "os", "name");
  if (name === "") {
    errors.required(path.child("os").child("name"), "cannot be empty");
  } else if (!systems.includes(name)) {
    errors.notSupported(path.child("os"), name, systems);
  } else if (name === "linux") {
    forbid(spec, ["windowsOptions"], ["windowsOptions"], "windows options cannot be set for a linux pod", path, errors);
  } else {
    forbid(spec, podMembers, containerMembers, "cannot be set for a windows pod", path, errors);
  }
}

/**
 * Members of pods that Windows does not support: those of the security context, and with a slash in front those of the
 * spec.
 */
const podMembers = [
  "seLinuxOptions",
  "/hostUsers",
  "/hostPID",
  "/hostIPC",
  "seccompProfile",
  "fsGroup",
  "fsGroupChangePolicy",
  "sysctls",
  "/shareProcessNamespace",
  "runAsUser",
  "runAsGroup",
  "supplementalGroups",
];

const containerMembers = [
  "seLinuxOptions",
  "seccompProfile",
  "capabilities",
  "readOnlyRootFilesystem",
  "privileged",
  "allowPrivilegeEscalation",
  "procMount",
  "runAsUser",
  "runAsGroup",
];

function forbid(
  spec: JsonObject,
  ofPod: readonly string[],
  ofContainers: readonly string[],
  detail: string,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const security = objectAt(spec, "securityContext");
  for (const member of ofPod) {
    if (member.startsWith("/")) {
      if (isThere(spec, member.slice(1))) {
        errors.forbidden(path.child(member.slice(1)), detail);
      }
    } else if (isThere(security, member)) {
      errors.forbidden(path.child("securityContext").child(member), detail);
    }
  }
  for (const list of ["initContainers", "containers", "ephemeralContainers"]) {
    for (const [index, container] of listAt(spec, list).entries()) {
      if (errors.isFull) {
        return;
      }
      for (const member of ofContainers) {
        if (isSet(container, "securityContext", member)) {
          errors.forbidden(path.child(list).index(index).child("securityContext").child(member), detail);
        }
      }
    }
  }
}

/** Reports whether a member is set. A boolean that is no pointer in Go is set if true, `sysctls` if there are any. */
function isThere(holder: JsonObject, member: string): boolean {
  switch (member) {
    case "hostPID":
    case "hostIPC":
      return booleanAt(holder, member);
    case "sysctls":
      return listAt(holder, member).length > 0;
    default:
      return isSet(holder, member);
  }
}
