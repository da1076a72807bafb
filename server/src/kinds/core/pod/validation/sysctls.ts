import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { booleanAt, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import type { PodOptions } from "./pod-options.js";

const segment = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const nameForm = `^(${segment}[\\./])*${segment}$`;
const namePattern = new RegExp(nameForm);

/** Limit on the name of a kernel parameter, in bytes. */
const maxName = 253;

/** Kernel parameters that belong to the IPC namespace, beside those under `fs.mqueue`. */
const ipcParameters: ReadonlySet<string> = new Set([
  "kernel.sem",
  "kernel.shmall",
  "kernel.shmmax",
  "kernel.shmmni",
  "kernel.shm_rmid_forced",
  "kernel.shm",
  "kernel.msgmax",
  "kernel.msgmnb",
  "kernel.msgmni",
  "kernel.msg",
]);

/** Validates the kernel parameters of a pod, each set once. */
export function validateSysctls(spec: JsonObject, path: FieldPath, errors: FieldErrors, options: PodOptions): void {
  const names = new Set<string>();
  for (const [index, sysctl] of listAt(spec, "securityContext", "sysctls").entries()) {
    if (errors.isFull) {
      return;
    }
    const name = textAt(sysctl, "name");
    const namePath = path.index(index).child("name");
    if (name === "") {
      errors.required(namePath);
    } else if (Buffer.byteLength(name) > maxName || !namePattern.test(name)) {
      errors.invalid(namePath, name, `must have at most ${maxName} characters and match regex ${nameForm}`);
    } else if (names.has(name)) {
      errors.duplicate(namePath, name);
    }
    names.add(name);
    if (!options.allowHostSysctls && isHostSysctl(name, spec)) {
      const member = namespaceOf(name) === "net" ? "hostNetwork" : "hostIPC";
      errors.invalid(namePath, name, `may not be specified when '${member}' is true`);
    }
  }
}

/** Reports whether a kernel parameter belongs to a namespace that the pod shares with the host. */
export function isHostSysctl(name: string, spec: JsonObject): boolean {
  const namespace = namespaceOf(name);
  return (namespace === "net" && booleanAt(spec, "hostNetwork")) || (namespace === "ipc" && booleanAt(spec, "hostIPC"));
}

/**
 * Returns the namespace of a kernel parameter. For `net.ipv4.*` the part before the star decides; slashes may replace
 * dots.
 */
function namespaceOf(name: string): "net" | "ipc" | undefined {
  const [before = ""] = withDots(name).split("*", 1);
  if (ipcParameters.has(before) || before.startsWith("fs.mqueue.")) {
    return "ipc";
  }
  return before.startsWith("net.") ? "net" : undefined;
}

/** Returns a name with dots as separators. If its first separator is a slash, dots and slashes are exchanged. */
function withDots(name: string): string {
  return /[./]/.exec(name)?.[0] === "/" ? name.replace(/[./]/g, (separator) => (separator === "/" ? "." : "/")) : name;
}
