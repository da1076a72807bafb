import type { ControllerOptions } from "@gatehouse/apiserver/client";
import type { EnabledFeatures } from "@gatehouse/envelopes/features";

/** The options of the disruption controller. */
export interface DisruptionOptions extends ControllerOptions {
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
  readonly features: EnabledFeatures;
}
