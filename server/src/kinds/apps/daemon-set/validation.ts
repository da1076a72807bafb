import type { KindValidation, StrategyContext } from "@gatehouse/apiserver/registry";
import {
  type FieldErrors,
  goIntOrString,
  hasInvalidLabelValue,
  intOrPercentOf,
  selectsLabels,
  validateAtMost100Percent,
  validateIntOrPercent,
  validateLabelSelector,
  validateNonnegativeMembers,
} from "@gatehouse/apiserver/validation";
import { goSyntax } from "@gatehouse/envelopes/go";
import { isSet, type JsonObject, objectAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { validatePodTemplate } from "../../core/pod/validation/template.js";
import { validateReadOnlyDisks } from "../../replicated-pods.js";
import {
  reportMismatch,
  specPath,
  templateLabels,
  templateOptions,
  validateCollisions,
  validateCounts,
  validateImmutableSelector,
  validateKeptAlive,
  validateNotEmpty,
} from "../../workload-validation.js";

/** Rules of DaemonSet. v1.29 validates an update twice and lists every error twice. */
export const daemonSetValidation: KindValidation = {
  create: (set, errors, context) => validateDaemonSet(set, undefined, errors, context),
  update(set, old, errors, context) {
    errors.recheckMetadata("object");
    validateDaemonSet(set, old, errors, context);
    errors.recheckMetadata("change");
    validateDaemonSet(set, old, errors, context);
    validateImmutableSelector(set, old, errors);
  },
  subresources: {
    status(set, old, errors) {
      errors.recheckMetadata("change");
      validateCounts(set, counts, errors);
      validateCollisions(set, old, errors);
    },
  },
};

const counts = [
  "currentNumberScheduled",
  "numberMisscheduled",
  "desiredNumberScheduled",
  "numberReady",
  "observedGeneration",
  "updatedNumberScheduled",
  "numberAvailable",
  "numberUnavailable",
  "collisionCount",
];

function validateDaemonSet(
  set: JsonObject,
  old: JsonObject | undefined,
  errors: FieldErrors,
  context: StrategyContext,
): void {
  const spec = objectAt(set, "spec");
  const { selector } = spec;
  const options = templateOptions(old, context);
  const allowInvalidValues =
    options.allowInvalidSelectorValues || hasInvalidLabelValue(valueAt(old, "spec", "selector"));
  validateLabelSelector(selector, specPath.child("selector"), errors, { allowInvalidValues });
  if (selectsLabels(selector, templateLabels(spec)) === false) {
    reportMismatch(spec, errors);
  }
  validateNotEmpty(spec, "daemonset", errors);
  const withSelector = { ...options, allowInvalidSelectorValues: allowInvalidValues };
  validatePodTemplate(spec["template"], specPath.child("template"), errors, withSelector);
  validateReadOnlyDisks(set, old, errors, context);
  validateKeptAlive(spec, "DaemonSet", errors);
  validateNonnegativeMembers(spec, ["minReadySeconds"], specPath, errors);
  validateUpdateStrategy(objectAt(spec, "updateStrategy"), errors);
  validateNonnegativeMembers(spec, ["revisionHistoryLimit"], specPath, errors);
}

function validateUpdateStrategy(strategy: JsonObject, errors: FieldErrors): void {
  const path = specPath.child("updateStrategy");
  const type = textAt(strategy, "type");
  if (type === "RollingUpdate") {
    if (isSet(strategy, "rollingUpdate")) {
      validateRollingUpdate(objectAt(strategy, "rollingUpdate"), errors);
    } else {
      errors.required(path.child("rollingUpdate"));
    }
  } else if (type !== "OnDelete") {
    const shown = goSyntax("k8s.io.api.apps.v1.DaemonSetUpdateStrategy", strategy);
    errors.notSupportedShown(path, shown, ["RollingUpdate", "OnDelete"]);
  }
}

/** Validates a rolling update: exactly one of `maxUnavailable` and `maxSurge` is above zero. */
function validateRollingUpdate({ maxUnavailable, maxSurge }: JsonObject, errors: FieldErrors): void {
  const path = specPath.child("updateStrategy").child("rollingUpdate");
  const unavailablePath = path.child("maxUnavailable");
  const surgePath = path.child("maxSurge");
  validateIntOrPercent(maxUnavailable, unavailablePath, errors);
  validateIntOrPercent(maxSurge, surgePath, errors);
  validateAtMost100Percent(maxUnavailable, unavailablePath, errors);
  validateAtMost100Percent(maxSurge, surgePath, errors);
  const hasUnavailable = intOrPercentOf(maxUnavailable) !== 0;
  const hasSurge = intOrPercentOf(maxSurge) !== 0;
  if (hasUnavailable && hasSurge) {
    errors.invalidShown(surgePath, goIntOrString(maxSurge), "may not be set when maxUnavailable is non-zero");
  } else if (!hasUnavailable && !hasSurge) {
    errors.required(unavailablePath, "cannot be 0 when maxSurge is 0");
  }
}
