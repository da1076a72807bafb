import {
  checkDns1035Name,
  checkLabelName,
  checkPathSegmentName,
  checkSubdomainName,
  type FieldError,
  type JsonObject,
  type NameCheck,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "@gatehouse/envelopes";
import type { MetadataCheck, NameRule } from "../catalogue/resource-definition.js";
import type { ServedResource } from "../catalogue/served-resource.js";

const nameChecks: Readonly<Record<NameRule, NameCheck>> = {
  dnsSubdomain: checkSubdomainName,
  dnsLabel: checkLabelName,
  dns1035Label: checkDns1035Name,
  pathSegment: checkPathSegmentName,
};

/** What is wrong with the metadata of an object to be created. */
export function newMetadataErrors(
  served: ServedResource,
  meta: JsonObject,
  object?: JsonObject,
): readonly FieldError[] {
  const { nameRule, finalizerRule, rules } = served.definition;
  const byRule = typeof nameRule === "function" ? nameRule : nameChecks[nameRule];
  const ofKind = object === undefined ? undefined : rules?.checkName;
  return validateObjectMeta(meta, {
    namespaced: served.namespaced,
    checkName:
      ofKind === undefined
        ? byRule
        : (name, isPrefix) => byRule(name, isPrefix).concat(ofKind(name, object as JsonObject)),
    onlyKnownFinalizers: finalizerRule !== "any",
  });
}

const usualRechecks: readonly MetadataCheck[] = ["change", "object"];
const statusRechecks: readonly MetadataCheck[] = ["change"];

/**
 * What is wrong with the metadata of an object that replaces another, as often as v1.29 says it: it checks them for any
 * kind, as an object and as a change, and then for the one kind again. Here that is done only if anything is wrong.
 */
export function changedMetadataErrors(
  served: ServedResource,
  meta: JsonObject,
  old: JsonObject,
  subresource: string,
): readonly FieldError[] {
  const { finalizerRule, metadataRechecks = usualRechecks } = served.definition;
  const onlyKnownFinalizers = finalizerRule !== "any";
  const changeErrors = validateObjectMetaUpdate(meta, old, { onlyKnownFinalizers });
  // The form of finalizers is all that a check of the change leaves out and an update could spoil.
  if (changeErrors.length === 0 && meta["finalizers"] === undefined) {
    return [];
  }
  const anyKind = validateObjectMeta(meta, {
    namespaced: served.namespaced,
    checkName: checkPathSegmentName,
    onlyKnownFinalizers: false,
  });
  if (changeErrors.length === 0 && anyKind.length === 0) {
    return [];
  }
  const rechecks = subresource === "status" ? statusRechecks : metadataRechecks;
  return anyKind.concat(
    validateObjectMetaUpdate(meta, old, { onlyKnownFinalizers: false }),
    ...rechecks.map((check) => (check === "change" ? changeErrors : newMetadataErrors(served, meta))),
  );
}
