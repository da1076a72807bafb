import type { JsonObject } from "@gatehouse/envelopes/json";
import { invalid } from "@gatehouse/envelopes/status";
import { metaOf, type ObjectMeta } from "../../objects/object-meta.js";
import type { SlicedValidation, StrategyContext, ValidationWork } from "../../registry/resource-definition.js";
import type { ServedResource } from "../../registry/served-resource.js";
import type { Caller } from "../../request/caller.js";
import type { MaybePromise } from "../../request/handler.js";
import { FieldErrors } from "../../validation/field-errors.js";
import { runInSlices } from "../body/run-in-slices.js";
import { type MetadataErrors, metadataErrors } from "./validate-metadata.js";

/**
 * Validates an object that is about to be stored, and brings it into canonical form, in place. Answers at once but for
 * kinds whose validation takes long: those let others have their turn through `caller`.
 */
export function validateAndCanonicalize(
  caller: Pick<Caller, "breathe" | "signal">,
  served: ServedResource,
  object: JsonObject,
  old: JsonObject | undefined,
  context: StrategyContext,
): MaybePromise<void> {
  const { slicedValidation } = served.definition;
  if (slicedValidation !== undefined) {
    return validateInSlices(caller, served, object, old, context, slicedValidation);
  }
  const meta = metaOf(object);
  const ofMeta = metadataErrors(served, object, old, context.subresource);
  const found = new FieldErrors(ofMeta.recheck);
  const work = kindWork(served, object, old, context, found);
  if (work !== undefined) {
    return runInSlices(caller, work).then(() => {
      refuseInvalid(served, meta, ofMeta, found);
      served.form.canonicalize(object);
    });
  }
  refuseInvalid(served, meta, ofMeta, found);
  const othersFirst = caller.breathe();
  if (othersFirst !== undefined) {
    return othersFirst.then(() => served.form.canonicalize(object));
  }
  served.form.canonicalize(object);
}

async function validateInSlices(
  caller: Pick<Caller, "breathe" | "signal">,
  served: ServedResource,
  object: JsonObject,
  old: JsonObject | undefined,
  context: StrategyContext,
  validation: SlicedValidation,
): Promise<void> {
  await runInSlices(
    caller,
    validation(object, old, metadataErrors(served, object, old, context.subresource).first, context),
  );
  served.form.canonicalize(object);
}

function refuseInvalid(
  served: ServedResource,
  meta: ObjectMeta,
  { first, last = [] }: MetadataErrors,
  found: FieldErrors,
): void {
  // Joined without spreading into arguments: the validation of a kind may find more errors than a call can take.
  const sooner = first.concat(found.list);
  const errors = sooner.length > 0 ? sooner : last;
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
  { definition: { validation } }: ServedResource,
  object: JsonObject,
  old: JsonObject | undefined,
  context: StrategyContext,
  errors: FieldErrors,
): ValidationWork {
  if (validation === undefined) {
    return undefined;
  }
  return old === undefined
    ? validation.create(object, errors, context)
    : (validation.subresources?.[context.subresource] ?? validation.update)(object, old, errors, context);
}
