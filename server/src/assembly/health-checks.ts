import type { Store } from "@gatehouse/apiserver/storage";
import { type HealthCheck, type HealthChecks, pingCheck } from "@gatehouse/component-base/health";
import type { MetricsRegistry } from "@gatehouse/component-base/metrics";

/** The sources of the health checks. */
export interface HealthSources {
  readonly store: Pick<Store, "ping" | "condition">;
  /** Reports whether the roles and bindings of every cluster exist; undefined without RBAC. */
  readonly rolesReady: (() => boolean) | undefined;
  /** Reports whether the namespaces of every cluster exist, or no controller makes them. */
  readonly namespacesReady: () => boolean;
  /** The signal that aborts when the server begins to stop. */
  readonly stopping: AbortSignal;
  /** Issuers of identity tokens, each with the reason why it cannot be asked now; undefined for none. */
  readonly issuers: readonly { readonly issuerUrl: string; readonly problem: Error | undefined }[];
}

/** Names of checks that fail for a moment after the port has opened, when the store is new. */
const bootstrapRolesHook = "poststarthook/rbac/bootstrap-roles";
const systemNamespacesHook = "poststarthook/start-system-namespaces-controller";

/**
 * Names of v1.29's checks whose work this server has done before its first request, in the order in which it shows
 * them, each with its equivalent here. Names without one are left out: flow control and identity leases.
 */
const doneAtStart: readonly string[] = [
  // The admission chain is put together before the port opens.
  "poststarthook/start-kube-apiserver-admission-initializer",
  // One feed of changes for all collections, opened with the store.
  "poststarthook/generic-apiserver-start-informers",
  // Objects are counted in memory when metrics are read.
  "poststarthook/storage-object-count-tracker-hook",
  // The definitions of custom resources are known and served, and their controllers run.
  "poststarthook/start-apiextensions-informers",
  "poststarthook/start-apiextensions-controllers",
  "poststarthook/crd-informer-synced",
  // Addresses and ports of Services have been repaired once.
  "poststarthook/start-service-ip-repair-controllers",
  // Controllers of this process: the priority classes of the system, its namespaces, the Service and Endpoints "kubernetes".
  bootstrapRolesHook,
  "poststarthook/scheduling/bootstrap-system-priority-classes",
  systemNamespacesHook,
  "poststarthook/bootstrap-controller",
  // More of them: what others are to believe of clients, and since when old tokens are looked for.
  "poststarthook/start-cluster-authentication-info-controller",
  "poststarthook/start-legacy-token-tracking-controller",
  // The groups that are served are known from the start; none has to be registered, found or watched elsewhere.
  "poststarthook/start-kube-aggregator-informers",
  "poststarthook/apiservice-registration-controller",
  "poststarthook/apiservice-status-available-controller",
  "poststarthook/kube-apiserver-autoregistration",
  "autoregister-completion",
  // Their documents are made from the same table when they are first read.
  "poststarthook/apiservice-openapi-controller",
  "poststarthook/apiservice-openapiv3-controller",
  "poststarthook/apiservice-discovery-controller",
];

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
  const { store, stopping, rolesReady, namespacesReady, issuers } = sources;
  const log: HealthCheck = { name: "log", check() {} };
  const etcd: HealthCheck = { name: "etcd", check: () => store.ping() };
  const finishing = new Map([
    [bootstrapRolesHook, rolesReady],
    [systemNamespacesHook, namespacesReady],
  ]);
  const hooks = doneAtStart
    .filter((name) => name !== bootstrapRolesHook || rolesReady !== undefined)
    .map((name): HealthCheck => ({ name, check: () => refuseWhen(finishing.get(name)?.() === false, "not finished") }));
  const { writes, integrity } = storeChecks(store);
  const live = [pingCheck, log, etcd, ...hooks];
  const ready = [
    pingCheck,
    log,
    etcd,
    { name: "etcd-readiness", check: () => store.ping() },
    // A collection is read into memory when it is first asked for, and who asks waits for that.
    { name: "informer-sync", check() {} },
    ...hooks,
    writes,
    { name: "shutdown", check: () => refuseWhen(stopping.aborted, "process is shutting down") },
  ];
  const observe = observer(registry);
  const whole = [...live, writes, integrity, ...(issuers.length === 0 ? [] : [issuersCheck(issuers)])];
  return { livez: observe("livez", live), readyz: observe("readyz", ready), healthz: observe("healthz", whole) };
}

/**
 * Returns the check of issuers, which is part of `/healthz` alone: a failed issuer is no reason to stop a server that
 * serves all other users, and those whose keys are known.
 */
function issuersCheck(issuers: HealthSources["issuers"]): HealthCheck {
  return {
    name: "oidc-issuers",
    check() {
      const down = issuers.filter(({ problem }) => problem !== undefined);
      const told = down.map(({ issuerUrl, problem }) => `${issuerUrl}: ${problem?.message ?? ""}`);
      refuseWhen(down.length > 0, told.join("; "));
    },
  };
}

function refuseWhen(holds: boolean, reason: string): void {
  if (holds) {
    throw new Error(reason);
  }
}

/** Counts the results of checks, under v1.29's names of the stable metrics for that. */
function observer(registry: MetricsRegistry): (type: string, checks: readonly HealthCheck[]) => readonly HealthCheck[] {
  const last = registry.gauge({
    name: "kubernetes_healthcheck",
    help: "1 when the last run of a health check came out well, 0 when it did not.",
    labelNames: ["name", "type"],
  });
  const total = registry.counter({
    name: "kubernetes_healthchecks_total",
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
