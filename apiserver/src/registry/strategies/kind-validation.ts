import type { JsonObject } from "@gatehouse/envelopes/json";
import type { Steps } from "@gatehouse/envelopes/scheduling";
import type { FieldError } from "@gatehouse/envelopes/status";
import type { FieldErrors } from "../../validation/field-errors.js";
import type { StrategyContext } from "./strategy-context.js";

/**
 * The validation rules of a kind beyond metadata, all of them, in v1.29's order and words. Validation sees decoded and
 * defaulted objects of the served version, changes nothing, and adds what is wrong to `errors`.
 */
export interface KindValidation {
  /** Returns the problems of a name that must agree with its object, besides those of `metadata.validateName`. */
  readonly validateName?: ValidateNameOf;
  readonly create: ValidateNew;
  /** Checks all that v1.29 checks of an update, for most kinds including the rules for a new object. */
  readonly update: ValidateUpdate;
  /** Rules by subresource that writes the object, such as `status`; `update` holds for those not named. */
  readonly subresources?: Readonly<Record<string, ValidateUpdate>>;
}

/** Returns the problems of a name, or of the prefix of a generated name, that must agree with its object. */
export type ValidateNameOf = (name: string, object: JsonObject, isPrefix: boolean) => string[];

/** Checks a new object. */
export type ValidateNew = (object: JsonObject, errors: FieldErrors, context: StrategyContext) => ValidationSteps;

/** Checks an object that replaces `old`. */
export type ValidateUpdate = (
  object: JsonObject,
  old: JsonObject,
  errors: FieldErrors,
  context: StrategyContext,
) => ValidationSteps;

/** The remaining steps of a validation that may take long; undefined if all is done. */
export type ValidationSteps = Steps<void> | void;

/**
 * Validates an object of a custom kind in steps. `old` is undefined for a new object. `metaErrors` are those of its
 * metadata. Throws a StatusError with these and all others to refuse the object.
 */
export type SteppedValidation = (
  object: JsonObject,
  old: JsonObject | undefined,
  metaErrors: readonly FieldError[],
  context: StrategyContext,
) => Steps;

/**
 * Returns warnings about an accepted object that had better be changed. Called after validation of a new object, where
 * `old` is undefined, and of an update of the object, but not of an update of /status.
 */
export type KindWarnings = (object: JsonObject, old: JsonObject | undefined) => readonly string[];
