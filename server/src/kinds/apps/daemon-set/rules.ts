import { goSyntax } from "@gatehouse/apiserver/go";
import type { KindRules, StrategyContext } from "@gatehouse/apiserver/registry";
import {
  checkAtMost100Percent,
  checkIntOrPercent,
  checkLabelSelector,
  checkNonnegativeMembers,
  type FieldErrors,
  goIntOrString,
  hasInvalidLabelValue,
  intOrPercentOf,
  selectsLabels,
} from "@gatehouse/apiserver/validation";
import { isSet, type JsonObject, objectAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { checkPodTemplate } from "../../core/pod/rules/template.js";
import { checkReadOnlyDisks } from "../../replicated-pods.js";
import {
  checkCollisions,
  checkCounts,
  checkImmutableSelector,
  checkKeptAlive,
  checkNotEmpty,
  reportMismatch,
  specPath,
  templateLabels,
  templateOptions,
} from "../../workload-rules.js";

/** Rules of DaemonSet. v1.29 validates an update twice and lists every error twice. */
export const daemonSetRules: KindRules = {
  create: (set, errors, context) => checkDaemonSet(set, undefined, errors, context),
  update(set, old, errors, context) {
    errors.recheckMetadata("object");
    checkDaemonSet(set, old, errors, context);
    errors.recheckMetadata("change");
    checkDaemonSet(set, old, errors, context);
    checkImmutableSelector(set, old, errors);
  },
  subresources: {
    status(set, old, errors) {
      errors.recheckMetadata("change");
      checkCounts(set, counts, errors);
      checkCollisions(set, old, errors);
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

function checkDaemonSet(
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
  checkLabelSelector(selector, specPath.child("selector"), errors, { allowInvalidValues });
  if (selectsLabels(selector, templateLabels(spec)) === false) {
    reportMismatch(spec, errors);
  }
  checkNotEmpty(spec, "daemonset", errors);
  const withSelector = { ...options, allowInvalidSelectorValues: allowInvalidValues };
  checkPodTemplate(spec["template"], specPath.child("template"), errors, withSelector);
  checkReadOnlyDisks(set, old, errors, context);
  checkKeptAlive(spec, "DaemonSet", errors);
  checkNonnegativeMembers(spec, ["minReadySeconds"], specPath, errors);
  checkUpdateStrategy(objectAt(spec, "updateStrategy"), errors);
  checkNonnegativeMembers(spec, ["revisionHistoryLimit"], specPath, errors);
}

function checkUpdateStrategy(strategy: JsonObject, errors: FieldErrors): void {
  const path = specPath.child("updateStrategy");
  const type = textAt(strategy, "type");
  if (type === "RollingUpdate") {
    if (isSet(strategy, "rollingUpdate")) {
      checkRollingUpdate(objectAt(strategy, "rollingUpdate"), errors);
    } else {
      errors.required(path.child("rollingUpdate"));
    }
  } else if (type !== "OnDelete") {
    const shown = goSyntax("k8s.io.api.apps.v1.DaemonSetUpdateStrategy", strategy);
    errors.notSupportedShown(path, shown, ["RollingUpdate", "OnDelete"]);
  }
}

/** Validates a rolling update: exactly one of `maxUnavailable` and `maxSurge` is above zero. */
function checkRollingUpdate({ maxUnavailable, maxSurge }: JsonObject, errors: FieldErrors): void {
  const path = specPath.child("updateStrategy").child("rollingUpdate");
  const unavailablePath = path.child("maxUnavailable");
  const surgePath = path.child("maxSurge");
  checkIntOrPercent(maxUnavailable, unavailablePath, errors);
  checkIntOrPercent(maxSurge, surgePath, errors);
  checkAtMost100Percent(maxUnavailable, unavailablePath, errors);
  checkAtMost100Percent(maxSurge, surgePath, errors);
  const hasUnavailable = intOrPercentOf(maxUnavailable) !== 0;
  const hasSurge = intOrPercentOf(maxSurge) !== 0;
  if (hasUnavailable && hasSurge) {
    errors.invalidShown(surgePath, goIntOrString(maxSurge), "may not be set when maxUnavailable is non-zero");
  } else if (!hasUnavailable && !hasSurge) {
    errors.required(unavailablePath, "cannot be 0 when maxSurge is 0");
  }
}
