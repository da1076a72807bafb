import {
  type FieldErrors,
  type FieldPath,
  validateLabelText,
  validateRequiredSupported,
  validateRequiredText,
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
import { portNameProblems, portProtocols, validatePortNumber } from "../../../../validation/ports.js";
import { validateEnv, validateEnvFrom } from "./environment.js";
import { type Volumes, validateMounts } from "./mounts.js";
import type { PodOptions } from "./pod-options.js";
import { validateResources } from "./resources.js";
import { validateContainerSecurity } from "./security-context.js";

/** The properties of a pod that the context of its containers depend on. */
export interface ContainerContext {
  readonly volumes: Volumes;
  readonly claimNames: ReadonlySet<string>;
  /** The termination grace period of the pod in seconds. */
  readonly gracePeriod: number | bigint;
  readonly restartPolicy: string;
  readonly options: PodOptions;
}

/** Validates a container of any kind. */
export function validateContainer(
  container: JsonValue,
  path: FieldPath,
  errors: FieldErrors,
  context: ContainerContext,
): void {
  const name = textAt(container, "name");
  if (validateRequiredText(name, path.child("name"), errors)) {
    validateLabelText(name, path.child("name"), errors);
  }
  validateRequiredText(textAt(container, "image"), path.child("image"), errors);
  validateRequiredSupported(
    textAt(container, "terminationMessagePolicy"),
    ["File", "FallbackToLogsOnError"],
    path.child("terminationMessagePolicy"),
    errors,
  );
  validatePorts(listAt(container, "ports"), path.child("ports"), errors);
  validateEnv(listAt(container, "env"), path.child("env"), errors, context.options);
  validateEnvFrom(listAt(container, "envFrom"), path.child("envFrom"), errors);
  validateMounts(container, context.volumes, path, errors);
  validateRequiredSupported(
    textAt(container, "imagePullPolicy"),
    ["Always", "IfNotPresent", "Never"],
    path.child("imagePullPolicy"),
    errors,
  );
  validateResources((container as JsonObject | null)?.["resources"], path.child("resources"), errors, {
    claimNames: context.claimNames,
    allowIndivisibleHugePages: context.options.allowIndivisibleHugePages,
  });
  validateResizePolicies(container, path.child("resizePolicy"), errors, context.restartPolicy);
  validateContainerSecurity(container, path.child("securityContext"), errors, context.options);
}

function validatePorts(ports: JsonArray, path: FieldPath, errors: FieldErrors): void {
  const names = new Set<string>();
  for (const [index, port] of ports.entries()) {
    if (errors.isFull) {
      return;
    }
    const at = path.index(index);
    validatePortName(textAt(port, "name"), names, at.child("name"), errors);
    if (integerAt(port, "containerPort") === 0) {
      errors.required(at.child("containerPort"));
    } else {
      validatePortNumber(integerAt(port, "containerPort") as number, at.child("containerPort"), errors);
    }
    if (integerAt(port, "hostPort") !== 0) {
      validatePortNumber(integerAt(port, "hostPort") as number, at.child("hostPort"), errors);
    }
    validateRequiredSupported(textAt(port, "protocol"), portProtocols, at.child("protocol"), errors);
  }
}

function validatePortName(name: string, names: Set<string>, path: FieldPath, errors: FieldErrors): void {
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
function validateResizePolicies(container: JsonValue, path: FieldPath, errors: FieldErrors, podPolicy: string): void {
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
    validateRequiredSupported(resource, ["cpu", "memory"], path, errors);
    const restart = textAt(policy, "restartPolicy");
    validateRequiredSupported(restart, ["NotRequired", "RestartContainer"], path, errors);
    if (podPolicy === "Never" && restart !== "NotRequired") {
      errors.invalid(path, restart, "must be 'NotRequired' when `restartPolicy` is 'Never'");
    }
  }
}

/** Validates that host and container ports are equal on the host network. Templates may leave host ports out. */
export function validateHostNetworkPorts(
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
