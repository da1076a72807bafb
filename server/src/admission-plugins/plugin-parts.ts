import type { AdmissionPlugin, MayDo, WebhookParts, WebhookSettings } from "@gatehouse/apiserver/admission";
import type { MaybePromise } from "@gatehouse/apiserver/request";
import type { PendingCharges } from "../quota/pending-charges.js";

/** What plugins rest on. */
export interface PluginParts extends WebhookParts {
  readonly mayDo: MayDo;
  readonly pendingCharges: PendingCharges;
  readonly features: { enabled(name: string): boolean };
  readonly settings: PluginSettings;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Logs an error of ours that no request can answer any more. */
  readonly reportFault: (error: unknown) => void;
}

/** What flags say to plugins. */
export interface PluginSettings extends WebhookSettings {
  /** `--default-not-ready-toleration-seconds`. */
  readonly notReadyTolerationSeconds: number;
  /** `--default-unreachable-toleration-seconds`. */
  readonly unreachableTolerationSeconds: number;
}

/** Makes a plugin. Throws ConfigurationError when it cannot be configured so. What it holds ends with `parts.signal`. */
export type MakePlugin = (parts: PluginParts) => MaybePromise<AdmissionPlugin>;
