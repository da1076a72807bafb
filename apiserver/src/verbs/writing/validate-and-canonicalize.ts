import type { EmptyMember } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { runSteps } from "@gatehouse/envelopes/scheduling";
import { invalid } from "@gatehouse/envelopes/status";
import { metaOf, type ObjectMeta } from "../../objects/object-meta.js";
import type { ServedResource } from "../../registry/served-resource.js";
import type { SteppedValidation, ValidationSteps } from "../../registry/strategies/kind-validation.js";
import { writeStrategyOf } from "../../registry/strategies/resource-strategy.js";
import type { StrategyContext } from "../../registry/strategies/strategy-context.js";
import type { Caller } from "../../request/caller.js";
import type { MaybePromise } from "../../request/handler.js";
import { ifLarge } from "../../request/if-large.js";
import { FieldErrors } from "../../validation/field-errors.js";
import { kindOfMessages } from "../kind-of-messages.js";
import { type MetadataErrors, metadataErrors } from "./validate-metadata.js";

/**
 * Validates an object that is about to be stored, and brings it into canonical form, in place. Done at once, without a
 * promise, except for large objects and kinds whose validation may take long. Returns the empty members that the caller
 * gives null before the object is stored.
 */
export function validateAndCanonicalize(
  caller: Pick<Caller, "signal" | "yieldIfLarge">,
  served: ServedResource,
  object: JsonObject,
  old: JsonObject | undefined,
  context: StrategyContext,
): MaybePromise<readonly EmptyMember[]> {
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
      return served.form.canonicalizeForAdmission(object);
    });
  }
  refuseInvalid(served, meta, ofMeta, found);
  const turn = caller.yieldIfLarge();
  if (turn !== undefined) {
    return turn.then(() => served.form.canonicalizeForAdmission(object));
  }
  return served.form.canonicalizeForAdmission(object);
}

async function validateInSteps(
  caller: Pick<Caller, "signal" | "yieldIfLarge">,
  served: ServedResource,
  object: JsonObject,
  old: JsonObject | undefined,
  context: StrategyContext,
  validation: SteppedValidation,
): Promise<readonly EmptyMember[]> {
  await runSteps(
    ifLarge(caller),
    validation(object, old, metadataErrors(served, object, old, context.subresource).first, context),
  );
  return served.form.canonicalizeForAdmission(object);
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
