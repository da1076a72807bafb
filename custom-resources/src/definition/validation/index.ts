import type { KindValidation } from "@gatehouse/apiserver/registry";
import { type FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { booleanAt, type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { apiApproval, isCommunityGroup } from "../../resources/api-approval.js";
import { approvalAnnotation } from "../../resources/definition-summary.js";
import { allDemands, demandsAfter } from "./demands.js";
import { validateSpec, validateSpecUpdate, validateStatus, validateStoredVersions } from "./spec.js";

/**
 * Rules of CustomResourceDefinition. An update need not meet a newer rule that the stored definition breaks already.
 */
export const customResourceDefinitionValidation: KindValidation = {
  validateName(name, definition) {
    const required = `${textAt(definition, "spec", "names", "plural")}.${textAt(definition, "spec", "group")}`;
    return name === required ? [] : ['must be spec.names.plural+"."+spec.group'];
  },
  *create(definition, errors, context) {
    yield* validateSpec(definition, allDemands, context, errors);
    validateRest(definition, undefined, errors);
  },
  *update(definition, old, errors, context) {
    const demands = yield* demandsAfter(old);
    yield* validateSpec(definition, demands, context, errors);
    validateSpecUpdate(definition, old, demands, errors);
    validateRest(definition, old, errors);
  },
  subresources: {
    status: (definition, _old, errors) => validateStatus(definition, errors),
  },
};

function validateRest(definition: JsonObject, old: JsonObject | undefined, errors: FieldErrors): void {
  validateStatus(definition, errors);
  validateStoredVersions(definition, errors);
  validateApproval(definition, old, errors);
  if (booleanAt(definition, "spec", "preserveUnknownFields") && !booleanAt(old, "spec", "preserveUnknownFields")) {
    errors.invalid(
      FieldPath.of("spec").child("preserveUnknownFields"),
      true,
      "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
    );
  }
}

/** Validates the approval annotation that groups of the Kubernetes community need, if its state has changed. */
function validateApproval(definition: JsonObject, old: JsonObject | undefined, errors: FieldErrors): void {
  if (!isCommunityGroup(textAt(definition, "spec", "group"))) {
    return;
  }
  const annotation = textAt(definition, "metadata", "annotations", approvalAnnotation);
  const { state, reason } = apiApproval(annotation);
  const path = FieldPath.of("metadata").child("annotations").key(approvalAnnotation);
  if (old !== undefined && apiApproval(textAt(old, "metadata", "annotations", approvalAnnotation)).state === state) {
    return;
  }
  if (state === "invalid") {
    errors.invalid(path, annotation, reason);
  } else if (state === "missing") {
    errors.required(path, reason);
  }
}
