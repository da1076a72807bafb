import type { KindValidation, StrategyContext } from "@gatehouse/apiserver/registry";
import {
  type FieldErrors,
  goIntOrString,
  intOrPercentOf,
  isSameMessage,
  validateAtMost100Percent,
  validateIntOrPercent,
  validateNonnegativeMembers,
  validateSupported,
} from "@gatehouse/apiserver/validation";
import { goSyntax } from "@gatehouse/envelopes/go";
import { isSet, type JsonObject, objectAt, textAt } from "@gatehouse/envelopes/json";
import { validateTemplateMetadata } from "../../core/pod/validation/template.js";
import {
  specPath,
  templateOptions,
  validateCollisions,
  validateCounts,
  validateKeptAlive,
  validateParts,
  validateSelectorFindsTemplate,
  validateWorkloadSelector,
} from "../../workload-validation.js";

/** Rules of StatefulSet: its selector finds its own pods, and members that name pods and claims do not change. */
export const statefulSetValidation: KindValidation = {
  create: (set, errors, context) => validateStatefulSet(set, undefined, errors, context),
  update(set, old, errors, context) {
    errors.recheckMetadata("change");
    validateStatefulSet(set, old, errors, context);
    validateImmutablePart(set, old, errors);
  },
  subresources: {
    status(set, old, errors) {
      validateCounts(set, counts, errors);
      validateParts(
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
      validateCollisions(set, old, errors);
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
function validateStatefulSet(
  set: JsonObject,
  old: JsonObject | undefined,
  errors: FieldErrors,
  context: StrategyContext,
): void {
  const spec = objectAt(set, "spec");
  validateManagementPolicy(textAt(spec, "podManagementPolicy"), errors);
  validateUpdateStrategy(objectAt(spec, "updateStrategy"), errors);
  validateRetention(spec, errors);
  validateNonnegativeMembers(spec, ["replicas", "minReadySeconds"], specPath, errors);
  validateNonnegativeMembers(objectAt(spec, "ordinals"), ["start"], specPath.child("ordinals"), errors);
  validateWorkloadSelector(spec, "statefulset", errors);
  if (validateSelectorFindsTemplate(spec, "", errors)) {
    validateTemplateMetadata(spec["template"], specPath.child("template"), errors, templateOptions(old, context));
  }
  validateKeptAlive(spec, "StatefulSet", errors);
}

function validateManagementPolicy(policy: string, errors: FieldErrors): void {
  const path = specPath.child("podManagementPolicy");
  if (policy === "") {
    errors.required(path);
  } else if (policy !== "OrderedReady" && policy !== "Parallel") {
    errors.invalid(path, policy, "must be 'OrderedReady' or 'Parallel'");
  }
}

function validateUpdateStrategy(strategy: JsonObject, errors: FieldErrors): void {
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
      validateRollingUpdate(objectAt(strategy, "rollingUpdate"), errors);
      break;
    default:
      errors.invalidShown(
        path,
        goSyntax("k8s.io.api.apps.v1.StatefulSetUpdateStrategy", strategy),
        "must be 'RollingUpdate' or 'OnDelete'",
      );
  }
}

function validateRollingUpdate(rollingUpdate: JsonObject, errors: FieldErrors): void {
  const path = specPath.child("updateStrategy").child("rollingUpdate");
  validateNonnegativeMembers(rollingUpdate, ["partition"], path, errors);
  if (!isSet(rollingUpdate, "maxUnavailable")) {
    return;
  }
  const { maxUnavailable } = rollingUpdate;
  validateIntOrPercent(maxUnavailable, path.child("maxUnavailable"), errors);
  if (intOrPercentOf(maxUnavailable) === 0) {
    errors.invalidShown(path.child("maxUnavailable"), goIntOrString(maxUnavailable), "cannot be 0");
  }
  validateAtMost100Percent(maxUnavailable, path.child("maxUnavailable"), errors);
}

/** Validates the retention policy for the claims of pods that are gone. */
function validateRetention(spec: JsonObject, errors: FieldErrors): void {
  if (!isSet(spec, "persistentVolumeClaimRetentionPolicy")) {
    return;
  }
  const policy = objectAt(spec, "persistentVolumeClaimRetentionPolicy");
  const path = specPath.child("persistentVolumeClaimRetentionPolicy");
  for (const name of ["whenDeleted", "whenScaled"]) {
    validateSupported(textAt(policy, name), ["Retain", "Delete"], path.child(name), errors);
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

function validateImmutablePart(set: JsonObject, old: JsonObject, errors: FieldErrors): void {
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
