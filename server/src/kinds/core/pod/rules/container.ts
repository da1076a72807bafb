import {
  checkLabelText,
  checkRequiredSupported,
  checkRequiredText,
  type FieldErrors,
  type FieldPath,
} from "@gatehouse/apiserver/validation";
import {
  booleanAt,
  integerAt,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  listAt,
  textAt,
} from "@gatehouse/envelopes/json";
import { checkPortNumber, portNameProblems, portProtocols } from "../../../../validation/ports.js";
import { checkEnv, checkEnvFrom } from "./environment.js";
import { checkMounts, type Volumes } from "./mounts.js";
import type { PodOptions } from "./pod-options.js";
import { checkResources } from "./resources.js";
import { checkContainerSecurity } from "./security-context.js";

/** The properties of a pod that the rules of its containers depend on. */
export interface ContainerRules {
  readonly volumes: Volumes;
  readonly claimNames: ReadonlySet<string>;
  /** The termination grace period of the pod in seconds. */
  readonly gracePeriod: number | bigint;
  readonly restartPolicy: string;
  readonly options: PodOptions;
}

/** Validates a container of any kind. */
export function checkContainer(
  container: JsonValue,
  path: FieldPath,
  errors: FieldErrors,
  rules: ContainerRules,
): void {
  const name = textAt(container, "name");
  if (checkRequiredText(name, path.child("name"), errors)) {
    checkLabelText(name, path.child("name"), errors);
  }
  checkRequiredText(textAt(container, "image"), path.child("image"), errors);
  checkRequiredSupported(
    textAt(container, "terminationMessagePolicy"),
    ["File", "FallbackToLogsOnError"],
    path.child("terminationMessagePolicy"),
    errors,
  );
  checkPorts(listAt(container, "ports"), path.child("ports"), errors);
  checkEnv(listAt(container, "env"), path.child("env"), errors, rules.options);
  checkEnvFrom(listAt(container, "envFrom"), path.child("envFrom"), errors);
  checkMounts(container, rules.volumes, path, errors);
  checkRequiredSupported(
    textAt(container, "imagePullPolicy"),
    ["Always", "IfNotPresent", "Never"],
    path.child("imagePullPolicy"),
    errors,
  );
  checkResources((container as JsonObject | null)?.["resources"], path.child("resources"), errors, {
    claimNames: rules.claimNames,
    allowIndivisibleHugePages: rules.options.allowIndivisibleHugePages,
  });
  checkResizePolicies(container, path.child("resizePolicy"), errors, rules.restartPolicy);
  checkContainerSecurity(container, path.child("securityContext"), errors, rules.options);
}

function checkPorts(ports: JsonArray, path: FieldPath, errors: FieldErrors): void {
  const names = new Set<string>();
  for (const [index, port] of ports.entries()) {
    if (errors.isFull) {
      return;
    }
    const at = path.index(index);
    checkPortName(textAt(port, "name"), names, at.child("name"), errors);
    if (integerAt(port, "containerPort") === 0) {
      errors.required(at.child("containerPort"));
    } else {
      checkPortNumber(integerAt(port, "containerPort") as number, at.child("containerPort"), errors);
    }
    if (integerAt(port, "hostPort") !== 0) {
      checkPortNumber(integerAt(port, "hostPort") as number, at.child("hostPort"), errors);
    }
    checkRequiredSupported(textAt(port, "protocol"), portProtocols, at.child("protocol"), errors);
  }
}

function checkPortName(name: string, names: Set<string>, path: FieldPath, errors: FieldErrors): void {
  if (name === "") {
    return;
  }
  const problems = portNameProblems(name);
  if (problems.length > 0) {
    errors.invalidText(path, name, problems);
  } else if (names.has(name)) {
    errors.duplicate(path, name);
  } else {
    names.add(name);
  }
}

/** Validates the resize policies of a container, which are for CPU and memory only. */
function checkResizePolicies(container: JsonValue, path: FieldPath, errors: FieldErrors, podPolicy: string): void {
  const resources = new Set<string>();
  for (const [index, policy] of listAt(container, "resizePolicy").entries()) {
    if (errors.isFull) {
      return;
    }
    const resource = textAt(policy, "resourceName");
    if (resources.has(resource)) {
      errors.duplicate(path.index(index), resource);
    }
    resources.add(resource);
    checkRequiredSupported(resource, ["cpu", "memory"], path, errors);
    const restart = textAt(policy, "restartPolicy");
    checkRequiredSupported(restart, ["NotRequired", "RestartContainer"], path, errors);
    if (podPolicy === "Never" && restart !== "NotRequired") {
      errors.invalid(path, restart, "must be 'NotRequired' when `restartPolicy` is 'Never'");
    }
  }
}

/** Validates that host and container ports are equal on the host network. Templates may leave host ports out. */
export function checkHostNetworkPorts(
  spec: JsonObject,
  path: FieldPath,
  errors: FieldErrors,
  { isPod }: PodOptions,
): void {
  if (!booleanAt(spec, "hostNetwork")) {
    return;
  }
  for (const [index, container] of listAt(spec, "containers").entries()) {
    for (const [portIndex, port] of listAt(container, "ports").entries()) {
      if (errors.isFull) {
        return;
      }
      const host = integerAt(port, "hostPort");
      if ((isPod || host !== 0) && host !== integerAt(port, "containerPort")) {
        const at = path.child("containers").index(index).child("ports").index(portIndex).child("hostPort");
        errors.invalid(at, host, "must match `containerPort` when `hostNetwork` is true");
      }
    }
  }
}
