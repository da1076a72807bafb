import type { JsonObject } from "@gatehouse/envelopes/json";
import type { MaybePromise } from "@gatehouse/envelopes/scheduling";
import type { StatusError } from "@gatehouse/envelopes/status";
import type { AdmissionVariables } from "../admission-variables.js";
import type { AdmissionWrite, ExpressionSource, ServedForm, VersionedObjects } from "../admission-write.js";
import type { MatchConditions, MatchOutcome } from "../match-conditions.js";
import type { WriteSelectors } from "../matching/write-selectors.js";
import type { PolicyResult } from "./evaluate-policy.js";
import type { PolicyParams } from "./policy-params.js";

/** A write that policies are applied to. */
export interface PolicyWrite extends AdmissionWrite {
  /** Sends the client a warning. */
  warn(message: string): void;
  /** Sets an annotation of the audit event. */
  annotate(key: string, value: string): void;
}

/** The parts that the evaluation of policies needs. */
export interface PolicyDispatch<W extends PolicyWrite = PolicyWrite> {
  readonly selectors: WriteSelectors;
  readonly params: PolicyParams;
  /** Absent where nobody measures. */
  readonly observer?: PolicyObserver;
  expressionSource(write: W): ExpressionSource;
  /** Returns a namespace as made by `namespaceObjectOf`. Throws StatusError 404 when there is none of the name. */
  namespaceObject(namespace: string, signal: AbortSignal): MaybePromise<JsonObject>;
  /** Returns the objects of a write in a form. Throws StatusError when they cannot be converted. */
  versionedObjects(write: W, form: ServedForm): MaybePromise<VersionedObjects>;
  /** Evaluates the match conditions of a policy, with `conditions.match`, and measures them. */
  matchConditions(
    policy: string,
    conditions: MatchConditions,
    variables: AdmissionVariables,
    write: W,
  ): MaybePromise<MatchOutcome>;
  /** Measures conditions that have excluded a write without `matchConditions`. Absent where nobody measures. */
  readonly measureExclusion?: (policy: string, conditions: MatchConditions, write: W, seconds: number) => void;
  /** Returns the 403 for a write that is refused with a message. */
  refusal(write: W, message: string): StatusError;
}

/** A consequence of a decision, as metrics name it. */
export type EnforcementAction = "allow" | "deny" | "audit" | "warn";

/** A decision of a policy that had a consequence. */
export interface ObservedDecision {
  readonly policy: string;
  readonly binding: string;
  readonly action: EnforcementAction;
  /** The time that its expressions took. */
  readonly seconds: number;
}

/** The observer of the evaluation of policies. */
export interface PolicyObserver {
  decided(decision: ObservedDecision): void;
  /**
   * Called when a policy has been evaluated for a binding and one value of `params`: its match conditions do not exclude
   * the write. Absent where nobody needs all decisions.
   */
  evaluated?(policy: string, binding: string, result: PolicyResult): void;
}
