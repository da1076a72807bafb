import type { AdmissionChain } from "../admission/admission-chain.js";
import type { AuditRecorder } from "../audit/audit-recorder.js";
import { recordOwnWrites } from "../audit/own-write-audit.js";
import type { RequestMetrics } from "../filters/request-metrics.js";
import type { Privileges } from "../registry/privileges.js";
import { expressionMetrics } from "../request/expression-metrics.js";
import type { VerbEnvironment } from "../verbs/verb-environment.js";
import type { ServerParts } from "./server-parts.js";

/** The limits and switches of verb handlers; all have defaults, those of v1.29's flags. */
export type VerbSettings = Partial<
  Pick<
    VerbEnvironment,
    | "allowPrivileged"
    | "deleteCollectionWorkers"
    | "eventTtlSeconds"
    | "garbageCollection"
    | "minRequestTimeoutMs"
    | "podTermination"
  >
>;

const defaultSettings: Required<VerbSettings> = {
  allowPrivileged: false,
  deleteCollectionWorkers: 1,
  eventTtlSeconds: 3600,
  // Nothing removes the finalizers of waiting deletions before a garbage collector is among the controllers.
  garbageCollection: false,
  minRequestTimeoutMs: 1_800_000,
  podTermination: "graceful",
};

/** The parts that verb handlers are wired to besides those of any server. */
interface VerbEnvironmentParts extends Pick<VerbEnvironment, "defaulting"> {
  readonly server: ServerParts;
  readonly admission: AdmissionChain;
  readonly privileges: Privileges;
  readonly metrics: RequestMetrics;
  readonly audit: AuditRecorder | undefined;
}

/** Wires the verb handlers to the parts of the server, and to its settings. */
export function verbEnvironment(
  settings: VerbSettings,
  { server, admission, privileges, defaulting, metrics, audit }: VerbEnvironmentParts,
): VerbEnvironment {
  const { liveRegistry, store, features, now, signal, watchEnds, reportFault } = server;
  const registry = server.metrics;
  return {
    ...defaultSettings,
    ...settings,
    liveRegistry,
    admission,
    privileges,
    defaulting,
    now,
    features,
    watchEnds,
    stopping: signal,
    metrics,
    expressionMetrics: expressionMetrics(registry),
    recordOwnWrite: audit && recordOwnWrites(audit),
    reportFault,
    storeHealthy: () =>
      store.ping().then(
        () => true,
        () => false,
      ),
  };
}
