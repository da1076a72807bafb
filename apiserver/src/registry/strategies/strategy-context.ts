import type { ExpressionMetrics } from "@gatehouse/policies/structural-schemas";
import type { AdmissionAttributes } from "../../admission/attributes.js";
import type { FeatureGates } from "../../options/feature-gates.js";
import type { UserInfo } from "../../request/user-info.js";
import type { Privileges } from "../privileges.js";

/**
 * The facts about a write that strategies may use. The functions of a strategy run once per attempt of a
 * compare-and-set loop, and therefore depend on nothing but their arguments.
 */
export interface StrategyContext {
  readonly user: UserInfo;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** The subresource that is written; empty for the object itself. */
  readonly subresource: string;
  readonly features: FeatureGates;
  /** Set where containers may have all rights on their node (`--allow-privileged`). */
  readonly allowPrivileged: boolean;
  /** Adds a warning to the answer, whatever that will be. The same warning is told once. */
  readonly warn: (message: string) => void;
  /** Measures expressions; undefined where nobody does. */
  readonly expressionMetrics?: ExpressionMetrics | undefined;
}

/**
 * Checks that the user may write this very object, beyond the right to the verb. Called with every attempt. Throws a
 * StatusError to refuse.
 */
export type AuthorizeWrite = (attributes: AdmissionAttributes, privileges: Privileges) => Promise<void> | void;
