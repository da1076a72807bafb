import type { JsonObject } from "@gatehouse/envelopes/json";
import { copyMembers } from "../../objects/object-meta.js";
import type { KindWarnings, ValidateUpdate } from "./kind-validation.js";
import type { AuthorizeWrite, StrategyContext } from "./strategy-context.js";

/**
 * The rules for a write that replaces an object, through the object itself or one of its subresources. Objects are
 * decoded objects of the served version; `object` may be changed in place, `old` must not be.
 */
export interface SubresourceStrategy {
  /** Restores what this write must not change, and completes the object, before validation. */
  readonly prepareForUpdate?: (object: JsonObject, old: JsonObject, context: StrategyContext) => void;
  readonly validateUpdate?: ValidateUpdate;
  /**
   * The members that this write resets, whatever the client has sent, so that no field manager comes to own them: dotted
   * paths. Default: status for the object itself, spec for /status, nothing for other subresources and for kinds without
   * /status.
   */
  readonly resetFields: readonly string[];
}

/** The rules for updates of an object of a resource. */
export interface UpdateStrategy extends SubresourceStrategy {
  /** Called after mutating admission and before any other step of the strategy, for updates of subresources, too. */
  readonly authorize?: AuthorizeWrite;
  /** Called when validation has found the object to be valid, for updates of subresources, too. */
  readonly authorizeValid?: AuthorizeWrite;
  /** True if PUT to a name that does not exist creates the object. Default: false. */
  readonly allowCreateOnUpdate: boolean;
  /**
   * True if a write without a resourceVersion overwrites the current object, in updates of subresources, too. Default:
   * true.
   */
  readonly allowUnconditionalUpdate: boolean;
  /**
   * Gives the object its status in the place of the one that was sent. Default: the status of the replaced object for
   * kinds with /status; it stays as it was sent for others.
   */
  readonly resetStatus?: (object: JsonObject, old: JsonObject) => void;
  readonly warningsOnUpdate?: KindWarnings;
  /** The rules for every subresource but /status, by name. */
  readonly subresources: ReadonlyMap<string, SubresourceStrategy>;
}

/** The rules for an update that a kind may replace or add. Validation and warnings are stated once for all verbs. */
export interface KindUpdateStrategy
  extends Partial<Omit<UpdateStrategy, "validateUpdate" | "warningsOnUpdate" | "subresources">> {
  /** The rules by subresource; preparation is that of the object where a subresource has none of its own. */
  readonly subresources?: Readonly<Record<string, KindSubresourceStrategy>>;
}

/** The rules for an update of one subresource that a kind may replace or add. */
export type KindSubresourceStrategy = Partial<Omit<SubresourceStrategy, "validateUpdate">>;

/** Returns the rules for updates of a kind that replaces or adds `own`, without those of subresources. */
export function completeUpdateStrategy(
  hasStatus: boolean,
  { subresources: _subresources, ...own }: KindUpdateStrategy = {},
): Omit<UpdateStrategy, "subresources"> {
  return {
    allowCreateOnUpdate: false,
    allowUnconditionalUpdate: true,
    ...(hasStatus ? { resetStatus: restoreStatus } : {}),
    resetFields: hasStatus ? ["status"] : [],
    ...own,
  };
}

function restoreStatus(object: JsonObject, old: JsonObject): void {
  copyMembers(old, object, ["status"]);
}
