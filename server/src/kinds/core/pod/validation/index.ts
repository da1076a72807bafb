import { isSameBySchema } from "@gatehouse/apiserver/objects";
import type { KindValidation, StrategyContext } from "@gatehouse/apiserver/registry";
import { type FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { goDiff, goQuote } from "@gatehouse/envelopes/go";
import { isSet, type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { messageSchema } from "@gatehouse/envelopes/schema";
import {
  isMirrorPod,
  validatePodAnnotations,
  validatePodAnnotationsUpdate,
  validateSeccompAgreement,
} from "./annotations.js";
import { validateImageSpaces } from "./containers.js";
import { podOptions } from "./options-of.js";
import type { PodOptions } from "./pod-options.js";
import { validatePodSpec } from "./pod-spec.js";
import { validatePodStatus } from "./pod-status.js";
import { validatePodUpdate } from "./pod-update.js";

const ephemeralContainer = "k8s.io.api.core.v1.EphemeralContainer";
const specPath = FieldPath.of("spec");
const annotationsPath = FieldPath.of("metadata").child("annotations");

/** Rules of Pod. */
export const podValidation: KindValidation = {
  create(pod, errors, context) {
    validatePod(pod, errors, podOptions(undefined, true, context));
    const spec = objectAt(pod, "spec");
    if (listAt(spec, "ephemeralContainers").length > 0) {
      errors.forbidden(specPath.child("ephemeralContainers"), "cannot be set on create");
    }
    if (textAt(spec, "nodeName") !== "" && listAt(spec, "schedulingGates").length > 0) {
      errors.forbidden(specPath.child("nodeName"), "cannot be set until all schedulingGates have been cleared");
    }
    validateSeccompAgreement(annotationsOf(pod), spec, specPath, errors);
  },
  update(pod, old, errors, context) {
    const options = podOptions(old, true, context);
    validatePod(pod, errors, options);
    validateAnnotationsUpdate(pod, old, errors, options);
    validatePodUpdate(pod, old, errors, options, context.features.enabled("InPlacePodVerticalScaling"));
  },
  subresources: {
    status(pod, old, errors, context) {
      validateAnnotationsUpdate(pod, old, errors, podOptions(old, true, context));
      validatePodStatus(pod, old, errors);
    },
    ephemeralcontainers: validateEphemeralContainersUpdate,
  },
};

function annotationsOf(pod: JsonObject): JsonObject {
  return objectAt(pod, "metadata", "annotations");
}

/** Validates a pod that is written as a whole. */
function validatePod(pod: JsonObject, errors: FieldErrors, options: PodOptions): void {
  const spec = objectAt(pod, "spec");
  validatePodAnnotations(annotationsOf(pod), spec, annotationsPath, errors, options);
  validatePodSpec(spec, textAt(pod, "metadata", "name"), specPath, errors, options);
  if (textAt(spec, "serviceAccountName") === "") {
    validateNoTokens(spec, errors);
  }
  for (const list of ["containers", "initContainers"]) {
    for (const [index, container] of listAt(spec, list).entries()) {
      if (errors.isFull) {
        return;
      }
      validateImageSpaces(container, specPath.child(list).index(index), errors);
    }
  }
}

/** Validates that a pod without a service account has no token volume. */
function validateNoTokens(spec: JsonObject, errors: FieldErrors): void {
  for (const [index, volume] of listAt(spec, "volumes").entries()) {
    for (const [sourceIndex, source] of listAt(volume, "projected", "sources").entries()) {
      if (errors.isFull) {
        return;
      }
      if (isSet(source, "serviceAccountToken")) {
        const at = specPath.child("volumes").index(index).child("projected").child("sources").index(sourceIndex);
        errors.forbidden(at.child("serviceAccountToken"), "must not be specified when serviceAccountName is not set");
      }
    }
  }
}

function validateAnnotationsUpdate(pod: JsonObject, old: JsonObject, errors: FieldErrors, options: PodOptions): void {
  const annotations = annotationsOf(pod);
  validatePodAnnotationsUpdate(annotations, annotationsOf(old), annotationsPath, errors);
  validatePodAnnotations(annotations, objectAt(pod, "spec"), annotationsPath, errors, options);
}

/** Validates a write of ephemeral containers: some may be added, the existing ones do not change. */
function validateEphemeralContainersUpdate(
  pod: JsonObject,
  old: JsonObject,
  errors: FieldErrors,
  context: StrategyContext,
): void {
  if (isMirrorPod(annotationsOf(old))) {
    errors.forbidden(FieldPath.of(""), "static pods do not support ephemeral containers");
    return;
  }
  const options = podOptions(old, true, context);
  validatePod(pod, errors, options);
  validateAnnotationsUpdate(pod, old, errors, options);
  const path = specPath.child("ephemeralContainers");
  const byName = new Map(
    listAt(pod, "spec", "ephemeralContainers").map((container) => [textAt(container, "name"), container]),
  );
  for (const container of listAt(old, "spec", "ephemeralContainers")) {
    if (errors.isFull) {
      return;
    }
    const name = textAt(container, "name");
    const next = byName.get(name);
    if (next === undefined) {
      errors.forbidden(path, `existing ephemeral containers ${goQuote(name)} may not be removed\n`);
    } else if (!isSameBySchema(messageSchema(ephemeralContainer), container, next)) {
      const difference = goDiff(ephemeralContainer, container, next);
      errors.forbidden(path, `existing ephemeral containers ${goQuote(name)} may not be changed\n${difference}`);
    }
  }
}
