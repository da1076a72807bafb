import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { booleanAt, type JsonObject, listAt, textAt } from "@gatehouse/envelopes";
import type { PodOptions } from "./pod-options.js";

const segment = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const nameForm = `^(${segment}[\\./])*${segment}$`;
const namePattern = new RegExp(nameForm);

/** In bytes. */
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

/** Kernel parameters of the pod, each set once. */
export function checkSysctls(spec: JsonObject, path: FieldPath, errors: FieldErrors, options: PodOptions): void {
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

/** Whether the parameter belongs to a namespace that the pod shares with the host. */
export function isHostSysctl(name: string, spec: JsonObject): boolean {
  const namespace = namespaceOf(name);
  return (namespace === "net" && booleanAt(spec, "hostNetwork")) || (namespace === "ipc" && booleanAt(spec, "hostIPC"));
}

/** Of `net.ipv4.*` what is before the star counts; names may be written with slashes, too. */
function namespaceOf(name: string): "net" | "ipc" | undefined {
  const [before = ""] = withDots(name).split("*", 1);
  if (ipcParameters.has(before) || before.startsWith("fs.mqueue.")) {
    return "ipc";
  }
  return before.startsWith("net.") ? "net" : undefined;
}

/** Where the first separator is a slash, slashes and dots have changed places. */
function withDots(name: string): string {
  return /[./]/.exec(name)?.[0] === "/" ? name.replace(/[./]/g, (separator) => (separator === "/" ? "." : "/")) : name;
}
