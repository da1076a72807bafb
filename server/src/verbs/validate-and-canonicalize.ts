import { decodeJson, type FieldError, invalid, type JsonObject, validateStructure } from "@gatehouse/envelopes";
import type { StrategyContext } from "../catalogue/resource-definition.js";
import type { ServedResource } from "../catalogue/served-resource.js";
import { metaOf } from "../objects/object-meta.js";
import { FieldErrors } from "../rules/field-errors.js";
import { changedMetadataErrors, newMetadataErrors } from "./validate-metadata.js";

/** Validates an object that is about to be stored, and brings it into canonical form, in place. */
export function validateAndCanonicalize(
  served: ServedResource,
  object: JsonObject,
  old: JsonObject | undefined,
  context: StrategyContext,
): void {
  const meta = metaOf(object);
  const metaErrors =
    old === undefined
      ? newMetadataErrors(served, meta)
      : changedMetadataErrors(served, meta, metaOf(old), context.subresource);
  // Joined without spreading into arguments: the rules of a kind may find more errors than a call can take.
  const errors = metaErrors.concat(kindErrors(served, object, old, context));
  if (errors.length > 0) {
    throw invalid(kindOfMessages(served), meta.name ?? "", errors);
  }
  canonicalize(served, object);
}

/** A kind that is stored as one of another group is called by that: events. */
function kindOfMessages({ definition, group, kind }: ServedResource): {
  readonly group: string;
  readonly kind: string;
} {
  return { group: definition.storage?.group ?? group, kind };
}

function kindErrors(
  { definition, schema }: ServedResource,
  object: JsonObject,
  old: JsonObject | undefined,
  context: StrategyContext,
): readonly FieldError[] {
  const { rules } = definition;
  if (rules === undefined) {
    return validateStructure(schema, object).concat(
      definition.validate?.(object) ?? [],
      old === undefined ? [] : (definition.validateUpdate?.(object, old) ?? []),
    );
  }
  const errors = new FieldErrors();
  if (old === undefined) {
    rules.create(object, errors, context);
  } else {
    (rules.subresources?.[context.subresource] ?? rules.update)(object, old, errors, context);
  }
  return errors.list;
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
