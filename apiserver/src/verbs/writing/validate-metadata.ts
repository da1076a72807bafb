import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { type FieldError, fieldError } from "@gatehouse/envelopes/status";
import { validateObjectMeta, validateObjectMetaUpdate, validatePathSegmentName } from "@gatehouse/envelopes/validation";
import { metaOf } from "../../objects/object-meta.js";
import type { ServedResource } from "../../registry/served-resource.js";
import type { MetadataCheck } from "../../validation/field-errors.js";

/** Returns the errors of the metadata of an object to be created. */
function newMetadataErrors(served: ServedResource, object: JsonObject): readonly FieldError[] {
  const { validateName, validateNameOf, knownFinalizersOnly } = served.definition.strategy.metadata;
  return validateObjectMeta(metaOf(object), {
    namespaced: served.namespaced,
    validateName:
      validateNameOf === undefined
        ? validateName
        : (name, isPrefix = false) => validateName(name, isPrefix).concat(validateNameOf(name, object, isPrefix)),
    onlyKnownFinalizers: knownFinalizersOnly,
  });
}

const statusRechecks: readonly MetadataCheck[] = ["change"];

/** The errors of the metadata of an object, by the time at which they are reported. */
export interface MetadataErrors {
  /** The errors that come before those of the kind's validation. */
  readonly first: readonly FieldError[];
  /** Returns the errors to be reported where the validation of the kind call for them. */
  readonly recheck?: (check: MetadataCheck) => readonly FieldError[];
  /** The errors that are reported only if there are no others. */
  readonly last?: () => readonly FieldError[];
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
  const errors = newMetadataErrors(served, object);
  const last = (): readonly FieldError[] => nameErrors(object);
  switch (served.definition.strategy.metadata.onCreate) {
    case "beforeValidation":
      return { first: errors, last };
    case "inValidation":
      return { first: [], recheck: () => errors, last };
    case "afterValidation":
      return { first: [], last: () => errors };
  }
}

/** Checks names as v1.29 does for any kind after the rules of the kind: each must fit into a path. */
function nameErrors(object: JsonObject): readonly FieldError[] {
  return ["generateName", "name"].flatMap((member) => {
    const text = textAt(object, "metadata", member);
    return validatePathSegmentName(text, member === "generateName").map((problem) =>
      fieldError.invalid(`metadata.${member}`, text, problem),
    );
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
  const { knownFinalizersOnly: onlyKnownFinalizers, rechecks, validateNameOf } = served.definition.strategy.metadata;
  const meta = metaOf(object);
  const changeErrors = validateObjectMetaUpdate(meta, old, { onlyKnownFinalizers });
  // The check of the change omits two members that an update could spoil, and names that must match the object.
  const prefix = meta["generateName"];
  const hasOldPrefix = prefix === undefined || prefix === old["generateName"];
  const isSettled = hasOldPrefix && meta["finalizers"] === undefined && validateNameOf === undefined;
  if (changeErrors.length === 0 && isSettled) {
    return none;
  }
  const recheck = (check: MetadataCheck) => (check === "change" ? changeErrors : newMetadataErrors(served, object));
  const anyKind = validateObjectMeta(meta, {
    namespaced: served.namespaced,
    validateName: validatePathSegmentName,
    onlyKnownFinalizers: false,
  }).concat(validateObjectMetaUpdate(meta, old, { onlyKnownFinalizers: false }));
  if (rechecks === "inValidation") {
    return { first: anyKind, recheck };
  }
  return { first: anyKind.concat(...(subresource === "status" ? statusRechecks : rechecks).map(recheck)) };
}
