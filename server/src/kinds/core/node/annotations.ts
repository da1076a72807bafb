import { type FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { jsonTypeName } from "@gatehouse/envelopes/codec";
import { type GoJson, readGoJson } from "@gatehouse/envelopes/go";
import {
  booleanAt,
  isJsonObject,
  isSet,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  textAt,
} from "@gatehouse/envelopes/json";
import { validateTaints } from "./taints.js";

const annotationsPath = FieldPath.of("metadata").child("annotations");
const taintsKey = "scheduler.alpha.kubernetes.io/taints";
const avoidPodsKey = "scheduler.alpha.kubernetes.io/preferAvoidPods";

/** Validates annotations with JSON that are older than the members for the same data. */
export function validateNodeAnnotations(node: JsonObject, errors: FieldErrors): void {
  const annotations = objectAt(node, "metadata", "annotations");
  const taints = textAt(annotations, taintsKey);
  if (taints !== "") {
    validateTaintsAnnotation(readGoJson(Buffer.from(taints)), errors);
  }
  const avoided = textAt(annotations, avoidPodsKey);
  if (avoided !== "") {
    validateAvoidedPods(readGoJson(Buffer.from(avoided)), errors);
  }
}

function validateTaintsAnnotation(json: GoJson, errors: FieldErrors): void {
  const problem = "problem" in json ? json.problem : taintsProblem(json.value);
  if (problem !== undefined) {
    errors.invalid(annotationsPath, taintsKey, problem);
  } else if ("value" in json) {
    validateTaints(listAt(json.value).map(asTaint), annotationsPath.child(taintsKey), errors);
  }
}

/** Returns a taint with member names in lower case: Go ignores their case. */
function asTaint(value: JsonValue): JsonObject {
  const members = Object.entries(objectAt(value)).map(([name, member]) => [name.toLowerCase(), member]);
  return Object.fromEntries(members) as JsonObject;
}

function taintsProblem(value: JsonValue): string | undefined {
  if (value !== null && !Array.isArray(value)) {
    return `json: cannot unmarshal ${jsonTypeName(value)} into Go value of type []core.Taint`;
  }
  const odd = listAt(value).find((item) => item !== null && !isJsonObject(item));
  return odd === undefined ? undefined : `json: cannot unmarshal ${jsonTypeName(odd)} into Go value of type core.Taint`;
}

/** Validates the annotation with controllers whose pods should avoid the node. */
function validateAvoidedPods(json: GoJson, errors: FieldErrors): void {
  const problem = "problem" in json ? json.problem : avoidPodsProblem(json.value);
  if (problem !== undefined) {
    errors.invalid(annotationsPath.child("AvoidPods"), avoidPodsKey, problem);
    return;
  }
  const entries = "value" in json ? listAt(json.value, "preferAvoidPods") : [];
  for (const [index, entry] of entries.entries()) {
    if (errors.isFull) {
      return;
    }
    const path = annotationsPath.child(avoidPodsKey).index(index).child("PodSignature");
    if (!isSet(entry, "podSignature", "podController")) {
      errors.required(path);
    } else if (!booleanAt(entry, "podSignature", "podController", "controller")) {
      errors.invalid(path.child("PodController").child("Controller"), false, "must point to a controller");
    }
  }
}

function avoidPodsProblem(value: JsonValue): string | undefined {
  return value === null || isJsonObject(value)
    ? undefined
    : `json: cannot unmarshal ${jsonTypeName(value)} into Go value of type v1.AvoidPods`;
}
