import { type HealthCheck, type HealthChecks, pingCheck } from "@gatehouse/component-base/health";
import { standardErrorProblem } from "@gatehouse/component-base/logs";
import type { MetricsRegistry } from "@gatehouse/component-base/metrics";
import type { ResourceStorages } from "../registry/resource-storages.js";
import type { Store } from "../storage/store.js";

/** The health checks that a server adds to those of any. */
export interface OwnHealthChecks {
  /** Checks behind `/livez`, `/readyz` and `/healthz`: the work of the start, v1.29's post-start hooks. */
  readonly startup?: readonly HealthCheck[];
  /** Checks of the storage behind `/readyz` and `/healthz`, but not `/livez`: a restart would not mend them. */
  readonly storage?: readonly HealthCheck[];
  /** Checks behind `/readyz` alone: the server is sound, and waits for something. */
  readonly ready?: readonly HealthCheck[];
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
  /** The caches of the server. */
  readonly storages: Pick<ResourceStorages, "lost">;
  /** Returns the reason why the log cannot be written; that of standard error when absent. */
  readonly logProblem?: () => Error | undefined;
  /** The signal that aborts when the server is asked to stop. */
  readonly shuttingDown: AbortSignal;
  /** The time in milliseconds after the start in which `/livez` answers well, whatever its checks say. */
  readonly livezGraceMs: number;
}

/** Returns a check that throws the problem of something, if it has one. */
function unlessSound(problemOf: () => Error | undefined): () => void {
  return () => {
    const problem = problemOf();
    if (problem !== undefined) {
      throw problem;
    }
  };
}

/**
 * Returns the checks that v1.29 does not have. A full disk makes the server not ready; it is no reason to kill it,
 * since reads go on. Damaged data fail `/healthz` alone, for monitoring: one damaged object must not keep the others
 * from being served.
 */
function storeChecks(store: HealthSources["store"]): { readonly writes: HealthCheck; readonly integrity: HealthCheck } {
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
  const {
    store,
    storeTimeouts,
    shuttingDown,
    livezGraceMs,
    startup = [],
    storage = [],
    ready: waiting = [],
    other = [],
  } = sources;
  const { storages, logProblem = standardErrorProblem } = sources;
  const log: HealthCheck = { name: "log", check: unlessSound(logProblem) };
  const etcd: HealthCheck = { name: "etcd", check: () => store.ping(storeTimeouts?.healthMs) };
  const { writes, integrity } = storeChecks(store);
  const shutdown: HealthCheck = {
    name: "shutdown",
    check() {
      if (shuttingDown.aborted) {
        throw new Error("process is shutting down");
      }
    },
  };
  const base = [pingCheck, log, etcd];
  const ready = [
    ...base,
    { name: "etcd-readiness", check: () => store.ping(storeTimeouts?.readinessMs) },
    ...storage,
    // A collection is read into memory when it is first asked for; one that was read once must stay there.
    {
      name: "informer-sync",
      check() {
        const lost = storages.lost();
        if (lost.length > 0) {
          throw new Error(`caches are not filled: ${lost.join(", ")}`);
        }
      },
    },
    ...startup,
    ...waiting,
    writes,
    shutdown,
  ];
  const observe = observer(registry);
  const graceEndMs = performance.now() + livezGraceMs;
  const live = [...base, ...startup].map((check) => (livezGraceMs === 0 ? check : afterGrace(check, graceEndMs)));
  const whole = [...base, ...storage, ...startup, writes, integrity, ...other];
  return { livez: observe("livez", live), readyz: observe("readyz", ready), healthz: observe("healthz", whole) };
}

/** Returns a check that succeeds until a time on the clock of `performance.now`, and is asked afterwards. */
function afterGrace({ check, ...rest }: HealthCheck, graceEndMs: number): HealthCheck {
  return { ...rest, check: () => (performance.now() < graceEndMs ? undefined : check()) };
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
    checks.map(({ name, check, ...rest }) => ({
      ...rest,
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
