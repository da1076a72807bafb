import type { KindRules, StrategyContext } from "@gatehouse/apiserver/registry";
import { checkNonnegativeMembers, type FieldErrors, FieldPath, isNumber } from "@gatehouse/apiserver/validation";
import { integerAt, isSet, type JsonObject, objectAt, valueAt } from "@gatehouse/envelopes/json";
import { autoscalerConversion } from "../conversion.js";
import { checkBehavior } from "./behavior.js";
import { checkMetrics } from "./metrics.js";
import { checkScaledReference } from "./scaled-reference.js";

const spec = FieldPath.of("spec");
const status = FieldPath.of("status");

/** Rules of HorizontalPodAutoscaler in the form of v2. */
export const horizontalPodAutoscalerRules: KindRules = {
  create: (autoscaler, errors, context) => checkSpec(autoscaler, leastReplicas(context), errors, context),
  update: (autoscaler, old, errors, context) => checkSpec(autoscaler, leastReplicas(context, old), errors, context),
  subresources: {
    status: (autoscaler, _old, errors) =>
      checkNonnegativeMembers(valueAt(autoscaler, "status"), ["currentReplicas", "desiredReplicas"], status, errors),
  },
};

/** Rules of HorizontalPodAutoscaler in v1: those of v2, applied to the form of v2 and with its paths. */
export const horizontalPodAutoscalerV1Rules: KindRules = {
  create: (autoscaler, errors, context) =>
    horizontalPodAutoscalerRules.create(autoscalerConversion.toStored(autoscaler), errors, context),
  update: (autoscaler, old, errors, context) =>
    horizontalPodAutoscalerRules.update(autoscalerConversion.toStored(autoscaler), old, errors, context),
  subresources: horizontalPodAutoscalerRules.subresources ?? {},
};

/** Returns the least minimum of replicas: zero if the feature is enabled or the autoscaler has it already, else one. */
function leastReplicas({ features }: StrategyContext, old?: JsonObject): number {
  return features.enabled("HPAScaleToZero") || valueAt(old, "spec", "minReplicas") === 0 ? 0 : 1;
}

function checkSpec(autoscaler: JsonObject, least: number, errors: FieldErrors, { features }: StrategyContext): void {
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
  checkScaledReference(scaleTargetRef, spec.child("scaleTargetRef"), errors);
  checkMetrics(metrics, spec.child("metrics"), errors, {
    toZero: minReplicas === 0,
    containerMetrics: features.enabled("HPAContainerMetrics"),
  });
  if (isSet(autoscaler, "spec", "behavior")) {
    checkBehavior(behavior, spec.child("behavior"), errors);
  }
}
