/**
 * The controllers of this server, in the order in which they start, by the names that kube-controller-manager v1.29
 * gives them; kube-apiserver's own loops by those of its post-start hooks. Event expiry is not among them: the store
 * itself deletes what has outlived its time.
 */
export const controllerNames = [
  "system-namespaces-controller",
  "bootstrap-system-priority-classes",
  "priority-and-fairness-config-producer",
  "priority-and-fairness-config-consumer",
  "bootstrap-roles",
  "kubernetes-service-cidr-controller",
  "ipallocator-repair-controller",
  "kubernetes-service-controller",
  "serviceaccount-controller",
  "serviceaccount-token-controller",
  "certificatesigningrequest-signing-controller",
  "cluster-authentication-info-controller",
  "legacy-service-account-token-tracking-controller",
  "kube-apiserver-identity-lease-controller",
  "kube-apiserver-identity-lease-garbage-collector",
  "built-in-resources-storage-version-updater",
  "peer-endpoint-reconciler-controller",
  "root-ca-certificate-publisher-controller",
  "clusterrole-aggregation-controller",
  "crd-naming-condition-controller",
  "crd-establishing-controller",
  "kubernetes-api-approval-conformant-condition-controller",
  "non-structural-schema-condition-controller",
  "crd-finalizer-controller",
  "kube-apiserver-autoregistration",
  "apiservice-status-available-controller",
  "namespace-controller",
  "pod-garbage-collector-controller",
  "garbage-collector-controller",
  "disruption-controller",
  "resourcequota-controller",
  "persistentvolumeclaim-protection-controller",
  "persistentvolume-protection-controller",
  "validatingadmissionpolicy-status-controller",
  "storageversion-garbage-collector-controller",
  "service-cidr-controller",
] as const;

/** A member of `controllerNames`. */
export type ControllerName = (typeof controllerNames)[number];

/** The controllers that kube-apiserver v1.29 runs itself. */
export const apiServerControllers: ReadonlySet<ControllerName> = new Set<ControllerName>([
  "system-namespaces-controller",
  "bootstrap-system-priority-classes",
  "priority-and-fairness-config-producer",
  "priority-and-fairness-config-consumer",
  "bootstrap-roles",
  "kubernetes-service-cidr-controller",
  "ipallocator-repair-controller",
  "kubernetes-service-controller",
  "cluster-authentication-info-controller",
  "legacy-service-account-token-tracking-controller",
  "kube-apiserver-identity-lease-controller",
  "kube-apiserver-identity-lease-garbage-collector",
  "built-in-resources-storage-version-updater",
  "peer-endpoint-reconciler-controller",
  "crd-naming-condition-controller",
  "crd-establishing-controller",
  "kubernetes-api-approval-conformant-condition-controller",
  "non-structural-schema-condition-controller",
  "crd-finalizer-controller",
  "kube-apiserver-autoregistration",
  "apiservice-status-available-controller",
]);

/** Names that `--controllers` accepts for several controllers at once: those of the programs of v1.29 that run them. */
export const controllerGroups: ReadonlyMap<string, readonly ControllerName[]> = new Map([
  ["kube-apiserver", [...apiServerControllers]],
  ["kube-controller-manager", controllerNames.filter((name) => !apiServerControllers.has(name))],
]);

/** Older names that `--controllers` still takes. */
export const controllerAliases: ReadonlyMap<string, ControllerName> = new Map([
  ["system-namespaces", "system-namespaces-controller"],
  ["kubernetes-service", "kubernetes-service-controller"],
  ["serviceaccount", "serviceaccount-controller"],
  ["serviceaccount-token", "serviceaccount-token-controller"],
  ["csrsigning", "certificatesigningrequest-signing-controller"],
  ["clusterrole-aggregation", "clusterrole-aggregation-controller"],
  ["root-ca-cert-publisher", "root-ca-certificate-publisher-controller"],
  ["namespace", "namespace-controller"],
  ["podgc", "pod-garbage-collector-controller"],
  ["pod-garbage-collector", "pod-garbage-collector-controller"],
  ["garbagecollector", "garbage-collector-controller"],
  ["garbage-collector", "garbage-collector-controller"],
  ["disruption", "disruption-controller"],
  ["resourcequota", "resourcequota-controller"],
  ["pvc-protection", "persistentvolumeclaim-protection-controller"],
  ["pv-protection", "persistentvolume-protection-controller"],
  ["storage-version-gc", "storageversion-garbage-collector-controller"],
]);
