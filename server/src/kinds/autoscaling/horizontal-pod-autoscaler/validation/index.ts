import type { KindValidation, StrategyContext } from "@gatehouse/apiserver/registry";
import { type FieldErrors, FieldPath, isNumber, validateNonnegativeMembers } from "@gatehouse/apiserver/validation";
import { integerAt, isSet, type JsonObject, objectAt, valueAt } from "@gatehouse/envelopes/json";
import { autoscalerConversion } from "../conversion.js";
import { validateBehavior } from "./behavior.js";
import { validateMetrics } from "./metrics.js";
import { validateScaledReference } from "./scaled-reference.js";

const spec = FieldPath.of("spec");
const status = FieldPath.of("status");

/** Rules of HorizontalPodAutoscaler in the form of v2. */
export const horizontalPodAutoscalerValidation: KindValidation = {
  create: (autoscaler, errors, context) => validateSpec(autoscaler, leastReplicas(context), errors, context),
  update: (autoscaler, old, errors, context) => validateSpec(autoscaler, leastReplicas(context, old), errors, context),
  subresources: {
    status: (autoscaler, _old, errors) =>
      validateNonnegativeMembers(valueAt(autoscaler, "status"), ["currentReplicas", "desiredReplicas"], status, errors),
  },
};

/** Rules of HorizontalPodAutoscaler in v1: those of v2, applied to the form of v2 and with its paths. */
export const horizontalPodAutoscalerV1Validation: KindValidation = {
  create: (autoscaler, errors, context) =>
    horizontalPodAutoscalerValidation.create(autoscalerConversion.toStored(autoscaler), errors, context),
  update: (autoscaler, old, errors, context) =>
    horizontalPodAutoscalerValidation.update(autoscalerConversion.toStored(autoscaler), old, errors, context),
  subresources: horizontalPodAutoscalerValidation.subresources ?? {},
};

/** Returns the least minimum of replicas: zero if the feature is enabled or the autoscaler has it already, else one. */
function leastReplicas({ features }: StrategyContext, old?: JsonObject): number {
  return features.enabled("HPAScaleToZero") || valueAt(old, "spec", "minReplicas") === 0 ? 0 : 1;
}

function validateSpec(autoscaler: JsonObject, least: number, errors: FieldErrors, { features }: StrategyContext): void {
  const { minReplicas, scaleTargetRef, metrics, behavior } = objectAt(autoscaler, "spec");
  const maxReplicas = integerAt(autoscaler, "spec", "maxReplicas");
  if (isNumber(minReplicas) && minReplicas < least) {
    errors.invalid(spec.child("minReplicas"), minReplicas, `must be greater than or equal to ${least}`);
  }
  if (maxReplicas < 1) {
    errors.invalid(spec.child("maxReplicas"), maxReplicas, "must be greater than 0");
  }
  if (isNumber(minReplicas) && maxReplicas < minReplicas) {
    errors.invalid(spec.child("maxReplicas"), maxReplicas, "must be greater than or equal to `minReplicas`");
  }
  validateScaledReference(scaleTargetRef, spec.child("scaleTargetRef"), errors);
  validateMetrics(metrics, spec.child("metrics"), errors, {
    toZero: minReplicas === 0,
    containerMetrics: features.enabled("HPAContainerMetrics"),
  });
  if (isSet(autoscaler, "spec", "behavior")) {
    validateBehavior(behavior, spec.child("behavior"), errors);
  }
}
