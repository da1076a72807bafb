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
  /** Reports whether the ServiceCIDR of every cluster exists; undefined where addresses are kept without such objects. */
  readonly defaultCidrReady: (() => boolean) | undefined;
  /** Reports for each part whether its work is done and still stands. */
  readonly parts: Readonly<Record<HookPart, () => boolean>>;
  /** True if requests are limited by priority and fairness. */
  readonly fairness: boolean;
  /** True if this server keeps an identity lease. */
  readonly hasIdentityLease: boolean;
  /** Reports whether there is a certificate by which other servers know this one; undefined where none is configured. */
  readonly hasProxyCertificate: (() => boolean) | undefined;
  /** Reports whether all storage versions have been registered; undefined where servers do not tell each other of them. */
  readonly storageVersionsReady: (() => boolean) | undefined;
  /** The other API servers of the cluster; undefined where they are not called. */
  readonly peers: PeerSources | undefined;
  /** Issuers of identity tokens, each with the reason why it cannot be asked now; undefined for none. */
  readonly issuers: readonly { readonly issuerUrl: string; readonly problem: Error | undefined }[];
}

/** The sources of the checks of other API servers. */
export interface PeerSources {
  /** Reports whether requests may be passed on to them; undefined where none are. */
  readonly isReady: (() => boolean) | undefined;
}

/** Names of checks that depend on the configuration, or that fail for a moment when the store is new. */
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
const proxyCertificateHook = "poststarthook/aggregator-reload-proxy-client-cert";
const storageVersionHook = "poststarthook/built-in-resources-storage-version-updater";
const peerEndpointHook = "poststarthook/peer-endpoint-reconciler-controller";
const peerFilterHook = "poststarthook/unknown-version-proxy-filter";
const defaultCidrHook = "poststarthook/start-kubernetes-service-cidr-controller";
const systemNamespacesHook = "poststarthook/start-system-namespaces-controller";

/** A part of the server whose state a check tells, in the form of a question that is answered with each check. */
export type HookPart = "feed" | "caches" | "fairness" | "limits" | "counts" | "definitions" | "ranges" | "controllers";

/**
 * Names of v1.29's checks in the order in which it shows them, each with the part of this server that does its work. A
 * check without a part has a source of its own.
 */
const hooks: readonly (readonly [name: string, part: HookPart | undefined])[] = [
  // Admission reads from caches, which must be filled.
  ["poststarthook/start-kube-apiserver-admission-initializer", "caches"],
  // One feed of changes for all collections, opened with the store.
  ["poststarthook/generic-apiserver-start-informers", "feed"],
  // The configuration objects are followed, and requests are limited.
  ...fairnessHooks.map((name) => [name, "fairness"] as const),
  // Limits of reads and writes hold only while requests are counted rightly.
  [maxInflightHook, "limits"],
  ["poststarthook/storage-object-count-tracker-hook", "counts"],
  // The definitions of custom resources are known, and their controllers run.
  ["poststarthook/start-apiextensions-informers", "definitions"],
  ["poststarthook/start-apiextensions-controllers", "controllers"],
  ["poststarthook/crd-informer-synced", "definitions"],
  // Addresses and ports of Services have been repaired once.
  ["poststarthook/start-service-ip-repair-controllers", "ranges"],
  // What controllers make: roles, priority classes, flow schemas and levels, namespaces, the Service "kubernetes".
  [bootstrapRolesHook, undefined],
  ["poststarthook/scheduling/bootstrap-system-priority-classes", "controllers"],
  [configProducerHook, undefined],
  [systemNamespacesHook, undefined],
  ["poststarthook/bootstrap-controller", "controllers"],
  // Other API servers of the cluster are told where this one is, and it knows what they serve.
  [peerEndpointHook, "controllers"],
  [peerFilterHook, undefined],
  [defaultCidrHook, undefined],
  ["poststarthook/start-cluster-authentication-info-controller", "controllers"],
  ...identityLeaseHooks.map((name) => [name, "controllers"] as const),
  ["poststarthook/start-legacy-token-tracking-controller", "controllers"],
  // The certificate for servers behind this one is there, and its files are followed.
  [proxyCertificateHook, undefined],
  // The groups that are served are known from the start, and a controller writes them down.
  ["poststarthook/start-kube-aggregator-informers", "feed"],
  ["poststarthook/apiservice-registration-controller", "controllers"],
  ["poststarthook/apiservice-status-available-controller", "controllers"],
  // Other servers know in which versions this one stores its resources.
  [storageVersionHook, undefined],
  ["poststarthook/kube-apiserver-autoregistration", "controllers"],
  ["autoregister-completion", "controllers"],
  // Their documents are made of what is served when they are first read.
  ["poststarthook/apiservice-openapi-controller", "definitions"],
  ["poststarthook/apiservice-openapiv3-controller", "definitions"],
  ["poststarthook/apiservice-discovery-controller", "definitions"],
];

/** Returns the checks of the control plane, with v1.29's names and in its order. */
export function controlPlaneChecks(sources: HealthSources): OwnHealthChecks {
  const { fairness, hasIdentityLease, issuers, parts } = sources;
  const ownSources = new Map([
    [bootstrapRolesHook, sources.rolesReady],
    [systemNamespacesHook, sources.namespacesReady],
    [defaultCidrHook, sources.defaultCidrReady],
    [configProducerHook, sources.flowControlReady],
    [proxyCertificateHook, sources.hasProxyCertificate],
    [storageVersionHook, sources.storageVersionsReady],
    [peerFilterHook, sources.peers?.isReady],
  ]);
  return {
    startup: hooks
      .filter(([name, part]) => part !== undefined || ownSources.get(name) !== undefined)
      .filter(([name]) => !(fairness ? [maxInflightHook] : fairnessHooks).includes(name))
      .filter(([name]) => sources.peers !== undefined || name !== peerEndpointHook)
      .filter(([name]) => hasIdentityLease || !identityLeaseHooks.includes(name))
      .map(([name, part]) => {
        const isDone = part === undefined ? ownSources.get(name) : parts[part];
        return { name, check: () => refuseWhen(isDone?.() === false, "not finished") };
      }),
    other: issuers.length === 0 ? [] : [issuersCheck(issuers)],
  };
}

/**
 * Returns the check of issuers, which stands aside of `/healthz`: a failed issuer is no reason to stop a server, or to send
 * nobody to it, that serves all other users, and those whose keys are known. v1.29 does not look at issuers.
 */
function issuersCheck(issuers: HealthSources["issuers"]): HealthCheck {
  return {
    name: "oidc-issuers",
    isAside: true,
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
