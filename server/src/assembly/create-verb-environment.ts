import type { AdmissionChain } from "@gatehouse/apiserver/admission";
import { type AuditRecorder, recordOwnWrites } from "@gatehouse/apiserver/audit";
import type { RequestMetrics } from "@gatehouse/apiserver/filters";
import type { ServerLog } from "@gatehouse/apiserver/logs";
import type { Privileges } from "@gatehouse/apiserver/registry";
import type { VerbEnvironment } from "@gatehouse/apiserver/verbs";
import type { Defaulting } from "@gatehouse/envelopes/defaults";
import type { ServerConfig } from "../options/server-config.js";
import type { StoragePart } from "./storage-part.js";

/** The parts that verb handlers are wired to. */
interface VerbEnvironmentParts {
  readonly storage: StoragePart;
  readonly admission: AdmissionChain;
  readonly privileges: Privileges;
  readonly defaulting: Defaulting;
  readonly metrics: RequestMetrics;
  readonly log: ServerLog;
  readonly stopping: AbortSignal;
  readonly audit: AuditRecorder | undefined;
}

/** Wires the verb handlers to the parts of the server, and to the limits of its configuration. */
export function verbEnvironment(
  config: ServerConfig,
  {
    storage: { liveRegistry, store },
    admission,
    privileges,
    defaulting,
    metrics,
    log,
    stopping,
    audit,
  }: VerbEnvironmentParts,
): VerbEnvironment {
  return {
    liveRegistry,
    admission,
    privileges,
    defaulting,
    now: Date.now,
    eventTtlSeconds: config.eventTtlSeconds,
    features: config.featureGates,
    allowPrivileged: config.allowPrivileged,
    minRequestTimeoutMs: config.minRequestTimeoutMs,
    deleteCollectionWorkers: config.deleteCollectionWorkers,
    garbageCollection: config.garbageCollection,
    podTermination: config.podTermination,
    stopping,
    metrics,
    recordOwnWrite: audit && recordOwnWrites(audit),
    reportFault: (error) => log.fault(error),
    storeHealthy: () =>
      store.ping().then(
        () => true,
        () => false,
      ),
  };
}
