import type { KindValidation, StrategyContext } from "@gatehouse/apiserver/registry";
import {
  type FieldErrors,
  FieldPath,
  isValidLabelSelector,
  validateBasicQuantity,
} from "@gatehouse/apiserver/validation";
import { isSet, type JsonObject, type JsonValue, listAt, objectAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { type ClaimSpecOptions, validateClaimSpec } from "../../../validation/volumes/claim-spec.js";
import { validateAllocatedResources } from "./allocated-resources.js";
import { validateUpdate } from "./validate-update.js";

const specPath = FieldPath.of("spec");

/** Rules of PersistentVolumeClaim, little of which changes. */
export const persistentVolumeClaimValidation: KindValidation = {
  create(claim, errors, context) {
    validateClaimSpec(objectAt(claim, "spec"), specPath, errors, optionsOf(undefined, context));
  },
  update(claim, old, errors, context) {
    const spec = objectAt(claim, "spec");
    const options = optionsOf(old, context);
    // v1.29 validates the spec twice.
    errors.recheckMetadata("object");
    validateClaimSpec(spec, specPath, errors, options);
    errors.recheckMetadata("change");
    errors.recheckMetadata("object");
    validateClaimSpec(spec, specPath, errors, options);
    validateUpdate(claim, old, errors, {
      hasAttributesClassFeature: context.features.enabled("VolumeAttributesClass"),
      checksAttributesClass: options.checksAttributesClass,
      mayShrinkToCapacity: mayRecover(old, context),
    });
  },
  subresources: {
    status(claim, old, errors, context) {
      errors.recheckMetadata("change");
      validateStatus(claim, errors);
      if (mayRecover(old, context)) {
        validateAllocatedResources(claim, errors);
      }
    },
  },
};

function optionsOf(old: JsonObject | undefined, { features }: StrategyContext): ClaimSpecOptions {
  const checksAttributesClass =
    features.enabled("VolumeAttributesClass") || isSet(old, "spec", "volumeAttributesClassName");
  return old === undefined
    ? { checksAttributesClass }
    : {
        checksAttributesClass,
        allowInvalidValues: !isValidLabelSelector(valueAt(old, "spec", "selector")),
        allowInvalidGroups: ["dataSource", "dataSourceRef"].some((member) => isSet(old, "spec", member, "apiGroup")),
      };
}

/** Reports whether a claim that could not be expanded may request less again (KEP-1790). */
function mayRecover(old: JsonObject, { features }: StrategyContext): boolean {
  return (
    features.enabled("RecoverVolumeExpansionFailure") ||
    isSet(old, "status", "allocatedResources") ||
    isSet(old, "status", "allocatedResourceStatuses")
  );
}

function validateStatus(claim: JsonObject, errors: FieldErrors): void {
  if (textAt(claim, "metadata", "resourceVersion") === "") {
    errors.required(FieldPath.of("resourceVersion"));
  }
  if (listAt(claim, "spec", "accessModes").length === 0) {
    errors.required(FieldPath.of("Spec").child("accessModes"));
  }
  const path = FieldPath.of("status").child("capacity");
  for (const [resource, amount] of Object.entries(objectAt(claim, "status", "capacity"))) {
    if (errors.isFull) {
      return;
    }
    validateBasicQuantity(amount as JsonValue, path.key(resource), errors);
  }
}
