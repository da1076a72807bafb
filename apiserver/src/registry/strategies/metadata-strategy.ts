import { type ValidateName, validateSubdomainName } from "@gatehouse/envelopes/validation";
import type { MetadataCheck } from "../../validation/field-errors.js";
import type { ValidateNameOf } from "./kind-validation.js";

/** The rules for the metadata of objects of a resource: which ones hold, and when v1.29 checks them. */
export interface MetadataStrategy {
  /** Returns the problems of a name, or of the prefix of a generated one. Default: it must be a DNS subdomain (RFC 1123). */
  readonly validateName: ValidateName;
  /** Returns the problems of a name that must agree with its object, besides those of `validateName`. */
  readonly validateNameOf?: ValidateNameOf;
  /** True if a finalizer without a domain must be one of the control plane's. Default: true. */
  readonly knownFinalizersOnly: boolean;
  /**
   * The time at which the metadata of a new object are checked. `inValidation`: where the rules of the kind ask for it
   * (`errors.recheckMetadata("object")`). `afterValidation`: only if the rules of the kind have found no error. Default:
   * before the rules of the kind.
   */
  readonly onCreate: "beforeValidation" | "inValidation" | "afterValidation";
  /**
   * The second checks of an update's metadata: v1.29 repeats them for this kind after those for any kind, and lists the
   * errors again. `inValidation`: where the rules of the kind ask for them (`errors.recheckMetadata`). Default: as a
   * change, then as an object; updates of /status are checked as a change only.
   */
  readonly rechecks: readonly MetadataCheck[] | "inValidation";
}

/** The rules for metadata that a kind may replace. */
export type KindMetadataStrategy = Partial<Omit<MetadataStrategy, "validateNameOf">>;

const usualRechecks: readonly MetadataCheck[] = ["change", "object"];

/** Returns the rules for metadata of a kind that replaces `own`. */
export function completeMetadataStrategy(
  validateNameOf: ValidateNameOf | undefined,
  own: KindMetadataStrategy = {},
): MetadataStrategy {
  return {
    validateName: validateSubdomainName,
    knownFinalizersOnly: true,
    onCreate: "beforeValidation",
    rechecks: usualRechecks,
    ...(validateNameOf === undefined ? {} : { validateNameOf }),
    ...own,
  };
}
