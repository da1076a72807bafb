import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { wasSentEmpty } from "@gatehouse/envelopes/codec";
import { goSyntaxOfList, trimSpace } from "@gatehouse/envelopes/go";
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
import { type ContainerContext, validateContainer } from "./container.js";
import { validateLifecycleAndProbes } from "./probes.js";

/** Validates the containers of a pod. `path` is that of the pod's spec. */
export function validateContainers(
  spec: JsonObject,
  path: FieldPath,
  errors: FieldErrors,
  context: ContainerContext,
): void {
  const containers = listAt(spec, "containers");
  const list = path.child("containers");
  if (containers.length === 0) {
    errors.required(list);
    return;
  }
  const names = new Set<string>();
  for (const [index, container] of containers.entries()) {
    if (errors.isFull) {
      return;
    }
    const at = list.index(index);
    validateContainer(container, at, errors, context);
    validateUnique(container, names, at, errors);
    names.add(textAt(container, "name"));
    validateLifecycleAndProbes(container, at, errors, context.gracePeriod);
    if (isSet(container, "restartPolicy")) {
      errors.forbidden(at.child("restartPolicy"), "may not be set for non-init containers");
    }
  }
  validateHostPorts(containers, list, errors);
}

function validateUnique(container: JsonValue, names: ReadonlySet<string>, path: FieldPath, errors: FieldErrors): void {
  const name = textAt(container, "name");
  if (names.has(name)) {
    errors.duplicate(path.child("name"), name);
  }
}

/** Members that an init container may have only as a sidecar (restartPolicy Always). */
const membersOfSidecars = ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"];

/** Validates the init containers. `path` is that of the pod's spec. */
export function validateInitContainers(
  spec: JsonObject,
  path: FieldPath,
  errors: FieldErrors,
  context: ContainerContext,
): void {
  const list = path.child("initContainers");
  const names = new Set(listAt(spec, "containers").map((container) => textAt(container, "name")));
  for (const [index, container] of listAt(spec, "initContainers").entries()) {
    if (errors.isFull) {
      return;
    }
    const at = list.index(index);
    validateContainer(container, at, errors, context);
    const policy = textAt(container, "restartPolicy");
    if (isSet(container, "restartPolicy") && policy !== "Always") {
      errors.notSupported(at.child("restartPolicy"), policy, ["Always"]);
    }
    validateUnique(container, names, at, errors);
    if (textAt(container, "name") !== "") {
      names.add(textAt(container, "name"));
    }
    // Init containers run one after the other and may use the same ports. As in v1.29, the index in the path is 0.
    validateHostPorts([container], list, errors);
    if (policy === "Always") {
      validateLifecycleAndProbes(container, at, errors, context.gracePeriod);
    } else {
      for (const member of membersOfSidecars.filter((name) => isSet(container, name))) {
        errors.forbidden(at.child(member), "may not be set for init containers without restartPolicy=Always");
      }
    }
    const policies = listAt(container, "resizePolicy");
    if (policies.length > 0) {
      const shown = goSyntaxOfList("k8s.io.api.core.v1.ContainerResizePolicy", policies);
      errors.invalidShown(at.child("resizePolicy"), shown, "must not be set for init containers");
    }
  }
}

/** Validates that no two containers use the same host port. */
function validateHostPorts(containers: JsonArray, path: FieldPath, errors: FieldErrors): void {
  const taken = new Set<string>();
  for (const [index, container] of containers.entries()) {
    for (const [portIndex, port] of listAt(container, "ports").entries()) {
      const number = integerAt(port, "hostPort");
      if (errors.isFull) {
        return;
      }
      if (number === 0) {
        continue;
      }
      const key = `${textAt(port, "protocol")}/${textAt(port, "hostIP")}/${number}`;
      if (taken.has(key)) {
        errors.duplicate(path.index(index).child("ports").index(portIndex).child("hostPort"), key);
      }
      taken.add(key);
    }
  }
}

/** Members of the schema that an ephemeral container may not use, in the order of the Go type. */
const membersOfServices = [
  "ports",
  "resources",
  "resizePolicy",
  "restartPolicy",
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "lifecycle",
];

/** Validates the ephemeral containers, which are added to a running pod. `path` is that of the pod's spec. */
export function validateEphemeralContainers(
  spec: JsonObject,
  path: FieldPath,
  errors: FieldErrors,
  context: ContainerContext,
): void {
  const list = path.child("ephemeralContainers");
  const ephemeral = listAt(spec, "ephemeralContainers");
  if (ephemeral.length === 0) {
    return;
  }
  const others = new Set(
    [...listAt(spec, "containers"), ...listAt(spec, "initContainers")].map((container) => textAt(container, "name")),
  );
  const names = new Set(others);
  for (const [index, container] of ephemeral.entries()) {
    if (errors.isFull) {
      return;
    }
    const at = list.index(index);
    validateContainer(container, at, errors, context);
    validateImageSpaces(container, at, errors);
    validateUnique(container, names, at, errors);
    names.add(textAt(container, "name"));
    const target = textAt(container, "targetContainerName");
    if (target !== "" && !others.has(target)) {
      errors.notFound(at.child("targetContainerName"), target);
    }
    for (const member of membersOfServices.filter((name) => hasMember(objectAt(container), name))) {
      errors.forbidden(at.child(member), "cannot be set for an Ephemeral Container");
    }
    validateNoSubPaths(container, at.child("volumeMounts"), errors);
  }
}

/**
 * Reports whether a member is set, as Go holds it: `resources` is no pointer, so that an empty object is unset; a list
 * or map that was sent empty is set.
 */
function hasMember(container: JsonObject, name: string): boolean {
  if (name === "resources") {
    const resources = objectAt(container, name);
    return ["limits", "requests", "claims"].some((member) => hasMember(resources, member));
  }
  return isSet(container, name) || wasSentEmpty(container, name);
}

/**
 * Validates that no mount has a subpath: subpaths of ephemeral containers are not cleaned up before the pod is gone.
 */
function validateNoSubPaths(container: JsonValue, path: FieldPath, errors: FieldErrors): void {
  for (const [index, mount] of listAt(container, "volumeMounts").entries()) {
    for (const member of ["subPath", "subPathExpr"]) {
      if (textAt(mount, member) !== "" && !errors.isFull) {
        errors.forbidden(path.index(index).child(member), "cannot be set for an Ephemeral Container");
      }
    }
  }
}

/** Validates that an image has no space around it, which is allowed in templates. */
export function validateImageSpaces(container: JsonValue, path: FieldPath, errors: FieldErrors): void {
  const image = textAt(container, "image");
  if (trimSpace(image) !== image) {
    errors.invalid(path.child("image"), image, "must not have leading or trailing whitespace");
  }
}
