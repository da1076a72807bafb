import { goSyntax } from "@gatehouse/apiserver/go";
import type { KindRules, StrategyContext } from "@gatehouse/apiserver/registry";
import {
  checkAtMost100Percent,
  checkIntOrPercent,
  checkNonnegativeMembers,
  type FieldErrors,
  goIntOrString,
  intOrPercentOf,
} from "@gatehouse/apiserver/validation";
import { integerAt, isSet, type JsonObject, objectAt, textAt } from "@gatehouse/envelopes/json";
import { checkReplicatedTemplate } from "../../replicated-pods.js";
import {
  checkCollisions,
  checkCounts,
  checkImmutableSelector,
  checkParts,
  checkWorkloadSelector,
  specPath,
} from "../../workload-rules.js";

/** Rules of Deployment: its selector finds its own pods, and its strategy can replace them. */
export const deploymentRules: KindRules = {
  create: (deployment, errors, context) => checkDeployment(deployment, undefined, errors, context),
  update(deployment, old, errors, context) {
    checkDeployment(deployment, old, errors, context);
    checkImmutableSelector(deployment, old, errors);
  },
  subresources: {
    status(deployment, old, errors) {
      checkCounts(deployment, counts, errors);
      checkParts(
        deployment,
        [
          ["updatedReplicas", "replicas", "status.replicas"],
          ["readyReplicas", "replicas", "status.replicas"],
          ["availableReplicas", "replicas", "status.replicas"],
          ["availableReplicas", "readyReplicas", "readyReplicas"],
        ],
        errors,
      );
      checkCollisions(deployment, old, errors);
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

function checkDeployment(
  deployment: JsonObject,
  old: JsonObject | undefined,
  errors: FieldErrors,
  context: StrategyContext,
): void {
  const spec = objectAt(deployment, "spec");
  checkNonnegativeMembers(spec, ["replicas"], specPath, errors);
  checkWorkloadSelector(spec, "deployment", errors);
  checkReplicatedTemplate(deployment, old, errors, context);
  checkStrategy(objectAt(spec, "strategy"), errors);
  checkNonnegativeMembers(
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

function checkStrategy(strategy: JsonObject, errors: FieldErrors): void {
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
        checkRollingUpdate(objectAt(strategy, "rollingUpdate"), errors);
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
function checkRollingUpdate({ maxUnavailable, maxSurge }: JsonObject, errors: FieldErrors): void {
  const path = specPath.child("strategy").child("rollingUpdate");
  checkIntOrPercent(maxUnavailable, path.child("maxUnavailable"), errors);
  checkIntOrPercent(maxSurge, path.child("maxSurge"), errors);
  if (intOrPercentOf(maxUnavailable) === 0 && intOrPercentOf(maxSurge) === 0) {
    const shown = goIntOrString(maxUnavailable);
    errors.invalidShown(path.child("maxUnavailable"), shown, "may not be 0 when `maxSurge` is 0");
  }
  checkAtMost100Percent(maxUnavailable, path.child("maxUnavailable"), errors);
}
