import type { KindRules, StrategyContext } from "@gatehouse/apiserver/registry";
import { checkBasicQuantity, type FieldErrors, FieldPath, isValidLabelSelector } from "@gatehouse/apiserver/validation";
import { isSet, type JsonObject, type JsonValue, listAt, objectAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { type ClaimSpecOptions, checkClaimSpec } from "../../../validation/volumes/claim-spec.js";
import { checkAllocatedResources } from "./allocated-resources.js";
import { checkChange } from "./change-rules.js";

const specPath = FieldPath.of("spec");

/** Rules of PersistentVolumeClaim, little of which changes. */
export const persistentVolumeClaimRules: KindRules = {
  create(claim, errors, context) {
    checkClaimSpec(objectAt(claim, "spec"), specPath, errors, optionsOf(undefined, context));
  },
  update(claim, old, errors, context) {
    const spec = objectAt(claim, "spec");
    const options = optionsOf(old, context);
    // v1.29 validates the spec twice.
    errors.recheckMetadata("object");
    checkClaimSpec(spec, specPath, errors, options);
    errors.recheckMetadata("change");
    errors.recheckMetadata("object");
    checkClaimSpec(spec, specPath, errors, options);
    checkChange(claim, old, errors, {
      hasAttributesClassFeature: context.features.enabled("VolumeAttributesClass"),
      checksAttributesClass: options.checksAttributesClass,
      mayShrinkToCapacity: mayRecover(old, context),
    });
  },
  subresources: {
    status(claim, old, errors, context) {
      errors.recheckMetadata("change");
      checkStatus(claim, errors);
      if (mayRecover(old, context)) {
        checkAllocatedResources(claim, errors);
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

function checkStatus(claim: JsonObject, errors: FieldErrors): void {
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
    checkBasicQuantity(amount as JsonValue, path.key(resource), errors);
  }
}
