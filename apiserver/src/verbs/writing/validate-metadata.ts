import {
  checkDns1035Name,
  checkLabelName,
  checkPathSegmentName,
  checkSubdomainName,
  type FieldError,
  fieldError,
  type JsonObject,
  type NameCheck,
  textAt,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "@gatehouse/envelopes";
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

/** What is wrong with the metadata of an object to be created. */
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

/** What is wrong with the metadata of an object, and when that is said. */
export interface MetadataErrors {
  /** Before all that the rules of the kind say. */
  readonly first: readonly FieldError[];
  /** Where the rules of the kind have it. */
  readonly recheck?: (check: MetadataCheck) => readonly FieldError[];
  /** Only if nothing else is wrong. */
  readonly last?: readonly FieldError[];
}

const none: MetadataErrors = { first: [] };

/** What is wrong with the metadata of an object, new or in the place of `old`. */
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

/** Of kinds that take any name: it still must fit into a path. */
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
 * What is wrong with the metadata of an object that replaces another, as often as v1.29 says it: it checks them for any
 * kind, as an object and as a change, and then for the one kind again. Here that is done only if anything is wrong.
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
  // What a check of the change leaves out and an update could spoil: two members, and a name that says what the object says.
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
