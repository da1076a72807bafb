import { decodeJson, setKey, sortMembers } from "@gatehouse/envelopes/codec";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import { runSteps } from "@gatehouse/envelopes/scheduling";
import type { Field, ObjectSchema } from "@gatehouse/envelopes/schema";
import { invalid } from "@gatehouse/envelopes/status";
import { sortedEntries } from "../../managed-fields/managers.js";
import { metaOf, type ObjectMeta } from "../../objects/object-meta.js";
import type { ServedResource } from "../../registry/served-resource.js";
import type { SteppedValidation, ValidationSteps } from "../../registry/strategies/kind-validation.js";
import { writeStrategyOf } from "../../registry/strategies/resource-strategy.js";
import type { StrategyContext } from "../../registry/strategies/strategy-context.js";
import type { Caller } from "../../request/caller.js";
import type { MaybePromise } from "../../request/handler.js";
import { ifLarge } from "../../request/if-large.js";
import { FieldErrors } from "../../validation/field-errors.js";
import { type MetadataErrors, metadataErrors } from "./validate-metadata.js";

/**
 * Validates an object that is about to be stored, and brings it into canonical form, in place. Done at once, without a
 * promise, except for large objects and kinds whose validation may take long.
 */
export function validateAndCanonicalize(
  caller: Pick<Caller, "signal" | "yieldIfLarge">,
  served: ServedResource,
  object: JsonObject,
  old: JsonObject | undefined,
  context: StrategyContext,
): MaybePromise<void> {
  const steppedValidation = served.definition.custom?.validation;
  if (steppedValidation !== undefined) {
    return validateInSteps(caller, served, object, old, context, steppedValidation);
  }
  const meta = metaOf(object);
  const ofMeta = metadataErrors(served, object, old, context.subresource);
  const found = new FieldErrors(ofMeta.recheck);
  const work = kindWork(served, object, old, context, found);
  if (work !== undefined) {
    return runSteps(ifLarge(caller), work).then(() => {
      refuseInvalid(served, meta, ofMeta, found);
      canonicalize(served, object);
    });
  }
  refuseInvalid(served, meta, ofMeta, found);
  const turn = caller.yieldIfLarge();
  if (turn !== undefined) {
    return turn.then(() => canonicalize(served, object));
  }
  canonicalize(served, object);
}

async function validateInSteps(
  caller: Pick<Caller, "signal" | "yieldIfLarge">,
  served: ServedResource,
  object: JsonObject,
  old: JsonObject | undefined,
  context: StrategyContext,
  validation: SteppedValidation,
): Promise<void> {
  await runSteps(
    ifLarge(caller),
    validation(object, old, metadataErrors(served, object, old, context.subresource).first, context),
  );
  canonicalize(served, object);
}

function refuseInvalid(
  served: ServedResource,
  meta: ObjectMeta,
  { first, last }: MetadataErrors,
  found: FieldErrors,
): void {
  // Joined without spreading into arguments: the validation of a kind may find more errors than a call can take.
  const sooner = first.concat(found.list);
  const errors = sooner.length > 0 ? sooner : (last?.() ?? []);
  if (errors.length > 0) {
    throw invalid(kindOfMessages(served), meta.name ?? "", errors);
  }
}

/** Returns the group and kind for messages: those of the stored form where that has another group, as events do. */
function kindOfMessages({ definition, group, kind }: ServedResource): {
  readonly group: string;
  readonly kind: string;
} {
  return { group: definition.storage?.group ?? group, kind };
}

/** Validates an object as its kind demands, or begins to. */
function kindWork(
  { definition: { strategy } }: ServedResource,
  object: JsonObject,
  old: JsonObject | undefined,
  context: StrategyContext,
  errors: FieldErrors,
): ValidationSteps {
  return old === undefined
    ? strategy.create.validate?.(object, errors, context)
    : writeStrategyOf(strategy, context.subresource).validateUpdate?.(object, old, errors, context);
}

const canonicalOptions = { emptyAsNull: true };

/** Brings members into wire order, whatever order defaulting, admission and patches have left them in. */
export function canonicalize(served: ServedResource, object: JsonObject): void {
  if (served.isUnstructured) {
    canonicalizeUnstructured(served, object);
    return;
  }
  // The server has written managedFields itself, as the last member of metadata, and they may be as large as the rest.
  const meta = metaOf(object);
  const { managedFields } = meta;
  meta["managedFields"] = undefined;
  const canonical = decodeJson(served.schema, object, canonicalOptions).object;
  if (managedFields !== undefined) {
    metaOf(canonical)["managedFields"] = managedFields;
  }
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

/** Sorts all keys of an object of a custom kind, as Go writes maps; only its metadata is typed. */
function canonicalizeUnstructured(served: ServedResource, object: JsonObject): void {
  object["kind"] = served.kind;
  object["apiVersion"] = served.apiVersion;
  const { schema } = served.schema.properties.get("metadata") as Field;
  const meta = metaOf(object);
  const entries = sortedEntries(meta["managedFields"]);
  if (entries !== undefined) {
    meta["managedFields"] = undefined;
  }
  const metadata = decodeJson(schema as ObjectSchema, meta).object;
  if (entries !== undefined && entries.length > 0) {
    // In its place; what owners have is put there last.
    metadata["managedFields"] = [];
  }
  object["metadata"] = metadata;
  const sorted = sortMembers(object);
  if (sorted !== object) {
    for (const key of Object.keys(object)) {
      delete object[key];
    }
    for (const key of Object.keys(sorted)) {
      setKey(object, key, sorted[key] as JsonValue);
    }
  }
  if (entries !== undefined && entries.length > 0) {
    metaOf(object)["managedFields"] = entries;
  }
}
