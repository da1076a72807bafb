import type { OwnHealthChecks } from "@gatehouse/apiserver/server";
import type { HealthCheck } from "@gatehouse/component-base/health";

/** The sources of the health checks of the control plane. */
export interface HealthSources {
  /** Reports whether the roles and bindings of every cluster exist; undefined without RBAC. */
  readonly rolesReady: (() => boolean) | undefined;
  /** Reports whether the namespaces of every cluster exist, or no controller makes them. */
  readonly namespacesReady: () => boolean;
  /** Reports whether the flow schemas and priority levels of every cluster exist, or no controller makes them. */
  readonly flowControlReady: () => boolean;
  /** True if requests are limited by priority and fairness. */
  readonly fairness: boolean;
  /** True if this server keeps an identity lease. */
  readonly hasIdentityLease: boolean;
  /** Issuers of identity tokens, each with the reason why it cannot be asked now; undefined for none. */
  readonly issuers: readonly { readonly issuerUrl: string; readonly problem: Error | undefined }[];
}

/** Names of checks that fail for a moment after the port has opened, when the store is new. */
const bootstrapRolesHook = "poststarthook/rbac/bootstrap-roles";
const identityLeaseHooks = [
  "poststarthook/start-kube-apiserver-identity-lease-controller",
  "poststarthook/start-kube-apiserver-identity-lease-garbage-collector",
];
const configProducerHook = "poststarthook/priority-and-fairness-config-producer";
const fairnessHooks = [
  "poststarthook/priority-and-fairness-config-consumer",
  "poststarthook/priority-and-fairness-filter",
];
const maxInflightHook = "poststarthook/max-in-flight-filter";
const systemNamespacesHook = "poststarthook/start-system-namespaces-controller";

/**
 * Names of v1.29's checks whose work this server has done before its first request, in the order in which it shows
 * them, each with its equivalent here.
 */
const doneAtStart: readonly string[] = [
  // The admission chain is put together before the port opens.
  "poststarthook/start-kube-apiserver-admission-initializer",
  // One feed of changes for all collections, opened with the store.
  "poststarthook/generic-apiserver-start-informers",
  // The configuration objects are followed, and requests are limited.
  ...fairnessHooks,
  maxInflightHook,
  // Objects are counted in memory when metrics are read.
  "poststarthook/storage-object-count-tracker-hook",
  // The definitions of custom resources are known and served, and their controllers run.
  "poststarthook/start-apiextensions-informers",
  "poststarthook/start-apiextensions-controllers",
  "poststarthook/crd-informer-synced",
  // Addresses and ports of Services have been repaired once.
  "poststarthook/start-service-ip-repair-controllers",
  // Controllers of this process: the priority classes of the system, flow schemas and levels, its namespaces, the Service and Endpoints "kubernetes".
  bootstrapRolesHook,
  "poststarthook/scheduling/bootstrap-system-priority-classes",
  configProducerHook,
  systemNamespacesHook,
  "poststarthook/bootstrap-controller",
  // More of them: what others are to believe of clients, and since when old tokens are looked for.
  "poststarthook/start-cluster-authentication-info-controller",
  ...identityLeaseHooks,
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

/** Returns the checks of the control plane, with v1.29's names and in its order. */
export function controlPlaneChecks(sources: HealthSources): OwnHealthChecks {
  const { rolesReady, namespacesReady, flowControlReady, fairness, hasIdentityLease, issuers } = sources;
  const finishing = new Map([
    [bootstrapRolesHook, rolesReady],
    [systemNamespacesHook, namespacesReady],
    [configProducerHook, flowControlReady],
  ]);
  return {
    startup: doneAtStart
      .filter((name) => name !== bootstrapRolesHook || rolesReady !== undefined)
      .filter((name) => !(fairness ? [maxInflightHook] : fairnessHooks).includes(name))
      .filter((name) => hasIdentityLease || !identityLeaseHooks.includes(name))
      .map((name) => ({ name, check: () => refuseWhen(finishing.get(name)?.() === false, "not finished") })),
    other: issuers.length === 0 ? [] : [issuersCheck(issuers)],
  };
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
