import type { SourceDocument } from "@gatehouse/component-base/manifests";
import { isSet, type JsonObject, objectAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { groupVersionOf } from "@gatehouse/envelopes/schema";

/**
 * Steps in which documents are created, so that each finds what it is judged by. Policies without parameters come first:
 * they judge all the rest. Bindings with parameters wait for their parameters, and these for their definition.
 */
const steps = [
  "policies",
  "bindings",
  "namespaces",
  "definitions",
  "parameters",
  "bindings with parameters",
  "classes",
  "limits",
  "service accounts",
  "others",
  "webhooks",
] as const;

/** A step in which documents are created. */
export type ApplyStep = (typeof steps)[number];

const stepsOfKinds: ReadonlyMap<string, ApplyStep> = new Map([
  ["admissionregistration.k8s.io/ValidatingAdmissionPolicy", "policies"],
  ["admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding", "bindings"],
  ["/Namespace", "namespaces"],
  ["apiextensions.k8s.io/CustomResourceDefinition", "definitions"],
  ["scheduling.k8s.io/PriorityClass", "classes"],
  ["storage.k8s.io/StorageClass", "classes"],
  ["networking.k8s.io/IngressClass", "classes"],
  ["node.k8s.io/RuntimeClass", "classes"],
  ["/LimitRange", "limits"],
  ["/ResourceQuota", "limits"],
  ["/ServiceAccount", "service accounts"],
  ["admissionregistration.k8s.io/MutatingWebhookConfiguration", "webhooks"],
  ["admissionregistration.k8s.io/ValidatingWebhookConfiguration", "webhooks"],
  ["apiregistration.k8s.io/APIService", "webhooks"],
]);

/** A step and its documents, in their order. */
export interface StepDocuments {
  readonly step: ApplyStep;
  readonly documents: readonly SourceDocument[];
}

/** Sorts documents into steps; within a step they keep their order. */
export function inApplyOrder(documents: readonly SourceDocument[]): readonly StepDocuments[] {
  const references = parameterReferences(documents.map(({ content }) => content));
  const byStep = new Map<ApplyStep, SourceDocument[]>(steps.map((step) => [step, []]));
  for (const document of documents) {
    byStep.get(stepOf(document.content, references))?.push(document);
  }
  return [...byStep].map(([step, found]) => ({ step, documents: found })).filter((each) => each.documents.length > 0);
}

/**
 * Sorts documents that are in force already: policies come last, since they have judged none of the others.
 */
export function inForceOrder(documents: readonly SourceDocument[]): readonly StepDocuments[] {
  const isOfPolicies = ({ step }: StepDocuments): boolean => step === "policies" || step.startsWith("bindings");
  const sorted = inApplyOrder(documents);
  return [...sorted.filter((each) => !isOfPolicies(each)), ...sorted.filter(isOfPolicies)];
}

/** Leaves documents in their order, each with the step that it belongs to. */
export function inGivenOrder(documents: readonly SourceDocument[]): readonly StepDocuments[] {
  return documents.map((document) => ({ step: stepOf(document.content, []), documents: [document] }));
}

/** Returns the step in which an object is created. */
function stepOf(content: JsonObject, references: readonly ParameterReference[]): ApplyStep {
  const step = stepsOfKinds.get(groupKindOf(content)) ?? "others";
  if (step === "bindings" && isSet(content, "spec", "paramRef")) {
    return "bindings with parameters";
  }
  return step === "others" && references.some((refersTo) => refersTo(content)) ? "parameters" : step;
}

/** Returns the group and kind of an object, as in `apps/Deployment`; `/Pod` for the core group. */
export function groupKindOf(content: JsonObject): string {
  return `${groupVersionOf(textAt(content, "apiVersion")).group}/${textAt(content, "kind")}`;
}

/** Reports whether an object is a parameter that a binding refers to. */
type ParameterReference = (content: JsonObject) => boolean;

function parameterReferences(objects: readonly JsonObject[]): readonly ParameterReference[] {
  const paramKinds = new Map(
    objects
      .filter((object) => stepsOfKinds.get(groupKindOf(object)) === "policies")
      .map((policy) => [textAt(policy, "metadata", "name"), groupKindOf(objectAt(policy, "spec", "paramKind"))]),
  );
  return objects
    .filter((object) => stepsOfKinds.get(groupKindOf(object)) === "bindings" && isSet(object, "spec", "paramRef"))
    .map((binding) => {
      const paramKind = paramKinds.get(textAt(binding, "spec", "policyName"));
      const name = textAt(binding, "spec", "paramRef", "name");
      const labels = Object.entries(objectAt(binding, "spec", "paramRef", "selector", "matchLabels"));
      return (content) =>
        groupKindOf(content) === paramKind &&
        (name === "" || textAt(content, "metadata", "name") === name) &&
        labels.every(([key, value]) => valueAt(content, "metadata", "labels", key) === value);
    });
}
