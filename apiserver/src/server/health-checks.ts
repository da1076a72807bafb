import { type HealthCheck, type HealthChecks, pingCheck } from "@gatehouse/component-base/health";
import type { MetricsRegistry } from "@gatehouse/component-base/metrics";
import type { Store } from "../storage/store.js";

/** The health checks that a server adds to those of any. */
export interface OwnHealthChecks {
  /** Checks behind `/livez`, `/readyz` and `/healthz`: the work of the start, v1.29's post-start hooks. */
  readonly startup?: readonly HealthCheck[];
  /** Checks of the storage behind `/readyz` and `/healthz`, but not `/livez`: a restart would not mend them. */
  readonly storage?: readonly HealthCheck[];
  /** Checks behind `/healthz` alone: failures that are no reason to restart the server, nor to keep requests from it. */
  readonly other?: readonly HealthCheck[];
}

/** Times in milliseconds after which the checks of the store fail; 2000 by default. */
export interface StoreCheckTimeouts {
  readonly healthMs: number;
  readonly readinessMs: number;
}

/** The sources of the health checks. */
export interface HealthSources extends OwnHealthChecks {
  readonly store: Pick<Store, "ping" | "condition">;
  readonly storeTimeouts?: StoreCheckTimeouts | undefined;
  /** The signal that aborts when the server begins to stop. */
  readonly stopping: AbortSignal;
}

/**
 * Returns the checks that v1.29 does not have. A full disk makes the server not ready; it is no reason to kill it,
 * since reads go on. Damaged data fail `/healthz` alone, for monitoring: one damaged object must not keep the others
 * from being served.
 */
function storeChecks(store: HealthSources["store"]): { readonly writes: HealthCheck; readonly integrity: HealthCheck } {
  const unlessSound = (problemOf: () => Error | undefined) => (): void => {
    const problem = problemOf();
    if (problem !== undefined) {
      throw problem;
    }
  };
  return {
    writes: { name: "store-writes", check: unlessSound(() => store.condition().writing) },
    integrity: { name: "store-integrity", check: unlessSound(() => store.condition().damage) },
  };
}

/**
 * Returns the checks behind `/livez`, `/readyz` and `/healthz`; each of their runs shows in `registry`
 * (`/metrics/slis`).
 */
export function healthChecks(sources: HealthSources, registry: MetricsRegistry): HealthChecks {
  const { store, storeTimeouts, stopping, startup = [], storage = [], other = [] } = sources;
  const log: HealthCheck = { name: "log", check() {} };
  const etcd: HealthCheck = { name: "etcd", check: () => store.ping(storeTimeouts?.healthMs) };
  const { writes, integrity } = storeChecks(store);
  const shutdown: HealthCheck = {
    name: "shutdown",
    check() {
      if (stopping.aborted) {
        throw new Error("process is shutting down");
      }
    },
  };
  const base = [pingCheck, log, etcd];
  const ready = [
    ...base,
    { name: "etcd-readiness", check: () => store.ping(storeTimeouts?.readinessMs) },
    ...storage,
    // A collection is read into memory when it is first asked for, and who asks waits for that.
    { name: "informer-sync", check() {} },
    ...startup,
    writes,
    shutdown,
  ];
  const observe = observer(registry);
  const live = [...base, ...startup];
  const whole = [...base, ...storage, ...startup, writes, integrity, ...other];
  return { livez: observe("livez", live), readyz: observe("readyz", ready), healthz: observe("healthz", whole) };
}

/** Counts the results of checks, under v1.29's names of the stable metrics for that. */
function observer(registry: MetricsRegistry): (type: string, checks: readonly HealthCheck[]) => readonly HealthCheck[] {
  const last = registry.gauge({
    name: "kubernetes_healthcheck",
    stability: "STABLE",
    help: "1 when the last run of a health check came out well, 0 when it did not.",
    labelNames: ["name", "type"],
  });
  const total = registry.counter({
    name: "kubernetes_healthchecks_total",
    stability: "STABLE",
    help: "Runs of health checks, by how they came out.",
    labelNames: ["name", "status", "type"],
  });
  return (type, checks) =>
    checks.map(({ name, check }) => ({
      name,
      async check() {
        try {
          await check();
        } catch (error) {
          last.labels({ name, type }).set(0);
          total.labels({ name, status: "error", type }).inc();
          throw error;
        }
        last.labels({ name, type }).set(1);
        total.labels({ name, status: "success", type }).inc();
      },
    }));
}
