import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { goQuote } from "@gatehouse/envelopes/go";
import { type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { validateDescendingPath } from "../../../../validation/file-paths.js";
import type { PodOptions } from "./pod-options.js";
import { validateTolerationsAnnotation } from "./tolerations-annotation.js";

const mirrorPod = "kubernetes.io/config.mirror";
const deletionCost = "controller.kubernetes.io/pod-deletion-cost";
const tolerations = "scheduler.alpha.kubernetes.io/tolerations";
const podSeccomp = "seccomp.security.alpha.kubernetes.io/pod";
const containerSeccompPrefix = "container.seccomp.security.alpha.kubernetes.io/";
const appArmorPrefix = "container.apparmor.security.beta.kubernetes.io/";
const localhost = "localhost/";

/** Validates the annotations of a pod that have a meaning, most of them older than the members for it. */
export function validatePodAnnotations(
  annotations: JsonObject,
  spec: JsonObject,
  path: FieldPath,
  errors: FieldErrors,
  options: PodOptions,
): void {
  const keys = Object.keys(annotations);
  if (keys.length === 0) {
    return;
  }
  if (Object.hasOwn(annotations, mirrorPod) && textAt(spec, "nodeName") === "") {
    const detail = "must set spec.nodeName if mirror pod annotation is set";
    errors.invalid(path.key(mirrorPod), textAt(annotations, mirrorPod), detail);
  }
  if (textAt(annotations, tolerations) !== "") {
    validateTolerationsAnnotation(textAt(annotations, tolerations), tolerations, path, errors);
  }
  if (!options.allowInvalidDeletionCost) {
    validateDeletionCost(annotations, path, errors);
  }
  if (Object.hasOwn(annotations, podSeccomp)) {
    validateSeccompAnnotation(textAt(annotations, podSeccomp), path.child(podSeccomp), errors);
  }
  for (const key of keys.filter((name) => name.startsWith(containerSeccompPrefix))) {
    validateSeccompAnnotation(textAt(annotations, key), path.child(key), errors);
  }
  validateAppArmor(annotations, keys, spec, path, errors);
}

/** Validates the deletion cost, a number by which a set decides which pods to delete first. */
export function validateDeletionCost(annotations: JsonObject, path: FieldPath, errors: FieldErrors): void {
  if (!Object.hasOwn(annotations, deletionCost)) {
    return;
  }
  const cost = textAt(annotations, deletionCost);
  const isInt32 =
    /^(?:0|-?\d{1,20}|[1-9]\d{0,20})$/.test(cost) && !/^0./.test(cost) && Math.abs(Number(cost)) <= 2 ** 31;
  if (!isInt32 || Number(cost) === 2 ** 31) {
    errors.invalid(path.key(deletionCost), cost, "must be a 32bit integer");
  }
}

function validateSeccompAnnotation(profile: string, path: FieldPath, errors: FieldErrors): void {
  if (profile === "runtime/default" || profile === "docker/default" || profile === "unconfined") {
    return;
  }
  if (profile.startsWith(localhost)) {
    validateDescendingPath(profile.slice(localhost.length), path, errors);
  } else {
    errors.invalid(path, profile, "must be a valid seccomp profile");
  }
}

function validateAppArmor(
  annotations: JsonObject,
  keys: readonly string[],
  spec: JsonObject,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const own = keys.filter((key) => key.startsWith(appArmorPrefix));
  if (own.length === 0) {
    return;
  }
  const names = new Set(
    ["initContainers", "containers", "ephemeralContainers"].flatMap((list) =>
      listAt(spec, list).map((container) => textAt(container, "name")),
    ),
  );
  for (const key of own) {
    if (errors.isFull) {
      return;
    }
    const container = key.slice(appArmorPrefix.length);
    if (!names.has(container)) {
      errors.invalid(path.key(key), container, "container not found");
    }
    const profile = textAt(annotations, key);
    if (!["", "runtime/default", "unconfined"].includes(profile) && !profile.startsWith(localhost)) {
      errors.invalid(path.key(key), profile, `invalid AppArmor profile name: ${goQuote(profile)}`);
    }
  }
}

/** Validates that AppArmor and mirror pod annotations have not changed. */
export function validatePodAnnotationsUpdate(
  annotations: JsonObject,
  old: JsonObject,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const isFixed = (key: string): boolean => key.startsWith(appArmorPrefix) || key === mirrorPod;
  const what = (key: string): string => (key === mirrorPod ? "mirror pod annotation" : "AppArmor annotations");
  for (const key of Object.keys(old).filter(isFixed)) {
    if (textAt(annotations, key) !== textAt(old, key) || !Object.hasOwn(annotations, key)) {
      errors.forbidden(path.key(key), `may not remove or update ${what(key)}`);
    }
  }
  for (const key of Object.keys(annotations).filter(isFixed)) {
    if (!Object.hasOwn(old, key)) {
      errors.forbidden(path.key(key), `may not add ${what(key)}`);
    }
  }
}

/** Reports whether a pod is the mirror of a static pod, which a node runs by itself. */
export function isMirrorPod(annotations: JsonObject): boolean {
  return Object.hasOwn(annotations, mirrorPod);
}

/** Validates that seccomp annotations and members agree if both are set. */
export function validateSeccompAgreement(
  annotations: JsonObject,
  spec: JsonObject,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (!Object.keys(annotations).some((key) => key === podSeccomp || key.startsWith(containerSeccompPrefix))) {
    return;
  }
  const check = (key: string, holder: JsonObject, at: FieldPath): void => {
    const { seccompProfile: profile } = holder;
    if (Object.hasOwn(annotations, key) && profile !== undefined && profile !== null) {
      validateAgreement(textAt(annotations, key), profile as JsonObject, at.child("seccompProfile"), errors);
    }
  };
  check(podSeccomp, (spec["securityContext"] ?? {}) as JsonObject, path.child("securityContext"));
  for (const list of ["initContainers", "containers", "ephemeralContainers"]) {
    for (const [index, container] of listAt(spec, list).entries()) {
      const security = ((container as JsonObject)["securityContext"] ?? {}) as JsonObject;
      check(
        `${containerSeccompPrefix}${textAt(container, "name")}`,
        security,
        path.child(list).index(index).child("securityContext"),
      );
    }
  }
}

function validateAgreement(annotation: string, profile: JsonObject, path: FieldPath, errors: FieldErrors): void {
  const otherType = "seccomp type in annotation and field must match";
  const type = textAt(profile, "type");
  if (type === "Unconfined" && annotation !== "unconfined") {
    errors.forbidden(path.child("type"), otherType);
  } else if (type === "RuntimeDefault" && annotation !== "runtime/default" && annotation !== "docker/default") {
    errors.forbidden(path.child("type"), otherType);
  } else if (type === "Localhost") {
    if (!annotation.startsWith(localhost)) {
      errors.forbidden(path.child("type"), otherType);
    } else if (profile["localhostProfile"] !== annotation.slice(localhost.length)) {
      errors.forbidden(path.child("localhostProfile"), "seccomp profile in annotation and field must match");
    }
  }
}
