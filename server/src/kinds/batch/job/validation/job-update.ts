import { metaOf } from "@gatehouse/apiserver/objects";
import type { StrategyContext } from "@gatehouse/apiserver/registry";
import {
  type FieldErrors,
  FieldPath,
  validateImmutable,
  validateImmutableMessage,
} from "@gatehouse/apiserver/validation";
import { copyJson } from "@gatehouse/envelopes/codec";
import { goSyntax, isSameState } from "@gatehouse/envelopes/go";
import {
  booleanAt,
  integerAt,
  isSet,
  type JsonObject,
  type JsonValue,
  objectAt,
  ownObject,
  textAt,
  valueAt,
} from "@gatehouse/envelopes/json";
import { validateDns1123Label } from "@gatehouse/envelopes/validation";
import { specPath, validateImmutableSelector } from "../../../workload-validation.js";

const templateMessage = "k8s.io.api.core.v1.PodTemplateSpec";
const policyMessage = "k8s.io.api.batch.v1.PodFailurePolicy";

/**
 * Validates an update of a job. Members that pods are made from do not change, so that old and new pods can be counted
 * together.
 */
export function validateJobUpdate(
  job: JsonObject,
  old: JsonObject,
  errors: FieldErrors,
  context: StrategyContext,
): void {
  const spec = objectAt(job, "spec");
  const oldSpec = objectAt(old, "spec");
  validateCompletions(spec, oldSpec, errors, context);
  validateImmutableSelector(job, old, errors);
  const templatePath = specPath.child("template");
  validateImmutableMessage(
    templateMessage,
    spec["template"],
    comparableTemplate(spec, old),
    templatePath,
    errors,
    (value) => goSyntax(templateMessage, value),
  );
  validateImmutable(spec["completionMode"], oldSpec["completionMode"], specPath.child("completionMode"), errors);
  const policyPath = specPath.child("podFailurePolicy");
  validateImmutableMessage(
    policyMessage,
    spec["podFailurePolicy"],
    oldSpec["podFailurePolicy"],
    policyPath,
    errors,
    (value) => (value === undefined ? '"null"' : goSyntax(policyMessage, value)),
  );
  const limitPath = specPath.child("backoffLimitPerIndex");
  validateImmutable(spec["backoffLimitPerIndex"], oldSpec["backoffLimitPerIndex"], limitPath, errors);
}

/** Validates a change of completions: an indexed job may grow or shrink if all its pods run at once (KEP-3715). */
function validateCompletions(spec: JsonObject, old: JsonObject, errors: FieldErrors, context: StrategyContext): void {
  const path = specPath.child("completions");
  const { completions } = spec;
  const isElastic = context.features.enabled("ElasticIndexedJob") && textAt(spec, "completionMode") === "Indexed";
  if (!isElastic) {
    validateImmutable(completions, old["completions"], path, errors);
  } else if (
    !isSameState(completions, old["completions"]) &&
    isSet(spec, "completions") &&
    completions !== spec["parallelism"]
  ) {
    // v1.29 names the other member without the path to it.
    errors.invalid(path, completions, "can only be modified in tandem with spec.parallelism");
  }
}

/**
 * Returns the old template, with the scheduling directives of the new one if the job is suspended and has never run
 * (KEP-2926).
 */
function comparableTemplate(spec: JsonObject, old: JsonObject): JsonValue | undefined {
  const template = valueAt(old, "spec", "template");
  if (!booleanAt(old, "spec", "suspend") || isSet(old, "status", "startTime") || template === undefined) {
    return template;
  }
  const copy = { template: copyJson(template) } as JsonObject;
  const next = objectAt(spec, "template");
  const own = ownObject(copy, "template");
  take(ownObject(own, "metadata"), objectAt(next, "metadata"), ["annotations", "labels"]);
  const ownSpec = ownObject(own, "spec");
  take(ownSpec, objectAt(next, "spec"), ["nodeSelector", "tolerations", "schedulingGates"]);
  takeNodeAffinity(ownSpec, objectAt(next, "spec"));
  return own;
}

/** Copies the node affinity. An affinity with no other member may be added or removed. */
function takeNodeAffinity(target: JsonObject, source: JsonObject): void {
  if (!isSet(source, "affinity") && !isSet(target, "affinity")) {
    return;
  }
  const affinity = ownObject(target, "affinity");
  take(affinity, objectAt(source, "affinity"), ["nodeAffinity"]);
  if (!isSet(source, "affinity") && Object.keys(affinity).length === 0) {
    delete target["affinity"];
  }
}

function take(target: JsonObject, source: JsonObject, names: readonly string[]): void {
  for (const name of names) {
    if (isSet(source, name)) {
      target[name] = source[name];
    } else {
      delete target[name];
    }
  }
}

/** Validates the name of an indexed job: that of its last pod must be a host name, too. */
export function validateIndexedName(job: JsonObject, errors: FieldErrors): void {
  const completions = integerAt(job, "spec", "completions");
  if (textAt(job, "spec", "completionMode") !== "Indexed" || completions <= 0) {
    return;
  }
  const { name = "" } = metaOf(job);
  const hostname = `${name}-${Number(completions) - 1}`;
  if (validateDns1123Label(hostname).length > 0) {
    const detail = `will not able to create pod with invalid DNS label: ${hostname}`;
    errors.invalid(FieldPath.of("metadata").child("name"), name, detail);
  }
}
