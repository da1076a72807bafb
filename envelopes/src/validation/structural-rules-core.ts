import { declaredOrder, detail, type MemberRules, optional, required, requiredWith, unchecked } from "./member-rule.js";

const noEmptyKey = detail("can not be empty");

const accessModes = {
  supported: ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"],
  reportedAtHolder: true,
} as const;

/** Secrets of a volume are named in full. */
const secretReference = { members: { name: required, namespace: required } } as const;

/** How kube-apiserver 1.29 words what is wrong with the core group, by message. */
export const coreRules: Readonly<Record<string, MemberRules>> = {
  Binding: { target: unchecked },
  CSIPersistentVolumeSource: {
    controllerPublishSecretRef: secretReference,
    controllerExpandSecretRef: secretReference,
    nodePublishSecretRef: secretReference,
    nodeExpandSecretRef: secretReference,
  },
  CinderPersistentVolumeSource: { secretRef: secretReference },
  CinderVolumeSource: { secretRef: { members: { name: required } } },
  ConfigMapEnvSource: { name: required },
  ConfigMapProjection: { name: required },
  ConfigMapVolumeSource: { name: required },
  Container: { image: required, terminationMessagePolicy: declaredOrder },
  ContainerResizePolicy: { resourceName: unchecked, restartPolicy: unchecked },
  EndpointAddress: { ip: unchecked },
  EphemeralContainer: { image: required, terminationMessagePolicy: declaredOrder },
  EphemeralVolumeSource: { volumeClaimTemplate: required },
  ExecAction: { command: required },
  HTTPHeader: { name: unchecked, value: unchecked },
  LimitRangeItem: { type: unchecked },
  LimitRangeSpec: { limits: optional },
  NodeSelector: { nodeSelectorTerms: detail("must have at least one node selector term") },
  NodeSelectorRequirement: { key: unchecked, operator: unchecked },
  PersistentVolumeClaimSpec: {
    accessModes: { ...requiredWith("at least 1 access mode is required"), ...accessModes },
  },
  PersistentVolumeSpec: { accessModes: { ...required, ...accessModes }, capacity: required },
  PodAffinityTerm: { topologyKey: noEmptyKey },
  PodOS: { name: detail("cannot be empty") },
  PodReadinessGate: { conditionType: unchecked },
  PodSchedulingGate: { name: unchecked },
  PodSpec: { restartPolicy: declaredOrder, dnsPolicy: declaredOrder, preemptionPolicy: declaredOrder },
  QuobyteVolumeSource: { registry: detail("must be a host:port pair or multiple pairs separated by commas") },
  RangeAllocation: { range: unchecked, data: unchecked },
  ReplicationControllerSpec: { selector: required, template: required },
  ResourceClaim: { name: { reportedAtHolder: true } },
  ScaleIOPersistentVolumeSource: { secretRef: optional, volumeName: required },
  ScaleIOVolumeSource: { secretRef: optional, volumeName: required },
  ScopedResourceSelectorRequirement: { scopeName: unchecked, operator: unchecked },
  SeccompProfile: { type: detail("type is required when seccompProfile is set") },
  SecretEnvSource: { name: required },
  SecretProjection: { name: required },
  SecretVolumeSource: { secretName: required },
  // Whether a policy makes sense depends on the type of the service.
  ServiceSpec: { externalTrafficPolicy: unchecked },
  Sysctl: { value: unchecked },
  Taint: { key: unchecked, effect: declaredOrder },
  Toleration: { effect: declaredOrder },
  TopologySelectorLabelRequirement: { key: unchecked },
  TopologySpreadConstraint: { topologyKey: noEmptyKey, whenUnsatisfiable: { emptyIsUnsupported: true } },
};

/** What is checked first, where that is not the order of JSON. */
export const coreOrder: Readonly<Record<string, readonly string[]>> = {
  Container: ["name", "image", "terminationMessagePolicy", "ports", "env", "envFrom", "volumeMounts", "volumeDevices"],
  PersistentVolumeSpec: ["accessModes", "capacity", "persistentVolumeReclaimPolicy"],
  PodSpec: ["volumes", "resourceClaims", "containers", "initContainers", "ephemeralContainers"],
  ReplicationControllerSpec: ["selector", "replicas", "template"],
  ServiceSpec: ["ports", "sessionAffinity", "ipFamilyPolicy", "type"],
  TypedLocalObjectReference: ["name", "kind"],
  TypedObjectReference: ["name", "kind"],
};
