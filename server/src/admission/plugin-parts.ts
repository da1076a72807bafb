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

/** The dependencies of plugins. */
export interface PluginParts {
  readonly objects: ObjectAccess;
  readonly forms: ObjectForms;
  /** Resolves the addresses of services in the cluster. */
  readonly serviceAddresses: ServiceAddresses;
  /** Remembers a write that went on though a webhook could not be asked about it. */
  readonly failedOpen: (entry: FailedOpen) => void;
  readonly mayDo: MayDo;
  readonly pendingCharges: PendingCharges;
  readonly features: { enabled(name: string): boolean };
  readonly settings: PluginSettings;
  /** The configuration of this plugin from the AdmissionConfiguration; undefined for none. */
  readonly configuration: ConfigDocument | undefined;
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
  readonly metrics: MetricsRegistry;
  /** The signal that aborts when the server stops. */
  readonly signal: AbortSignal;
  /** Logs an error of the server that no request can answer any more. */
  readonly reportFault: (error: unknown) => void;
}

/** The settings of plugins that come from flags. */
export interface PluginSettings {
  /** The value of `--default-not-ready-toleration-seconds`. */
  readonly notReadyTolerationSeconds: number;
  /** The value of `--default-unreachable-toleration-seconds`. */
  readonly unreachableTolerationSeconds: number;
  /** The value of `--admission-webhook-deadline-budget`. */
  readonly webhookDeadlineBudget: boolean;
  /** The value of `--admission-webhook-breaker`. */
  readonly webhookBreaker: boolean;
}

/** Asks the authorizer, whatever it is. Rejects when it fails. */
export type MayDo = (access: Access) => MaybePromise<{ readonly isAllowed: boolean; readonly reason: string }>;

/** An action of a user that an authorizer is asked about. */
export interface Access extends GroupResource {
  readonly user: UserInfo;
  readonly verb: string;
  /** The API version; absent for any. */
  readonly version?: string;
  readonly subresource?: string;
  /** The namespace; empty or absent for cluster-scoped objects. */
  readonly namespace?: string;
  /** The name of the object; empty or absent for all objects. */
  readonly name?: string;
}

/**
 * Makes a plugin, whose resources are released when `parts.signal` aborts. Throws ConfigurationError for a bad
 * configuration.
 */
export type MakePlugin = (parts: PluginParts) => MaybePromise<AdmissionPlugin>;
