import type { MayDo, PolicyParts, WebhookParts, WebhookSettings } from "@gatehouse/apiserver/admission";
import type { PendingCharges } from "../quota/pending-charges.js";

/** The dependencies of plugins. */
export interface PluginParts extends WebhookParts, PolicyParts {
  readonly mayDo: MayDo;
  readonly pendingCharges: PendingCharges;
  readonly features: { enabled(name: string): boolean };
  readonly settings: PluginSettings;
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
}

/** The settings of plugins that come from flags. */
export interface PluginSettings extends WebhookSettings {
  /** The value of `--default-not-ready-toleration-seconds`. */
  readonly notReadyTolerationSeconds: number;
  /** The value of `--default-unreachable-toleration-seconds`. */
  readonly unreachableTolerationSeconds: number;
}
