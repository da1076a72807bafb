import { setMaxListeners } from "node:events";
import { readFile } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import {
  type Controller,
  InProcessObjectClient,
  type ObjectClient,
  type QueueClock,
  runController,
  type WorkQueueMetrics,
} from "@gatehouse/apiserver/client";
import { firstAddress, hostAndPort } from "@gatehouse/apiserver/options";
import type { RegistrySource } from "@gatehouse/apiserver/registry";
import type { Store } from "@gatehouse/apiserver/storage";
import type { VerbEnvironment } from "@gatehouse/apiserver/verbs";
import {
  definitionApiApproval,
  definitionEstablishing,
  definitionFinalizing,
  definitionNaming,
  definitionNonStructuralSchema,
} from "@gatehouse/custom-resources/controllers";
import type { Aggregation } from "../aggregation/open-aggregation.js";
import type { ActingController } from "../aggregation/remote-requests.js";
import { apiServerControllers, type ControllerName } from "../options/controller-names.js";
import { selectControllers } from "../options/controller-selection.js";
import type { ElectionTimes } from "../options/leader-election.js";
import type { ServerConfig } from "../options/server-config.js";
import type { PendingCharges } from "../quota/pending-charges.js";
import type { TokenSigner } from "../service-accounts/token-signer.js";
import { apiServiceAvailability } from "./api-services/availability/availability.js";
import { apiServiceRegistration } from "./api-services/registration.js";
import type { RankedGroup } from "./api-services/wanted-api-service.js";
import { bootstrapRoles } from "./bootstrap-roles/bootstrap-roles.js";
import { certificateSigning } from "./certificate-signing/certificate-signing.js";
import { type ClusterAuthenticationInfo, clusterAuthenticationInfo } from "./cluster-authentication-info.js";
import { disruption } from "./disruption/disruption.js";
import { bootstrapConfiguration, configProducer } from "./flow-control/bootstrap-configuration.js";
import { danglingReferences } from "./flow-control/dangling-references.js";
import { garbageCollector } from "./garbage-collector/garbage-collector.js";
import { identityLease, identityLeaseCollection } from "./identity-leases.js";
import { kubernetesService } from "./kubernetes-service/kubernetes-service.js";
import { storeServerLeases } from "./kubernetes-service/server-leases.js";
import { runningWhile } from "./leadership/condition.js";
import { withoutControllerManager } from "./leadership/controller-manager-lease.js";
import { LeaderElection } from "./leadership/leader-election.js";
import { namespaceDeletion } from "./namespaces/namespace-deletion.js";
import { systemNamespaces } from "./namespaces/system-namespaces.js";
import { type PeerEndpointOptions, peerEndpoint } from "./peers/peer-endpoint.js";
import { podGarbageCollector } from "./pod-garbage-collector.js";
import { policyTypeChecking } from "./policy-type-checking/policy-type-checking.js";
import { resourceQuota } from "./resource-quota/resource-quota.js";
import { roleAggregation } from "./role-aggregation/role-aggregation.js";
import { defaultServiceAccount } from "./service-accounts/default-service-account.js";
import { legacyTokenTracking } from "./service-accounts/legacy-token-tracking.js";
import { rootCaPublisher } from "./service-accounts/root-ca-publisher.js";
import { serviceAccountTokens } from "./service-accounts/service-account-tokens.js";
import { addressRepair } from "./service-cidrs/address-repair.js";
import { defaultServiceCidr } from "./service-cidrs/default-service-cidr.js";
import { serviceCidrProtection } from "./service-cidrs/service-cidr-protection.js";
import { claimProtection } from "./storage-protection/claim-protection.js";
import { volumeProtection } from "./storage-protection/volume-protection.js";
import { storageVersionCollection } from "./storage-versions/collection.js";
import { type StorageVersionRegistrationOptions, storageVersionRegistration } from "./storage-versions/registration.js";
import { systemPriorityClasses } from "./system-priority-classes.js";

/** The selection of controllers, and the parts of the server that they work on. */
export interface StartControllersOptions {
  /** The value of `--controllers`, checked by validateControllerSelection. */
  readonly selection: readonly string[];
  readonly liveRegistry: RegistrySource;
  readonly builtinGroups: readonly RankedGroup[];
  readonly environment: VerbEnvironment;
  /** Charges of admission to quotas for writes that are not stored yet. */
  readonly pendingCharges: PendingCharges;
  /** The store, in which API servers keep their leases. */
  readonly store: Store;
  /** The trust that this server publishes to other API servers of the cluster. */
  readonly authenticationInfo: Omit<ClusterAuthenticationInfo, "now">;
  /** The servers behind APIServices. */
  readonly aggregation: Pick<Aggregation, "probe" | "availability" | "objectsFor" | "clientFor">;
  /** Signs tokens that are kept in secrets. */
  readonly legacySigner: TokenSigner;
  /** The authorities by which clients inside the cluster verify this server, as PEM. */
  readonly rootCa: string;
  /** The port that the server listens on. */
  readonly securePort: number;
  /** The address under which others reach this server. */
  readonly advertised: string;
  readonly config: Pick<
    ServerConfig,
    | "clusterSigning"
    | "endpointReconciler"
    | "keyPrefix"
    | "requestLimits"
    | "kubernetesServiceNodePort"
    | "serverCount"
    | "serviceRanges"
  > & {
    readonly admission: { readonly plugins: readonly { readonly name: string }[] };
  };
  /** The election among the servers on one store. Undefined for a server that has its store to itself. */
  readonly election: Election | undefined;
  /** The registration of storage versions; undefined where servers do not tell each other of them. */
  readonly storageVersions:
    | Pick<StorageVersionRegistrationOptions, "onFailed" | "onRegistered" | "resources">
    | undefined;
  /** The way in which other API servers of the cluster reach this one; undefined where they do not call it. */
  readonly peers: Pick<PeerEndpointOptions, "address" | "endpoints" | "isReady"> | undefined;
  /** Called when the roles and bindings of every cluster exist. Undefined without RBAC: then none are made. */
  readonly onRolesReady: (() => void) | undefined;
  /** Called when the flow schemas and priority levels of every cluster exist. */
  readonly onFlowControlReady: () => void;
  /** Called when the namespaces of every cluster are there. */
  readonly onNamespacesReady: () => void;
  /** The milestones of addresses that are kept as objects. Undefined where they are kept in RangeAllocations. */
  readonly addressMilestones: AddressMilestones | undefined;
  /** The clock of a test, by which keys of queues become due; that of the machine when absent. */
  readonly clock?: QueueClock | undefined;
  /** Ends all controllers. */
  readonly signal: AbortSignal;
  /** Returns the metrics of a queue by its name in v1.29; nobody counts when absent. */
  readonly queueMetrics?: ((name: string) => WorkQueueMetrics) | undefined;
  /** Called with every failure; the controller tries again by itself. */
  readonly onError: (controller: string, error: unknown) => void;
}

/** The milestones on the way until addresses of Services can be allocated. */
export interface AddressMilestones {
  /** Resolves when the ServiceCIDR of every cluster exists, or nobody makes it. */
  readonly whenCidrsExist: Promise<void>;
  /** Called when that ServiceCIDR exists. */
  readonly onDefaultCidr: () => void;
  /** Called when the addresses of all Services have IPAddresses. */
  readonly onRepaired: () => void;
}

/** Controllers that end with the signal they were started with. */
export interface RunningControllers {
  /** Resolves after the signal has aborted, when nothing runs any more. */
  readonly stopped: Promise<void>;
}

/** The place of a server in the election of the one that runs the controllers of kube-controller-manager. */
export interface Election {
  /** The name of this server in the lease; all its workers have the same. */
  readonly identity: string;
  /** Called when this server begins to lead, and when it ends. */
  readonly onChange: (isLeading: boolean) => void;
  readonly times: ElectionTimes;
}

/** The lease of the server that runs the controllers which v1.29 has in kube-controller-manager. */
export const leaseName = "gatehouse-controller-manager";

/**
 * Starts what `--controllers` picks, one after the other, and returns at once. The controllers of kube-apiserver run on every
 * server, as in v1.29. Those of kube-controller-manager run on one server of a store, and on none while such a program does their
 * work.
 */
export function startControllers(options: StartControllersOptions): RunningControllers {
  const { liveRegistry, environment, signal, onError } = options;
  // Everything that is under way in a controller waits for it.
  setMaxListeners(0, signal);
  const selected = selectControllers(options.selection);
  const isAlone = withoutControllerManager({
    client: new InProcessObjectClient(liveRegistry, environment, signal, "kube-apiserver"),
    signal,
    onError: (error) => onError("kube-controller-manager lease", error),
  });
  const takesPart = selected.some((name) => !apiServerControllers.has(name));
  const election = takesPart ? openElection(options) : undefined;
  const inTurns = (controller: Controller): Controller => {
    const besideNone = runningWhile(isAlone, controller);
    return election === undefined ? besideNone : runningWhile(election.leading, besideNone);
  };
  const make = (name: ControllerName): readonly Controller[] => {
    const isOnEveryServer = apiServerControllers.has(name);
    const assertMayWrite = (isOnEveryServer ? undefined : election?.assertLeading) ?? (() => {});
    const acting = {
      name: auditedAs(name),
      agent: agentOf(name),
      assertMayWrite,
      recordOwnWrite: environment.recordOwnWrite,
    };
    const controller = makers[name]({
      ...options,
      client: new InProcessObjectClient(liveRegistry, environment, signal, acting.agent, acting.name, assertMayWrite),
      acting,
      onError: (error) => onError(name, error),
      queueMetrics: options.queueMetrics?.(queueNames[name] ?? name),
    });
    if (controller === undefined) {
      return [];
    }
    return [isOnEveryServer ? controller : inTurns(controller)];
  };
  const running = oneByOne(selected.flatMap(make), (controller) => runController(controller, { signal, onError }));
  const elected = election?.run(signal);
  const stop = async (): Promise<void> => {
    await Promise.all([elected, running]);
    await election?.release();
  };
  return { stopped: stop() };
}

/**
 * Calls a function for each item, in a round of the event loop of its own: what has come to the server is read and answered between
 * two of them. Resolves when all that was begun has ended.
 */
async function oneByOne<T>(items: readonly T[], begin: (item: T) => Promise<void>): Promise<void> {
  let turn = Promise.resolve();
  const running = items.map((item) => {
    const begun = turn.then(() => begin(item));
    turn = turn.then(() => setImmediate());
    return begun;
  });
  await Promise.all(running);
}

function openElection({
  election,
  liveRegistry,
  environment,
  onError,
}: StartControllersOptions): LeaderElection | undefined {
  if (election === undefined) {
    return undefined;
  }
  // The lease is given back when everything else has stopped.
  const { signal } = new AbortController();
  return new LeaderElection({
    ...election,
    leaseName,
    client: new InProcessObjectClient(liveRegistry, environment, signal, "kube-apiserver"),
    now: environment.now,
    onError: (error) => onError(`${leaseName} lease`, error),
  });
}

/** The parts that a controller is made from. */
interface ControllerParts extends Omit<StartControllersOptions, "onError" | "queueMetrics"> {
  readonly client: ObjectClient;
  /** The controller as it sends requests to other servers. */
  readonly acting: ActingController;
  readonly onError: (error: unknown) => void;
  readonly queueMetrics: WorkQueueMetrics | undefined;
}

const makers: Readonly<Record<ControllerName, (parts: ControllerParts) => Controller | undefined>> = {
  "system-namespaces-controller": (parts) => systemNamespaces({ ...parts, onDone: parts.onNamespacesReady }),
  "bootstrap-system-priority-classes": systemPriorityClasses,
  "priority-and-fairness-config-producer": (parts) =>
    bootstrapConfiguration({ ...parts, onDone: parts.onFlowControlReady }),
  "priority-and-fairness-config-consumer": (parts) =>
    parts.config.requestLimits.fairness ? danglingReferences({ ...parts, now: parts.environment.now }) : undefined,
  "bootstrap-roles": (parts) =>
    parts.onRolesReady === undefined
      ? undefined
      : bootstrapRoles({ ...parts, features: parts.environment.features, onDone: parts.onRolesReady }),
  "clusterrole-aggregation-controller": roleAggregation,
  "kubernetes-service-cidr-controller": ({ addressMilestones: milestones, ...parts }) =>
    milestones &&
    defaultServiceCidr({
      ...parts,
      cidrs: parts.config.serviceRanges.map(({ text }) => text),
      now: parts.environment.now,
      onDone: milestones.onDefaultCidr,
    }),
  "ipallocator-repair-controller": ({ addressMilestones: milestones, ...parts }) =>
    milestones && addressRepair({ ...parts, ...milestones, now: parts.environment.now }),
  "kubernetes-service-controller": makeKubernetesService,
  "serviceaccount-controller": defaultServiceAccount,
  "certificatesigningrequest-signing-controller": makeCertificateSigning,
  "cluster-authentication-info-controller": (parts) =>
    clusterAuthenticationInfo({ ...parts, ...parts.authenticationInfo, now: parts.environment.now }),
  "legacy-service-account-token-tracking-controller": (parts) =>
    legacyTokenTracking({ ...parts, now: parts.environment.now }),
  "serviceaccount-token-controller": (parts) => serviceAccountTokens({ ...parts, signer: parts.legacySigner }),
  "root-ca-certificate-publisher-controller": rootCaPublisher,
  "pod-garbage-collector-controller": (parts) =>
    podGarbageCollector({ ...parts, now: parts.environment.now, podTermination: parts.environment.podTermination }),
  "garbage-collector-controller": (parts) =>
    parts.environment.garbageCollection
      ? garbageCollector({
          ...parts,
          client: parts.aggregation.clientFor(parts.acting, parts.client, ["delete", "list", "watch"]),
          now: parts.environment.now,
        })
      : undefined,
  "resourcequota-controller": (parts) =>
    resourceQuota({
      ...parts,
      client: parts.aggregation.clientFor(parts.acting, parts.client, ["create", "delete", "list", "watch"]),
      now: parts.environment.now,
      features: parts.environment.features,
    }),
  "persistentvolumeclaim-protection-controller": (parts) =>
    claimProtection({ ...parts, protects: protectsStorage(parts) }),
  "persistentvolume-protection-controller": (parts) => volumeProtection({ ...parts, protects: protectsStorage(parts) }),
  "validatingadmissionpolicy-status-controller": (parts) =>
    parts.environment.features.enabled("ValidatingAdmissionPolicy") ? policyTypeChecking(parts) : undefined,
  "disruption-controller": (parts) =>
    disruption({ ...parts, now: parts.environment.now, features: parts.environment.features }),
  "kube-apiserver-identity-lease-controller": (parts) =>
    hasIdentity(parts)
      ? identityLease({
          ...parts,
          now: parts.environment.now,
          peerAddress: parts.peers && hostAndPort(parts.peers.address.host, parts.peers.address.port),
        })
      : undefined,
  "kube-apiserver-identity-lease-garbage-collector": (parts) =>
    hasIdentity(parts) ? identityLeaseCollection({ ...parts, now: parts.environment.now }) : undefined,
  "built-in-resources-storage-version-updater": (parts) =>
    parts.storageVersions &&
    storageVersionRegistration({ ...parts, ...parts.storageVersions, now: parts.environment.now }),
  "peer-endpoint-reconciler-controller": (parts) => parts.peers && peerEndpoint({ ...parts, ...parts.peers }),
  "storageversion-garbage-collector-controller": (parts) =>
    hasIdentity(parts) && parts.environment.features.enabled("StorageVersionAPI")
      ? storageVersionCollection({ ...parts, now: parts.environment.now })
      : undefined,
  "crd-naming-condition-controller": (parts) => definitionNaming({ ...parts, now: parts.environment.now }),
  "crd-establishing-controller": (parts) => definitionEstablishing({ ...parts, now: parts.environment.now }),
  "kubernetes-api-approval-conformant-condition-controller": (parts) =>
    definitionApiApproval({ ...parts, now: parts.environment.now }),
  "non-structural-schema-condition-controller": (parts) =>
    definitionNonStructuralSchema({ ...parts, now: parts.environment.now }),
  "crd-finalizer-controller": (parts) => definitionFinalizing({ ...parts, now: parts.environment.now }),
  "kube-apiserver-autoregistration": apiServiceRegistration,
  "apiservice-status-available-controller": (parts) =>
    apiServiceAvailability({
      ...parts,
      probe: parts.aggregation.probe,
      metrics: parts.aggregation.availability,
      now: parts.environment.now,
    }),
  "namespace-controller": (parts) =>
    namespaceDeletion({
      ...parts,
      now: parts.environment.now,
      remote: parts.aggregation.objectsFor(parts.acting),
    }),
  "service-cidr-controller": (parts) =>
    parts.addressMilestones && serviceCidrProtection({ ...parts, now: parts.environment.now }),
};

function hasIdentity({ environment }: ControllerParts): boolean {
  return environment.features.enabled("APIServerIdentity");
}

function protectsStorage({ config }: ControllerParts): boolean {
  return config.admission.plugins.some(({ name }) => name === "StorageObjectInUseProtection");
}

/** Returns the field manager of a controller's writes: the program that it belongs to in v1.29. */
function agentOf(name: ControllerName): string {
  if (name === "priority-and-fairness-config-producer") {
    return configProducer;
  }
  return apiServerControllers.has(name) ? "kube-apiserver" : "kube-controller-manager";
}

/** The names of queues in v1.29's metrics, where they are not those of the controllers. */
const queueNames: Readonly<Partial<Record<ControllerName, string>>> = {
  "certificatesigningrequest-signing-controller": "certificate",
  "cluster-authentication-info-controller": "cluster_authentication_trust_controller",
  "clusterrole-aggregation-controller": "ClusterRoleAggregator",
  "crd-establishing-controller": "crdEstablishing",
  "crd-finalizer-controller": "crd_finalizer",
  "crd-naming-condition-controller": "crd_naming_condition_controller",
  "disruption-controller": "disruption",
  "garbage-collector-controller": "garbage_collector_attempt_to_delete",
  "ipallocator-repair-controller": "services",
  "kube-apiserver-autoregistration": "autoregister",
  "kubernetes-api-approval-conformant-condition-controller": "kubernetes_api_approval_conformant_condition_controller",
  "legacy-service-account-token-tracking-controller": "legacy_token_tracking_controller",
  "namespace-controller": "namespace",
  "non-structural-schema-condition-controller": "non_structural_schema_condition_controller",
  "persistentvolume-protection-controller": "pvprotection",
  "persistentvolumeclaim-protection-controller": "pvcprotection",
  "resourcequota-controller": "resourcequota_primary",
  "root-ca-certificate-publisher-controller": "root_ca_cert_publisher",
  "service-cidr-controller": "ipaddresses",
  "serviceaccount-controller": "serviceaccount",
  "serviceaccount-token-controller": "serviceaccount_tokens_secret",
  "storageversion-garbage-collector-controller": "storage_version_garbage_collector_storageversions",
};

/** Controllers that v1.29's kube-controller-manager gives a service account of another name; audit policies name those. */
const serviceAccounts: ReadonlyMap<ControllerName, string> = new Map<ControllerName, string>([
  ["garbage-collector-controller", "generic-garbage-collector"],
  ["persistentvolume-protection-controller", "pv-protection-controller"],
  ["persistentvolumeclaim-protection-controller", "pvc-protection-controller"],
  ["pod-garbage-collector-controller", "pod-garbage-collector"],
  ["root-ca-certificate-publisher-controller", "root-ca-cert-publisher"],
  ["service-cidr-controller", "service-cidrs-controller"],
  ["serviceaccount-controller", "service-account-controller"],
  ["storageversion-garbage-collector-controller", "storage-version-garbage-collector"],
]);

/** Returns the service account under which the audit log records a controller. */
function auditedAs(name: ControllerName): string {
  return serviceAccounts.get(name) ?? name;
}

/** Makes the signing controller; undefined without a configured authority. */
function makeCertificateSigning(parts: ControllerParts): Controller | undefined {
  const { clusterSigning } = parts.config;
  if (clusterSigning === undefined) {
    return undefined;
  }
  const { certFile, keyFile, durationMs } = clusterSigning;
  return certificateSigning({
    ...parts,
    durationMs,
    now: parts.environment.now,
    async authority() {
      const [certificatePem, keyPem] = await Promise.all([readFile(certFile, "utf8"), readFile(keyFile, "utf8")]);
      return { certificatePem, keyPem };
    },
  });
}

function makeKubernetesService(parts: ControllerParts): Controller {
  const { config, store } = parts;
  return kubernetesService({
    ...parts,
    clusterIP: firstAddress(config.serviceRanges[0]),
    address: parts.advertised,
    reconciler: config.endpointReconciler,
    serverCount: config.serverCount,
    nodePort: config.kubernetesServiceNodePort,
    leases: storeServerLeases(store, config.keyPrefix),
  });
}
