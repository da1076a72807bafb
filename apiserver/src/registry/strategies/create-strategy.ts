import type { JsonObject } from "@gatehouse/envelopes/json";
import { generateName } from "../../objects/generate-name.js";
import type { KindWarnings, ValidateNew } from "./kind-validation.js";
import type { AuthorizeWrite, StrategyContext } from "./strategy-context.js";

/**
 * The rules for a new object of a resource, in the order in which they are applied. Objects are decoded objects of the
 * served version and may be changed in place.
 */
export interface CreateStrategy {
  /** Called after mutating admission and before any other step of the strategy. */
  readonly authorize?: AuthorizeWrite;
  /** Called when validation has found the object to be valid. */
  readonly authorizeValid?: AuthorizeWrite;
  /** Returns the name of an object without one. Default: the prefix (`generateName`) with random letters at its end. */
  readonly generateName: (prefix: string) => string;
  /**
   * Gives the object its first status in the place of the one that was sent. Default: the status is removed for kinds with
   * /status, and stays as it was sent for others.
   */
  readonly resetStatus?: (object: JsonObject, context: StrategyContext) => void;
  /** Completes the object before validation. Its name, uid, generation and status are set. */
  readonly prepareForCreate?: (object: JsonObject, context: StrategyContext) => void;
  readonly validate?: ValidateNew;
  readonly warningsOnCreate?: KindWarnings;
}

/** The rules for a new object that a kind may replace or add. Validation and warnings are stated once for all verbs. */
export type KindCreateStrategy = Partial<Omit<CreateStrategy, "validate" | "warningsOnCreate">>;

/** Returns the rules for new objects of a kind that replaces or adds `own`. */
export function completeCreateStrategy(hasStatus: boolean, own: KindCreateStrategy = {}): CreateStrategy {
  return { generateName, ...(hasStatus ? { resetStatus: dropStatus } : {}), ...own };
}

function dropStatus(object: JsonObject): void {
  delete object["status"];
}
