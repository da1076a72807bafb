import type { ConfigDocument, MetricsRegistry } from "@gatehouse/component-base";
import type { GroupResource } from "@gatehouse/envelopes";
import type { PendingCharges } from "../quota/pending-charges.js";
import type { MaybePromise } from "../request/handler.js";
import type { UserInfo } from "../request/user-info.js";
import type { AdmissionPlugin } from "./admission-plugin.js";
import type { ObjectAccess } from "./object-access.js";
import type { ObjectForms } from "./object-forms.js";
import type { FailedOpen } from "./webhooks/failed-open.js";
import type { ServiceAddresses } from "./webhooks/webhook-client.js";

/** What plugins rest on. */
export interface PluginParts {
  readonly objects: ObjectAccess;
  readonly forms: ObjectForms;
  /** Where services of the cluster are reached. */
  readonly serviceAddresses: ServiceAddresses;
  /** Remembers a write that went on though a webhook could not be asked about it. */
  readonly failedOpen: (entry: FailedOpen) => void;
  readonly mayDo: MayDo;
  readonly pendingCharges: PendingCharges;
  readonly features: { enabled(name: string): boolean };
  readonly settings: PluginSettings;
  /** What the AdmissionConfiguration has for this plugin. */
  readonly configuration: ConfigDocument | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly metrics: MetricsRegistry;
  /** Aborts when the server stops. */
  readonly signal: AbortSignal;
  /** Logs an error of ours that no request can answer any more. */
  readonly reportFault: (error: unknown) => void;
}

/** What flags say to plugins. */
export interface PluginSettings {
  /** `--default-not-ready-toleration-seconds`. */
  readonly notReadyTolerationSeconds: number;
  /** `--default-unreachable-toleration-seconds`. */
  readonly unreachableTolerationSeconds: number;
  /** `--admission-webhook-deadline-budget`. */
  readonly webhookDeadlineBudget: boolean;
  /** `--admission-webhook-breaker`. */
  readonly webhookBreaker: boolean;
}

/** Asks the authorizer, whatever it is. Rejects when it fails. */
export type MayDo = (access: Access) => MaybePromise<{ readonly isAllowed: boolean; readonly reason: string }>;

/** Something that a user may or may not do. */
export interface Access extends GroupResource {
  readonly user: UserInfo;
  readonly verb: string;
  /** Any version when absent. */
  readonly version?: string;
  readonly subresource?: string;
  /** Empty for objects that are in none. */
  readonly namespace?: string;
  /** Empty for all of them. */
  readonly name?: string;
}

/** Makes a plugin. Throws ConfigurationError when it cannot be configured so. What it holds ends with `parts.signal`. */
export type MakePlugin = (parts: PluginParts) => MaybePromise<AdmissionPlugin>;
