import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { type FieldError, fieldError } from "@gatehouse/envelopes/status";
import {
  type ValidateName,
  validateDns1035Name,
  validateLabelName,
  validateObjectMeta,
  validateObjectMetaUpdate,
  validatePathSegmentName,
  validateSubdomainName,
} from "@gatehouse/envelopes/validation";
import { metaOf } from "../../objects/object-meta.js";
import type { NameFormat } from "../../registry/resource-definition.js";
import type { ServedResource } from "../../registry/served-resource.js";
import type { MetadataCheck } from "../../validation/field-errors.js";

const nameValidators: Readonly<Record<NameFormat, ValidateName>> = {
  dnsSubdomain: validateSubdomainName,
  dnsLabel: validateLabelName,
  dns1035Label: validateDns1035Name,
  pathSegment: validatePathSegmentName,
  any: () => [],
};

/** Returns the errors of the metadata of an object to be created. */
export function newMetadataErrors(
  served: ServedResource,
  meta: JsonObject,
  object: JsonObject | undefined,
): readonly FieldError[] {
  const { nameFormat, finalizerNames, validation } = served.definition;
  const byFormat = typeof nameFormat === "function" ? nameFormat : nameValidators[nameFormat];
  const ofKind = object === undefined ? undefined : validation?.validateName;
  return validateObjectMeta(meta, {
    namespaced: served.namespaced,
    validateName:
      ofKind === undefined
        ? byFormat
        : (name, isPrefix = false) => byFormat(name, isPrefix).concat(ofKind(name, object as JsonObject, isPrefix)),
    onlyKnownFinalizers: finalizerNames !== "any",
  });
}

const usualRechecks: readonly MetadataCheck[] = ["change", "object"];
const statusRechecks: readonly MetadataCheck[] = ["change"];

/** The errors of the metadata of an object, by the time at which they are reported. */
export interface MetadataErrors {
  /** The errors that come before those of the kind's validation. */
  readonly first: readonly FieldError[];
  /** Returns the errors to be reported where the validation of the kind call for them. */
  readonly recheck?: (check: MetadataCheck) => readonly FieldError[];
  /** The errors that are reported only if there are no others. */
  readonly last?: readonly FieldError[];
}

const none: MetadataErrors = { first: [] };

/** Returns the errors of the metadata of an object, new or in the place of `old`. */
export function metadataErrors(
  served: ServedResource,
  object: JsonObject,
  old: JsonObject | undefined,
  subresource: string,
): MetadataErrors {
  if (old !== undefined) {
    return changedMetadataErrors(served, object, metaOf(old), subresource);
  }
  const errors = newMetadataErrors(served, metaOf(object), object);
  switch (served.definition.metadataOnCreate) {
    case "inValidation":
      return { first: [], recheck: () => errors };
    case "afterValidation":
      return { first: [], last: errors };
    default:
      return { first: errors, last: nameErrors(served, object) };
  }
}

/** Checks names of kinds that take any name: each must still fit into a path. */
function nameErrors({ definition: { nameFormat } }: ServedResource, object: JsonObject): readonly FieldError[] {
  if (nameFormat !== "any") {
    return [];
  }
  return ["generateName", "name"].flatMap((member) => {
    const text = textAt(object, "metadata", member);
    return validatePathSegmentName(text).map((problem) => fieldError.invalid(`metadata.${member}`, text, problem));
  });
}

/**
 * Returns the errors of the metadata of an object that replaces another, as often as v1.29 reports them: it checks them
 * for any kind, as an object and as a change, and then for the one kind again. The repetition is left out here if there
 * are no errors.
 */
function changedMetadataErrors(
  served: ServedResource,
  object: JsonObject,
  old: JsonObject,
  subresource: string,
): MetadataErrors {
  const { finalizerNames, metadataRechecks = usualRechecks, validation } = served.definition;
  const meta = metaOf(object);
  const onlyKnownFinalizers = finalizerNames !== "any";
  const changeErrors = validateObjectMetaUpdate(meta, old, { onlyKnownFinalizers });
  // The check of the change omits two members that an update could spoil, and names that must match the object.
  const prefix = meta["generateName"];
  const hasOldPrefix = prefix === undefined || prefix === old["generateName"];
  const isSettled = hasOldPrefix && meta["finalizers"] === undefined && validation?.validateName === undefined;
  if (changeErrors.length === 0 && isSettled) {
    return none;
  }
  const recheck = (check: MetadataCheck) =>
    check === "change" ? changeErrors : newMetadataErrors(served, meta, object);
  const anyKind = validateObjectMeta(meta, {
    namespaced: served.namespaced,
    validateName: validatePathSegmentName,
    onlyKnownFinalizers: false,
  }).concat(validateObjectMetaUpdate(meta, old, { onlyKnownFinalizers: false }));
  if (metadataRechecks === "inValidation") {
    return { first: anyKind, recheck };
  }
  const rechecks = subresource === "status" ? statusRechecks : metadataRechecks;
  return { first: anyKind.concat(...rechecks.map(recheck)) };
}
