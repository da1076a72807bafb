import type { MetricsRegistry } from "@gatehouse/component-base/metrics";
import type { MayDo } from "../admission/may-do.js";
import type { ObjectAccess } from "../admission/object-access.js";
import type { ObjectInterfaces } from "../admission/object-interfaces.js";
import type { AuthenticationMetrics } from "../authentication/authentication-metrics.js";
import type { RequestAuthenticator } from "../authentication/request-authenticator.js";
import type { Authorizer } from "../authorization/authorizer.js";
import type { ObjectSource } from "../authorization/object-source.js";
import type { ObjectClient } from "../client/object-client.js";
import type { RequestTerminations } from "../filters/request-terminations.js";
import type { FlowControl } from "../flow-control/index.js";
import type { ServerLog } from "../logs/server-log.js";
import type { FeatureGates } from "../options/feature-gates.js";
import type { LiveRegistry } from "../registry/live-registry.js";
import type { ResourceStorages } from "../registry/resource-storages.js";
import type { MaybePromise } from "../request/handler.js";
import type { Store } from "../storage/store.js";
import type { WatchEnds } from "../verbs/reading/watch-ends.js";
import type { VerbEnvironment } from "../verbs/verb-environment.js";
import type { Closers } from "./closers.js";
import type { OpenServingCertificates } from "./serving-certificates.js";

/** A thing handed to the server: itself, or a function that makes it of parts of the server. */
export type Given<T, P = ServerParts> = T | ((parts: P) => MaybePromise<T>);

/** Resolves to a thing handed in. Such things are objects and lists, so that a function is always a maker. */
export async function resolveGiven<T extends object, P>(
  given: Given<T, P> | undefined,
  parts: P,
): Promise<T | undefined> {
  return typeof given === "function" ? await (given as (parts: P) => MaybePromise<T>)(parts) : given;
}

/** The parts of a server that exist before it decides about any request. */
export interface ServerParts {
  readonly store: Store;
  readonly storages: ResourceStorages;
  /** The resources that are served now. */
  readonly liveRegistry: LiveRegistry;
  /** Views of the objects of this server, read from caches. Views that are made during the start are filled by its end. */
  readonly objects: ObjectAccess;
  /** The objects of this server for followers that index all of them. */
  readonly objectSource: ObjectSource;
  /** Returns the client that writes in the name of the server. To be called when the server has started. */
  readonly client: () => ObjectClient;
  readonly certificates: OpenServingCertificates;
  /** Returns the port. To be called when the server has started. */
  readonly port: () => number;
  readonly features: FeatureGates;
  /** Priority and fairness; undefined where reads and writes have a limit each. */
  readonly flowControl: FlowControl | undefined;
  /** Reports whether the counts of requests are sound that the limits of reads and writes compare with. */
  readonly areRequestCountsSound: () => boolean;
  /** The metrics of `/metrics`. */
  readonly metrics: MetricsRegistry;
  /** Counts the requests that the server refuses or gives up to protect itself. */
  readonly terminations: RequestTerminations;
  readonly log: ServerLog;
  /** Logs an error of the server that no request can answer any more. */
  readonly reportFault: (error: unknown) => void;
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
  /** The signal that aborts when the server is asked to stop, before it ends what it serves: controllers end then. */
  readonly shuttingDown: AbortSignal;
  /** The signal that aborts when requests are not served any longer. */
  readonly signal: AbortSignal;
  /** The watches under way. */
  readonly watchEnds: WatchEnds;
  /** Takes what must be closed at the end, after all that was opened later. */
  readonly closers: Closers;
}

/** The parts that authenticators are made of. */
export interface AuthenticatorParts extends ServerParts {
  readonly authenticationMetrics: AuthenticationMetrics;
}

/** The parts that admission plugins are made of. */
export interface AdmissionParts extends ServerParts {
  /** The forms in which this server serves objects. */
  readonly forms: ObjectInterfaces;
  /** The authorizer of the server, whatever it decides and however long that takes. */
  readonly authorizer: Authorizer;
  /** Asks whether a user may do something other than the request. */
  readonly mayDo: MayDo;
}

/** The parts that handlers of kinds and further routes are made of. */
export interface HandlerParts extends AuthenticatorParts {
  readonly authorizer: Required<Authorizer>;
  readonly authenticator: RequestAuthenticator;
  readonly environment: VerbEnvironment;
}
