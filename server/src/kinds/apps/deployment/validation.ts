import type { KindValidation, StrategyContext } from "@gatehouse/apiserver/registry";
import {
  type FieldErrors,
  goIntOrString,
  intOrPercentOf,
  validateAtMost100Percent,
  validateIntOrPercent,
  validateNonnegativeMembers,
} from "@gatehouse/apiserver/validation";
import { goSyntax } from "@gatehouse/envelopes/go";
import { integerAt, isSet, type JsonObject, objectAt, textAt } from "@gatehouse/envelopes/json";
import { validateReplicatedTemplate } from "../../replicated-pods.js";
import {
  specPath,
  validateCollisions,
  validateCounts,
  validateImmutableSelector,
  validateParts,
  validateWorkloadSelector,
} from "../../workload-validation.js";

/** Rules of Deployment: its selector finds its own pods, and its strategy can replace them. */
export const deploymentValidation: KindValidation = {
  create: (deployment, errors, context) => validateDeployment(deployment, undefined, errors, context),
  update(deployment, old, errors, context) {
    validateDeployment(deployment, old, errors, context);
    validateImmutableSelector(deployment, old, errors);
  },
  subresources: {
    status(deployment, old, errors) {
      validateCounts(deployment, counts, errors);
      validateParts(
        deployment,
        [
          ["updatedReplicas", "replicas", "status.replicas"],
          ["readyReplicas", "replicas", "status.replicas"],
          ["availableReplicas", "replicas", "status.replicas"],
          ["availableReplicas", "readyReplicas", "readyReplicas"],
        ],
        errors,
      );
      validateCollisions(deployment, old, errors);
    },
  },
};

const counts = [
  "observedGeneration",
  "replicas",
  "updatedReplicas",
  "readyReplicas",
  "availableReplicas",
  "unavailableReplicas",
  "collisionCount",
];

function validateDeployment(
  deployment: JsonObject,
  old: JsonObject | undefined,
  errors: FieldErrors,
  context: StrategyContext,
): void {
  const spec = objectAt(deployment, "spec");
  validateNonnegativeMembers(spec, ["replicas"], specPath, errors);
  validateWorkloadSelector(spec, "deployment", errors);
  validateReplicatedTemplate(deployment, old, errors, context);
  validateStrategy(objectAt(spec, "strategy"), errors);
  validateNonnegativeMembers(
    spec,
    ["minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds"],
    specPath,
    errors,
  );
  if (isSet(spec, "progressDeadlineSeconds")) {
    const deadline = integerAt(spec, "progressDeadlineSeconds");
    if (deadline <= integerAt(spec, "minReadySeconds")) {
      errors.invalid(specPath.child("progressDeadlineSeconds"), deadline, "must be greater than minReadySeconds");
    }
  }
}

function validateStrategy(strategy: JsonObject, errors: FieldErrors): void {
  const path = specPath.child("strategy");
  const rolling = path.child("rollingUpdate");
  switch (textAt(strategy, "type")) {
    case "Recreate":
      if (isSet(strategy, "rollingUpdate")) {
        errors.forbidden(rolling, "may not be specified when strategy `type` is 'Recreate'");
      }
      break;
    case "RollingUpdate":
      if (isSet(strategy, "rollingUpdate")) {
        validateRollingUpdate(objectAt(strategy, "rollingUpdate"), errors);
      } else {
        errors.required(rolling, "this should be defaulted and never be nil");
      }
      break;
    default:
      errors.notSupportedShown(path, goSyntax("k8s.io.api.apps.v1.DeploymentStrategy", strategy), [
        "Recreate",
        "RollingUpdate",
      ]);
  }
}

/** Validates a rolling update, which needs a pod more than wanted or a pod less to begin. */
function validateRollingUpdate({ maxUnavailable, maxSurge }: JsonObject, errors: FieldErrors): void {
  const path = specPath.child("strategy").child("rollingUpdate");
  validateIntOrPercent(maxUnavailable, path.child("maxUnavailable"), errors);
  validateIntOrPercent(maxSurge, path.child("maxSurge"), errors);
  if (intOrPercentOf(maxUnavailable) === 0 && intOrPercentOf(maxSurge) === 0) {
    const shown = goIntOrString(maxUnavailable);
    errors.invalidShown(path.child("maxUnavailable"), shown, "may not be 0 when `maxSurge` is 0");
  }
  validateAtMost100Percent(maxUnavailable, path.child("maxUnavailable"), errors);
}
