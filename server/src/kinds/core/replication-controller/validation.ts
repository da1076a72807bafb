import type { KindValidation, StrategyContext } from "@gatehouse/apiserver/registry";
import { type FieldErrors, FieldPath, validateNonnegativeMembers } from "@gatehouse/apiserver/validation";
import { goTextMapOf, isSameState } from "@gatehouse/envelopes/go";
import { integerAt, isSet, type JsonObject, objectAt } from "@gatehouse/envelopes/json";
import { validateReplicaStatus } from "../../apps/replica-set/validation.js";
import { validateReadOnlyDisks } from "../../replicated-pods.js";
import {
  reportMismatch,
  specPath,
  templateLabels,
  templateOptions,
  validateKeptAlive,
} from "../../workload-validation.js";
import { validatePodTemplate } from "../pod/validation/template.js";

const nonConvertiblePrefix = "non-convertible.kubernetes.io";

/** Rules of ReplicationController. v1.29 validates an update twice and lists every error twice. */
export const replicationControllerValidation: KindValidation = {
  create: (controller, errors, context) => validateController(controller, undefined, errors, context),
  update(controller, old, errors, context) {
    errors.recheckMetadata("object");
    validateController(controller, old, errors, context);
    errors.recheckMetadata("change");
    validateController(controller, old, errors, context);
    validateNonConvertible(controller, old, errors);
  },
  subresources: { status: validateReplicaStatus },
};

function validateController(
  controller: JsonObject,
  old: JsonObject | undefined,
  errors: FieldErrors,
  context: StrategyContext,
): void {
  const spec = objectAt(controller, "spec");
  const selector = objectAt(spec, "selector");
  const selected = Object.keys(selector);
  validateNonnegativeMembers(spec, ["minReadySeconds"], specPath, errors);
  if (selected.length === 0) {
    errors.required(specPath.child("selector"));
  }
  validateNonnegativeMembers(spec, ["replicas"], specPath, errors);
  if (!isSet(spec, "template")) {
    errors.required(specPath.child("template"));
    return;
  }
  const labels = templateLabels(spec);
  if (selected.some((key) => !Object.hasOwn(labels, key) || labels[key] !== selector[key])) {
    reportMismatch(spec, errors);
  }
  validatePodTemplate(spec["template"], specPath.child("template"), errors, templateOptions(old, context));
  if (integerAt(spec, "replicas") > 1) {
    validateReadOnlyDisks(controller, old, errors, context);
  }
  validateKeptAlive(spec, "ReplicationController", errors);
}

/** Validates that members that an older API kept in annotations have not changed. */
function validateNonConvertible(controller: JsonObject, old: JsonObject, errors: FieldErrors): void {
  const annotations = objectAt(old, "metadata", "annotations");
  for (const key of Object.keys(annotations)) {
    const [prefix = "", member, ...more] = key.split("/");
    if (errors.isFull || !prefix.startsWith(nonConvertiblePrefix) || member === undefined || more.length > 0) {
      continue;
    }
    if (!member.includes("selector")) {
      errors.notFound(FieldPath.of(member), annotations[key], "unknown non-convertible field");
      continue;
    }
    const selector = objectAt(controller, "spec", "selector");
    if (!isSameState(selector, objectAt(old, "spec", "selector"))) {
      const shown = goTextMapOf(objectAt(controller, "spec"), "selector");
      errors.invalidShown(specPath.child("selector"), shown, "cannot update non-convertible selector");
    }
  }
}
