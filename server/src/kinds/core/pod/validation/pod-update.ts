import { isSameBySchema } from "@gatehouse/apiserver/objects";
import { type FieldErrors, FieldPath, maxInt32, rangeText } from "@gatehouse/apiserver/validation";
import { goDiff } from "@gatehouse/envelopes/go";
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
import { messageSchema } from "@gatehouse/envelopes/schema";
import { computedQualityOfService, qualityOfService } from "../../../../pods/quality-of-service.js";
import { validateTolerations } from "../../../../validation/tolerations.js";
import { validateImageSpaces } from "./containers.js";
import { comparableSpec } from "./mutable-members.js";
import type { PodOptions } from "./pod-options.js";
import { validateSchedulingMutation } from "./scheduling-mutation.js";

const podSpec = "k8s.io.api.core.v1.PodSpec";
const specPath = FieldPath.of("spec");

/** Validates an update of a pod, after the rules of a new one. Images, deadlines, tolerations and gates may change. */
export function validatePodUpdate(
  pod: JsonObject,
  old: JsonObject,
  errors: FieldErrors,
  options: PodOptions,
  isResizable: boolean,
): void {
  const spec = objectAt(pod, "spec");
  const oldSpec = objectAt(old, "spec");
  for (const list of ["containers", "initContainers"]) {
    if (!validateContainersUpdate(listAt(spec, list), listAt(oldSpec, list), specPath.child(list), errors)) {
      return;
    }
  }
  if (!validateDeadlineUpdate(spec, oldSpec, errors)) {
    return;
  }
  validateAddedTolerations(listAt(spec, "tolerations"), listAt(oldSpec, "tolerations"), errors);
  validateRemovedGates(listAt(spec, "schedulingGates"), listAt(oldSpec, "schedulingGates"), errors);
  if (isSameBySchema(messageSchema(podSpec), spec, oldSpec)) {
    return;
  }
  if (qualityOfService(old) !== computedQualityOfService(pod)) {
    errors.invalid(FieldPath.of("metadata"), textAt(pod, "status", "qosClass"), "Pod QoS is immutable");
  }
  const comparable = comparableSpec(spec, oldSpec, isResizable);
  if (options.allowMutableScheduling && listAt(oldSpec, "schedulingGates").length > 0) {
    validateSchedulingMutation(comparable, oldSpec, specPath, errors);
  }
  if (!isSameBySchema(messageSchema(podSpec), comparable, oldSpec)) {
    const difference = goDiff(podSpec, oldSpec, comparable);
    const members = isResizable ? [...mutableMembers, resizableMember] : mutableMembers;
    errors.forbidden(specPath, `pod updates may not change fields other than ${members.join(",")}\n${difference}`);
  }
}

const mutableMembers = [
  "`spec.containers[*].image`",
  "`spec.initContainers[*].image`",
  "`spec.activeDeadlineSeconds`",
  "`spec.tolerations` (only additions to existing tolerations)",
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
];
const resizableMember = "`spec.containers[*].resources` (for CPU/memory only)";

/**
 * Validates the containers of an update; returns false if their number has changed, so that nothing else can be
 * compared.
 */
function validateContainersUpdate(
  containers: JsonArray,
  old: JsonArray,
  path: FieldPath,
  errors: FieldErrors,
): boolean {
  if (containers.length !== old.length) {
    errors.forbidden(path, "pod updates may not add or remove containers");
    return false;
  }
  for (const [index, container] of containers.entries()) {
    if (errors.isFull) {
      return false;
    }
    if (textAt(container, "image") === "") {
      errors.required(path.index(index).child("image"));
    }
    validateImageSpaces(container, path.index(index), errors);
  }
  return true;
}

/** Validates the deadline, which may be set once and then only decrease; returns false if validation must end. */
function validateDeadlineUpdate(spec: JsonObject, old: JsonObject, errors: FieldErrors): boolean {
  const path = specPath.child("activeDeadlineSeconds");
  const wasSet = isSet(old, "activeDeadlineSeconds");
  if (!isSet(spec, "activeDeadlineSeconds")) {
    if (wasSet) {
      errors.invalid(path, null, "must not update from a positive integer to nil value");
    }
    return true;
  }
  const seconds = integerAt(spec, "activeDeadlineSeconds");
  if (seconds < 0 || seconds > maxInt32) {
    errors.invalid(path, seconds, rangeText(0, maxInt32));
    return false;
  }
  if (wasSet && integerAt(old, "activeDeadlineSeconds") < seconds) {
    errors.invalid(path, seconds, "must be less than or equal to previous value");
    return false;
  }
  return true;
}

function validateAddedTolerations(tolerations: JsonArray, old: JsonArray, errors: FieldErrors): void {
  const path = specPath.child("tolerations");
  const kept = new Set(tolerations.map(withoutSeconds));
  if (old.some((toleration) => !kept.has(withoutSeconds(toleration)))) {
    errors.forbidden(path, "existing toleration can not be modified except its tolerationSeconds");
    return;
  }
  validateTolerations(tolerations, path, errors);
}

/** Returns a key of a toleration without its duration. */
function withoutSeconds(toleration: JsonValue): string {
  return JSON.stringify(["key", "operator", "value", "effect"].map((name) => textAt(toleration, name)));
}

function validateRemovedGates(gates: JsonArray, old: JsonArray, errors: FieldErrors): void {
  const indexes = new Map(gates.map((gate, index) => [textAt(gate, "name"), index]));
  for (const gate of old) {
    indexes.delete(textAt(gate, "name"));
  }
  for (const [name, index] of indexes) {
    if (errors.isFull) {
      return;
    }
    errors.forbidden(
      specPath.child("schedulingGates").index(index).child("name"),
      `only deletion is allowed, but found new scheduling gate '${name}'`,
    );
  }
}
