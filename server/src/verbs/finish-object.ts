import {
  checkDns1035Name,
  checkLabelName,
  checkPathSegmentName,
  checkSubdomainName,
  decodeJson,
  type FieldError,
  invalid,
  type JsonObject,
  type NameCheck,
  validateObjectMeta,
  validateObjectMetaUpdate,
  validateStructure,
} from "@gatehouse/envelopes";
import type { NameRule } from "../catalogue/resource-definition.js";
import type { ServedResource } from "../catalogue/served-resource.js";
import { metaOf } from "../objects/object-meta.js";

const nameChecks: Readonly<Record<NameRule, NameCheck>> = {
  dnsSubdomain: checkSubdomainName,
  dnsLabel: checkLabelName,
  dns1035Label: checkDns1035Name,
  pathSegment: checkPathSegmentName,
};

/**
 * Groups whose finalizers are checked as qualified names only, as those of custom resources: v1.29 validates them outside
 * of its core. The others take finalizers without a domain only if the control plane itself uses them.
 */
const groupsWithAnyFinalizer = new Set(["apiextensions.k8s.io", "apiregistration.k8s.io"]);

/** Validates an object that is about to be stored, and brings it into canonical form, in place. */
export function finishObject(served: ServedResource, object: JsonObject, old: JsonObject | undefined): void {
  const { definition } = served;
  const meta = metaOf(object);
  const onlyKnownFinalizers = !groupsWithAnyFinalizer.has(served.group);
  const metaErrors =
    old === undefined
      ? validateObjectMeta(meta, {
          namespaced: served.namespaced,
          checkName: nameChecks[definition.nameRule],
          onlyKnownFinalizers,
        })
      : validateObjectMetaUpdate(meta, metaOf(old), { onlyKnownFinalizers });
  // Joined without spreading into arguments: the rules of a kind may find more errors than a call can take.
  const errors: readonly FieldError[] = metaErrors.concat(
    validateStructure(served.schema, object),
    definition.validate?.(object) ?? [],
    old === undefined ? [] : (definition.validateUpdate?.(object, old) ?? []),
  );
  if (errors.length > 0) {
    throw invalid(served, meta.name ?? "", errors);
  }
  canonicalize(served, object);
}

/** Members in wire order, whatever order defaulting, admission and patches have left them in. */
export function canonicalize(served: ServedResource, object: JsonObject): void {
  const canonical = decodeJson(served.schema, object, { emptyAsNull: true }).object;
  const members = Object.keys(canonical).filter((key) => key !== "kind" && key !== "apiVersion");
  const order = ["kind", "apiVersion", ...members];
  const present = Object.keys(object);
  if (present.length !== order.length || present.some((key, index) => key !== order[index])) {
    // An object that has lost members is slow to read and to encode ever after; most have theirs in order.
    for (const key of present) {
      delete object[key];
    }
  }
  object["kind"] = served.kind;
  object["apiVersion"] = served.apiVersion;
  for (const key of members) {
    object[key] = canonical[key];
  }
}
