import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { type FieldError, fieldError } from "@gatehouse/envelopes/status";
import {
  checkDns1035Name,
  checkLabelName,
  checkPathSegmentName,
  checkSubdomainName,
  type NameCheck,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "@gatehouse/envelopes/validation";
import { metaOf } from "../../objects/object-meta.js";
import type { NameRule } from "../../registry/resource-definition.js";
import type { ServedResource } from "../../registry/served-resource.js";
import type { MetadataCheck } from "../../validation/field-errors.js";

const nameChecks: Readonly<Record<NameRule, NameCheck>> = {
  dnsSubdomain: checkSubdomainName,
  dnsLabel: checkLabelName,
  dns1035Label: checkDns1035Name,
  pathSegment: checkPathSegmentName,
  any: () => [],
};

/** Returns the errors of the metadata of an object to be created. */
export function newMetadataErrors(
  served: ServedResource,
  meta: JsonObject,
  object: JsonObject | undefined,
): readonly FieldError[] {
  const { nameRule, finalizerRule, rules } = served.definition;
  const byRule = typeof nameRule === "function" ? nameRule : nameChecks[nameRule];
  const ofKind = object === undefined ? undefined : rules?.checkName;
  return validateObjectMeta(meta, {
    namespaced: served.namespaced,
    checkName:
      ofKind === undefined
        ? byRule
        : (name, isPrefix = false) => byRule(name, isPrefix).concat(ofKind(name, object as JsonObject, isPrefix)),
    onlyKnownFinalizers: finalizerRule !== "any",
  });
}

const usualRechecks: readonly MetadataCheck[] = ["change", "object"];
const statusRechecks: readonly MetadataCheck[] = ["change"];

/** The errors of the metadata of an object, by the time at which they are reported. */
export interface MetadataErrors {
  /** The errors that come before those of the kind's rules. */
  readonly first: readonly FieldError[];
  /** Returns the errors to be reported where the rules of the kind call for them. */
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
    case "inRules":
      return { first: [], recheck: () => errors };
    case "afterRules":
      return { first: [], last: errors };
    default:
      return { first: errors, last: nameErrors(served, object) };
  }
}

/** Checks names of kinds that take any name: each must still fit into a path. */
function nameErrors({ definition: { nameRule } }: ServedResource, object: JsonObject): readonly FieldError[] {
  if (nameRule !== "any") {
    return [];
  }
  return ["generateName", "name"].flatMap((member) => {
    const text = textAt(object, "metadata", member);
    return checkPathSegmentName(text).map((problem) => fieldError.invalid(`metadata.${member}`, text, problem));
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
  const { finalizerRule, metadataRechecks = usualRechecks, rules } = served.definition;
  const meta = metaOf(object);
  const onlyKnownFinalizers = finalizerRule !== "any";
  const changeErrors = validateObjectMetaUpdate(meta, old, { onlyKnownFinalizers });
  // The check of the change omits two members that an update could spoil, and names that must match the object.
  const prefix = meta["generateName"];
  const hasOldPrefix = prefix === undefined || prefix === old["generateName"];
  const isSettled = hasOldPrefix && meta["finalizers"] === undefined && rules?.checkName === undefined;
  if (changeErrors.length === 0 && isSettled) {
    return none;
  }
  const recheck = (check: MetadataCheck) =>
    check === "change" ? changeErrors : newMetadataErrors(served, meta, object);
  const anyKind = validateObjectMeta(meta, {
    namespaced: served.namespaced,
    checkName: checkPathSegmentName,
    onlyKnownFinalizers: false,
  }).concat(validateObjectMetaUpdate(meta, old, { onlyKnownFinalizers: false }));
  if (metadataRechecks === "inRules") {
    return { first: anyKind, recheck };
  }
  const rechecks = subresource === "status" ? statusRechecks : metadataRechecks;
  return { first: anyKind.concat(...rechecks.map(recheck)) };
}
