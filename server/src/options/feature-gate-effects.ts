import type { RuntimeConfig } from "@gatehouse/apiserver/options";
import type { FeatureName } from "@gatehouse/envelopes/features";

/** The effect of a feature gate on this server. */
export type GateEffect =
  /** The gate changes what the server does, on and off. */
  | { readonly works: string }
  /** The gate changes nothing here, for a reason. */
  | { readonly nothing: string };

const kubelet: GateEffect = { nothing: "it is the kubelet that looks at it" };
const kubeProxy: GateEffect = { nothing: "it is kube-proxy that looks at it" };
const scheduler: GateEffect = { nothing: "it is the scheduler that looks at it" };
const controllerManager: GateEffect = { nothing: "it is kube-controller-manager that looks at it" };
const volumePlugins: GateEffect = { nothing: "it is the volume plugins of kubelet and kube-controller-manager" };
const cloud: GateEffect = { nothing: "there are no cloud providers in this server" };
const programs: GateEffect = { nothing: "it changes the log of Go programs" };

/** The effects of all gates of v1.29 that are not locked; the locked ones are what they are. Written to docs/feature-gates.md. */
const effects: Readonly<Partial<Record<FeatureName, GateEffect>>> = {
  APIResponseCompression: { works: "large answers are compressed for clients that accept it" },
  APIServerIdentity: { works: "the server keeps an identity lease, and those of servers that are gone are collected" },
  APIServerTracing: { works: "--tracing-config-file may be given" },
  AdmissionWebhookMatchConditions: { works: "`matchConditions` of webhooks are kept" },
  AggregatedDiscoveryEndpoint: { works: "`/api` and `/apis` answer with all of discovery on request" },
  AllAlpha: { works: "turns all alpha gates on that are not set by their own name" },
  AllBeta: { works: "turns all beta gates on or off that are not set by their own name" },
  AllowServiceLBStatusOnNonLB: { works: "the status of a Service that is no load balancer may have addresses of one" },
  AnyVolumeDataSource: { works: "`dataSource` and `dataSourceRef` of claims are kept equal" },
  AppArmor: { works: "annotations with AppArmor profiles of pods and templates are kept" },
  CPUManagerPolicyAlphaOptions: kubelet,
  CPUManagerPolicyBetaOptions: kubelet,
  CPUManagerPolicyOptions: kubelet,
  CRDValidationRatcheting: { works: "updates of custom objects may keep values that are no longer valid" },
  CSIMigrationPortworx: volumePlugins,
  CSIMigrationRBD: volumePlugins,
  CSIVolumeHealth: kubelet,
  CloudControllerManagerWebhook: cloud,
  CloudDualStackNodeIPs: kubelet,
  ClusterTrustBundle: { works: "the kind ClusterTrustBundle can be served, and its roles exist" },
  ClusterTrustBundleProjection: { works: "`clusterTrustBundle` of projected volumes is kept" },
  ComponentSLIs: { nothing: "`/metrics/slis` is always served, as by the API server of v1.29" },
  ConsistentHTTPGetHandlers: kubelet,
  ConsistentListFromCache: {
    nothing: "consistent lists always come from memory, after the revision of the store has been asked for",
  },
  ContainerCheckpoint: kubelet,
  ContextualLogging: programs,
  CronJobsScheduledAnnotation: controllerManager,
  CrossNamespaceVolumeDataSource: { works: "`dataSourceRef.namespace` of claims is kept" },
  CustomCPUCFSQuotaPeriod: kubelet,
  DefaultHostNetworkHostPortsInPodTemplates: {
    works: "host ports are defaulted in templates of pods in the network of the host",
  },
  DevicePluginCDIDevices: kubelet,
  DisableCloudProviders: cloud,
  DisableKubeletCloudCredentialProviders: kubelet,
  DisableNodeKubeProxyVersion: kubelet,
  DynamicResourceAllocation: { works: "resource claims of pods are kept, and the roles for them exist" },
  ElasticIndexedJob: { works: "`completions` of an indexed Job may change together with `parallelism`" },
  EventedPLEG: kubelet,
  ExecProbeTimeout: kubelet,
  GracefulNodeShutdown: kubelet,
  GracefulNodeShutdownBasedOnPodPriority: kubelet,
  HPAContainerMetrics: { works: "`containerResource` metrics of autoscalers are kept" },
  HPAScaleToZero: { works: "`minReplicas` of autoscalers may be 0" },
  HonorPVReclaimPolicy: controllerManager,
  ImageMaximumGCAge: kubelet,
  InPlacePodVerticalScaling: { works: "resources of containers may change, and `resizePolicy` is kept" },
  InTreePluginAWSUnregister: volumePlugins,
  InTreePluginAzureDiskUnregister: volumePlugins,
  InTreePluginAzureFileUnregister: volumePlugins,
  InTreePluginGCEUnregister: volumePlugins,
  InTreePluginOpenStackUnregister: volumePlugins,
  InTreePluginPortworxUnregister: volumePlugins,
  InTreePluginRBDUnregister: volumePlugins,
  InTreePluginvSphereUnregister: volumePlugins,
  JobBackoffLimitPerIndex: {
    works: "`backoffLimitPerIndex` and `maxFailedIndexes` of Jobs are kept, and rules that fail an index",
  },
  JobPodFailurePolicy: { works: "`podFailurePolicy` of Jobs is kept" },
  JobPodReplacementPolicy: { works: "`podReplacementPolicy` of Jobs is kept and defaulted" },
  KMSv1: { works: "version 1 of key management services may be configured" },
  KubeProxyDrainingTerminatingNodes: kubeProxy,
  KubeletCgroupDriverFromCRI: kubelet,
  KubeletInUserNamespace: kubelet,
  KubeletPodResourcesDynamicResources: kubelet,
  KubeletPodResourcesGet: kubelet,
  KubeletSeparateDiskGC: kubelet,
  KubeletTracing: kubelet,
  LegacyServiceAccountTokenCleanUp: { works: "the role of the controller that cleans tokens up exists" },
  LoadBalancerIPMode: { works: "`ipMode` of load balancers is kept and defaulted" },
  LocalStorageCapacityIsolationFSQuotaMonitoring: kubelet,
  LogarithmicScaleDown: controllerManager,
  LoggingAlphaOptions: { nothing: "the options that it allows are not supported; they are refused by their names" },
  LoggingBetaOptions: { works: "--logging-format=json may be given" },
  MatchLabelKeysInPodAffinity: { works: "`matchLabelKeys` and `mismatchLabelKeys` of affinity terms are kept" },
  MatchLabelKeysInPodTopologySpread: { works: "`matchLabelKeys` of topology spread constraints is kept" },
  MaxUnavailableStatefulSet: { works: "`maxUnavailable` of rolling updates of StatefulSets is kept and defaulted" },
  MemoryManager: kubelet,
  MemoryQoS: kubelet,
  MinDomainsInPodTopologySpread: { works: "`minDomains` of topology spread constraints is kept" },
  MultiCIDRServiceAllocator: {
    works:
      "addresses of Services come from ServiceCIDRs, each with an IPAddress of its own; needs `--runtime-config=networking.k8s.io/v1alpha1=true`",
  },
  NFTablesProxyMode: kubeProxy,
  NewVolumeManagerReconstruction: kubelet,
  NodeInclusionPolicyInPodTopologySpread: {
    works: "`nodeAffinityPolicy` and `nodeTaintsPolicy` of topology spread constraints are kept",
  },
  NodeLogQuery: kubelet,
  NodeSwap: kubelet,
  OpenAPIEnums: { works: "the OpenAPI documents list the values of closed sets" },
  PDBUnhealthyPodEvictionPolicy: {
    works: "`unhealthyPodEvictionPolicy` of disruption budgets is kept, and evictions heed it",
  },
  PersistentVolumeLastPhaseTransitionTime: { works: "`lastPhaseTransitionTime` of volumes is kept and set" },
  PodAndContainerStatsFromCRI: kubelet,
  PodDeletionCost: { works: "the annotation for the cost of deletion is validated" },
  PodDisruptionConditions: { works: "evictions add the condition DisruptionTarget" },
  PodHostIPs: { works: "`hostIPs` of pods is kept, and the downward API may name it" },
  PodIndexLabel: controllerManager,
  PodLifecycleSleepAction: { works: "`sleep` of lifecycle hooks is kept" },
  PodReadyToStartContainersCondition: kubelet,
  PodSchedulingReadiness: { works: "`schedulingGates` of pods are kept" },
  ProcMountType: { works: "`procMount` of containers is kept" },
  QOSReserved: kubelet,
  RecoverVolumeExpansionFailure: { works: "claims may ask for less again after an expansion that has failed" },
  RotateKubeletServerCertificate: kubelet,
  RuntimeClassInImageCriApi: kubelet,
  SELinuxMountReadWriteOncePod: { works: "`seLinuxMount` of CSIDrivers is kept and defaulted" },
  SchedulerQueueingHints: scheduler,
  SecurityContextDeny: { works: "the admission plugin SecurityContextDeny may be turned on" },
  SeparateCacheWatchRPC: { nothing: "one watch on the store feeds all caches" },
  SeparateTaintEvictionController: controllerManager,
  ServiceAccountTokenJTI: { works: "tokens of service accounts have an ID, which audit events tell" },
  ServiceAccountTokenNodeBinding: { works: "tokens of service accounts may be bound to nodes" },
  ServiceAccountTokenNodeBindingValidation: { works: "tokens that are bound to a node count as long as it is there" },
  ServiceAccountTokenPodNodeInfo: { works: "tokens that are bound to a pod name its node" },
  SidecarContainers: { works: "`restartPolicy` of init containers is kept" },
  SizeMemoryBackedVolumes: kubelet,
  SkipReadOnlyValidationGCE: { works: "templates with a writable GCE disk and several replicas are accepted" },
  StableLoadBalancerNodeSet: controllerManager,
  StatefulSetAutoDeletePVC: { works: "`persistentVolumeClaimRetentionPolicy` of StatefulSets is kept and defaulted" },
  StatefulSetStartOrdinal: { works: "`ordinals` of StatefulSets is kept" },
  StorageVersionAPI: {
    works: "servers tell each other in which versions they store objects, if StorageVersions are served",
  },
  StorageVersionHash: { works: "discovery tells the hash of the stored version of a resource" },
  StructuredAuthenticationConfiguration: { works: "--authentication-config may be given" },
  StructuredAuthorizationConfiguration: { works: "--authorization-config may be given" },
  TopologyAwareHints: { works: "`hints` of endpoints are kept" },
  TopologyManagerPolicyAlphaOptions: kubelet,
  TopologyManagerPolicyBetaOptions: kubelet,
  TopologyManagerPolicyOptions: kubelet,
  TranslateStreamCloseWebsocketRequests: {
    works: "exec and attach over WebSocket with a close signal are translated for kubelets",
  },
  UnauthenticatedHTTP2DOSMitigation: { works: "connections of strangers over HTTP/2 serve one request" },
  UnknownVersionInteroperabilityProxy: {
    works: "requests for what only other API servers of the cluster serve are passed on to them, with --peer-ca-file",
  },
  UserNamespacesPodSecurityStandards: { works: "PodSecurity asks less of pods in user namespaces" },
  UserNamespacesSupport: { works: "`hostUsers` of pods is kept" },
  ValidatingAdmissionPolicy: { works: "policies and their bindings are served and enforced" },
  VolumeAttributesClass: { works: "`volumeAttributesClassName` of claims and volumes is kept" },
  VolumeCapacityPriority: scheduler,
  WatchFromStorageWithoutResourceVersion: { nothing: "watches always come from memory" },
  WatchList: { works: "watches may begin with all objects (`sendInitialEvents`)" },
  WinDSR: kubeProxy,
  WinOverlay: kubeProxy,
  WindowsHostNetwork: kubelet,
  ZeroLimitedNominalConcurrencyShares: { works: "`nominalConcurrencyShares` of limited priority levels may be 0" },
};

/** Returns the effect of a gate; undefined for one that is locked at its default. */
export function gateEffectOf(name: FeatureName): GateEffect | undefined {
  return effects[name];
}

/** The kinds that a gate works with, which are not served by default. */
const neededKinds: readonly {
  readonly gate: FeatureName;
  readonly groupVersion: string;
  readonly resources: readonly string[];
}[] = [
  {
    gate: "MultiCIDRServiceAllocator",
    groupVersion: "networking.k8s.io/v1alpha1",
    resources: ["ipaddresses", "servicecidrs"],
  },
];

/** Returns the gates that cannot be turned on with a runtime configuration, and the reasons. */
export function gatesWithoutKinds(runtimeConfig: RuntimeConfig): ReadonlyMap<FeatureName, string> {
  return new Map(
    neededKinds.flatMap(({ gate, groupVersion, resources }): [FeatureName, string][] =>
      resources.every((resource) => runtimeConfig.serves(groupVersion, resource, false))
        ? []
        : [[gate, `it needs ${resources.join(" and ")}; give --runtime-config=${groupVersion}=true`]],
    ),
  );
}
