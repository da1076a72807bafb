import { goSyntaxOfList } from "@gatehouse/apiserver/go";
import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import {
  integerAt,
  isSet,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  textAt,
  wasSentEmpty,
} from "@gatehouse/envelopes";
import { type ContainerRules, checkContainer } from "./container.js";
import { checkLifecycleAndProbes } from "./probes.js";

/** The containers of a pod. `path` is that of the pod's spec. */
export function checkContainers(spec: JsonObject, path: FieldPath, errors: FieldErrors, rules: ContainerRules): void {
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
    checkContainer(container, at, errors, rules);
    checkUnique(container, names, at, errors);
    names.add(textAt(container, "name"));
    checkLifecycleAndProbes(container, at, errors, rules.gracePeriod);
    if (isSet(container, "restartPolicy")) {
      errors.forbidden(at.child("restartPolicy"), "may not be set for non-init containers");
    }
  }
  checkHostPorts(containers, list, errors);
}

function checkUnique(container: JsonValue, names: ReadonlySet<string>, path: FieldPath, errors: FieldErrors): void {
  const name = textAt(container, "name");
  if (names.has(name)) {
    errors.duplicate(path.child("name"), name);
  }
}

/** What an init container has only if it goes on running beside the others. */
const membersOfSidecars = ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"];

/** The containers that run before the others. */
export function checkInitContainers(
  spec: JsonObject,
  path: FieldPath,
  errors: FieldErrors,
  rules: ContainerRules,
): void {
  const list = path.child("initContainers");
  const names = new Set(listAt(spec, "containers").map((container) => textAt(container, "name")));
  for (const [index, container] of listAt(spec, "initContainers").entries()) {
    if (errors.isFull) {
      return;
    }
    const at = list.index(index);
    checkContainer(container, at, errors, rules);
    const policy = textAt(container, "restartPolicy");
    if (isSet(container, "restartPolicy") && policy !== "Always") {
      errors.notSupported(at.child("restartPolicy"), policy, ["Always"]);
    }
    checkUnique(container, names, at, errors);
    if (textAt(container, "name") !== "") {
      names.add(textAt(container, "name"));
    }
    // They run one after the other, and may use the same ports; the path is as if each were the first.
    checkHostPorts([container], list, errors);
    if (policy === "Always") {
      checkLifecycleAndProbes(container, at, errors, rules.gracePeriod);
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

/** One port of the host serves one container. */
function checkHostPorts(containers: JsonArray, path: FieldPath, errors: FieldErrors): void {
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

/** Members that an ephemeral container has in the schema, but may not use: in the order of the type in Go. */
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

/** The containers that are added to a pod that runs. */
export function checkEphemeralContainers(
  spec: JsonObject,
  path: FieldPath,
  errors: FieldErrors,
  rules: ContainerRules,
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
    checkContainer(container, at, errors, rules);
    checkImageSpaces(container, at, errors);
    checkUnique(container, names, at, errors);
    names.add(textAt(container, "name"));
    const target = textAt(container, "targetContainerName");
    if (target !== "" && !others.has(target)) {
      errors.notFound(at.child("targetContainerName"), target);
    }
    for (const member of membersOfServices.filter((name) => hasMember(objectAt(container), name))) {
      errors.forbidden(at.child(member), "cannot be set for an Ephemeral Container");
    }
    checkNoSubPaths(container, at.child("volumeMounts"), errors);
  }
}

/** Resources are no pointer in Go: an empty object is none. A list or map that was sent empty is one, as it is in Go. */
function hasMember(container: JsonObject, name: string): boolean {
  if (name === "resources") {
    const resources = objectAt(container, name);
    return ["limits", "requests", "claims"].some((member) => hasMember(resources, member));
  }
  return isSet(container, name) || wasSentEmpty(container, name);
}

/** What is mounted of a part of a volume is not cleaned up before the pod is gone. */
function checkNoSubPaths(container: JsonValue, path: FieldPath, errors: FieldErrors): void {
  for (const [index, mount] of listAt(container, "volumeMounts").entries()) {
    for (const member of ["subPath", "subPathExpr"]) {
      if (textAt(mount, member) !== "" && !errors.isFull) {
        errors.forbidden(path.index(index).child(member), "cannot be set for an Ephemeral Container");
      }
    }
  }
}

/** The image of a container of a pod has no space around it; templates are let have some. */
export function checkImageSpaces(container: JsonValue, path: FieldPath, errors: FieldErrors): void {
  const image = textAt(container, "image");
  if (image.trim() !== image) {
    errors.invalid(path.child("image"), image, "must not have leading or trailing whitespace");
  }
}
