import type { auditV1 } from "@gatehouse/envelopes/types";
import type { PolicyOutcome } from "../policies/policy-outcome.js";
import type { RecordedVerdict } from "./recorded-verdict.js";

/** The result of one event. */
export type ReplayedEvent =
  /** The event is about no write that the policies name. */
  | { readonly kind: "unconcerned" }
  /** The event lacks what the policies need. */
  | { readonly kind: "unjudged"; readonly why: string }
  | {
      readonly kind: "judged";
      readonly event: auditV1.Event;
      readonly recorded: Exclude<RecordedVerdict, { readonly kind: "refused" }>;
      readonly outcome: PolicyOutcome;
    };
