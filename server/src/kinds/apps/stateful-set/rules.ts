import { goSyntax } from "@gatehouse/apiserver/go";
import type { KindRules, StrategyContext } from "@gatehouse/apiserver/registry";
import {
  checkAtMost100Percent,
  checkIntOrPercent,
  checkNonnegativeMembers,
  checkSupported,
  type FieldErrors,
  goIntOrString,
  intOrPercentOf,
  isSameMessage,
} from "@gatehouse/apiserver/validation";
import { isSet, type JsonObject, objectAt, textAt } from "@gatehouse/envelopes/json";
import { checkTemplateMetadata } from "../../core/pod/rules/template.js";
import {
  checkCollisions,
  checkCounts,
  checkKeptAlive,
  checkParts,
  checkSelectorFindsTemplate,
  checkWorkloadSelector,
  specPath,
  templateOptions,
} from "../../workload-rules.js";

/** Rules of StatefulSet: its selector finds its own pods, and members that name pods and claims do not change. */
export const statefulSetRules: KindRules = {
  create: (set, errors, context) => checkStatefulSet(set, undefined, errors, context),
  update(set, old, errors, context) {
    errors.recheckMetadata("change");
    checkStatefulSet(set, old, errors, context);
    checkImmutablePart(set, old, errors);
  },
  subresources: {
    status(set, old, errors) {
      checkCounts(set, counts, errors);
      checkParts(
        set,
        [
          ["readyReplicas", "replicas", "status.replicas"],
          ["currentReplicas", "replicas", "status.replicas"],
          ["updatedReplicas", "replicas", "status.replicas"],
          ["availableReplicas", "replicas", "status.replicas"],
          ["availableReplicas", "readyReplicas", "status.readyReplicas"],
        ],
        errors,
      );
      checkCollisions(set, old, errors);
      errors.recheckMetadata("change");
    },
  },
};

const counts = [
  "replicas",
  "readyReplicas",
  "currentReplicas",
  "updatedReplicas",
  "availableReplicas",
  "observedGeneration",
  "collisionCount",
];

/** Validates a stateful set, except for the pod template: v1.29 cannot know which volumes the claims will add. */
function checkStatefulSet(
  set: JsonObject,
  old: JsonObject | undefined,
  errors: FieldErrors,
  context: StrategyContext,
): void {
  const spec = objectAt(set, "spec");
  checkManagementPolicy(textAt(spec, "podManagementPolicy"), errors);
  checkUpdateStrategy(objectAt(spec, "updateStrategy"), errors);
  checkRetention(spec, errors);
  checkNonnegativeMembers(spec, ["replicas", "minReadySeconds"], specPath, errors);
  checkNonnegativeMembers(objectAt(spec, "ordinals"), ["start"], specPath.child("ordinals"), errors);
  checkWorkloadSelector(spec, "statefulset", errors);
  if (checkSelectorFindsTemplate(spec, "", errors)) {
    checkTemplateMetadata(spec["template"], specPath.child("template"), errors, templateOptions(old, context));
  }
  checkKeptAlive(spec, "StatefulSet", errors);
}

function checkManagementPolicy(policy: string, errors: FieldErrors): void {
  const path = specPath.child("podManagementPolicy");
  if (policy === "") {
    errors.required(path);
  } else if (policy !== "OrderedReady" && policy !== "Parallel") {
    errors.invalid(path, policy, "must be 'OrderedReady' or 'Parallel'");
  }
}

function checkUpdateStrategy(strategy: JsonObject, errors: FieldErrors): void {
  const path = specPath.child("updateStrategy");
  const rolling = path.child("rollingUpdate");
  switch (textAt(strategy, "type")) {
    case "":
      errors.required(path);
      break;
    case "OnDelete":
      if (isSet(strategy, "rollingUpdate")) {
        const shown = goSyntax("k8s.io.api.apps.v1.RollingUpdateStatefulSetStrategy", strategy["rollingUpdate"]);
        errors.invalidShown(rolling, shown, "only allowed for updateStrategy 'RollingUpdate'");
      }
      break;
    case "RollingUpdate":
      checkRollingUpdate(objectAt(strategy, "rollingUpdate"), errors);
      break;
    default:
      errors.invalidShown(
        path,
        goSyntax("k8s.io.api.apps.v1.StatefulSetUpdateStrategy", strategy),
        "must be 'RollingUpdate' or 'OnDelete'",
      );
  }
}

function checkRollingUpdate(rollingUpdate: JsonObject, errors: FieldErrors): void {
  const path = specPath.child("updateStrategy").child("rollingUpdate");
  checkNonnegativeMembers(rollingUpdate, ["partition"], path, errors);
  if (!isSet(rollingUpdate, "maxUnavailable")) {
    return;
  }
  const { maxUnavailable } = rollingUpdate;
  checkIntOrPercent(maxUnavailable, path.child("maxUnavailable"), errors);
  if (intOrPercentOf(maxUnavailable) === 0) {
    errors.invalidShown(path.child("maxUnavailable"), goIntOrString(maxUnavailable), "cannot be 0");
  }
  checkAtMost100Percent(maxUnavailable, path.child("maxUnavailable"), errors);
}

/** Validates the retention policy for the claims of pods that are gone. */
function checkRetention(spec: JsonObject, errors: FieldErrors): void {
  if (!isSet(spec, "persistentVolumeClaimRetentionPolicy")) {
    return;
  }
  const policy = objectAt(spec, "persistentVolumeClaimRetentionPolicy");
  const path = specPath.child("persistentVolumeClaimRetentionPolicy");
  for (const name of ["whenDeleted", "whenScaled"]) {
    checkSupported(textAt(policy, name), ["Retain", "Delete"], path.child(name), errors);
  }
}

/** Members of the spec that may change, in the order in which the error names them. */
const mutableMembers: readonly string[] = [
  "replicas",
  "ordinals",
  "template",
  "updateStrategy",
  "persistentVolumeClaimRetentionPolicy",
  "minReadySeconds",
];

const specMessage = "k8s.io.api.apps.v1.StatefulSetSpec";

function checkImmutablePart(set: JsonObject, old: JsonObject, errors: FieldErrors): void {
  if (isSameMessage(specMessage, immutablePart(set), immutablePart(old))) {
    return;
  }
  const quoted = mutableMembers.map((name) => `'${name}'`);
  const names = `${quoted.slice(0, -1).join(", ")} and ${quoted.at(-1)}`;
  errors.forbidden(specPath, `updates to statefulset spec for fields other than ${names} are forbidden`);
}

function immutablePart(set: JsonObject): JsonObject {
  const entries = Object.entries(objectAt(set, "spec"));
  return Object.fromEntries(entries.filter(([name]) => !mutableMembers.includes(name)));
}
