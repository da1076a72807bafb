/** Kinds that a version had, and the release of Kubernetes from which on it is not served. */
type RemovedVersion = readonly [apiVersion: string, release: string, kinds: readonly string[]];

const webhookKinds = ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"];
const roleKinds = ["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"];
const reviewKinds = ["LocalSubjectAccessReview", "SelfSubjectAccessReview", "SelfSubjectRulesReview"];
const flowKinds = ["FlowSchema", "PriorityLevelConfiguration"];

/** The versions that v1.29 no longer serves, as its API lifecycle and the deprecation guide of Kubernetes tell them. */
const removedVersions: readonly RemovedVersion[] = [
  ["admissionregistration.k8s.io/v1beta1", "1.22", webhookKinds],
  ["apiextensions.k8s.io/v1beta1", "1.22", ["CustomResourceDefinition"]],
  ["apiregistration.k8s.io/v1beta1", "1.22", ["APIService"]],
  ["apps/v1beta1", "1.16", ["ControllerRevision", "Deployment", "StatefulSet"]],
  ["apps/v1beta2", "1.16", ["ControllerRevision", "DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"]],
  ["authentication.k8s.io/v1beta1", "1.22", ["TokenReview"]],
  ["authorization.k8s.io/v1beta1", "1.22", [...reviewKinds, "SubjectAccessReview"]],
  ["autoscaling/v2beta1", "1.25", ["HorizontalPodAutoscaler"]],
  ["autoscaling/v2beta2", "1.26", ["HorizontalPodAutoscaler"]],
  ["batch/v1beta1", "1.25", ["CronJob"]],
  ["batch/v2alpha1", "1.21", ["CronJob"]],
  ["certificates.k8s.io/v1beta1", "1.22", ["CertificateSigningRequest"]],
  ["coordination.k8s.io/v1beta1", "1.22", ["Lease"]],
  ["discovery.k8s.io/v1beta1", "1.25", ["EndpointSlice"]],
  ["events.k8s.io/v1beta1", "1.25", ["Event"]],
  ["extensions/v1beta1", "1.16", ["DaemonSet", "Deployment", "NetworkPolicy", "PodSecurityPolicy", "ReplicaSet"]],
  ["extensions/v1beta1", "1.22", ["Ingress"]],
  ["flowcontrol.apiserver.k8s.io/v1beta1", "1.26", flowKinds],
  ["flowcontrol.apiserver.k8s.io/v1beta2", "1.29", flowKinds],
  ["networking.k8s.io/v1beta1", "1.22", ["Ingress", "IngressClass"]],
  ["node.k8s.io/v1beta1", "1.25", ["RuntimeClass"]],
  ["policy/v1beta1", "1.25", ["PodDisruptionBudget", "PodSecurityPolicy"]],
  ["rbac.authorization.k8s.io/v1beta1", "1.22", roleKinds],
  ["scheduling.k8s.io/v1beta1", "1.22", ["PriorityClass"]],
  ["storage.k8s.io/v1beta1", "1.22", ["CSIDriver", "CSINode", "StorageClass", "VolumeAttachment"]],
  ["storage.k8s.io/v1beta1", "1.27", ["CSIStorageCapacity"]],
];

/** Groups whose kinds have moved to other groups. */
const movedGroups: ReadonlyMap<string, readonly string[]> = new Map([["extensions", ["apps", "networking.k8s.io"]]]);

/** Returns the release from which on a kind is not served in a version; undefined where that was never so. */
export function releaseWithout(apiVersion: string, kind: string): string | undefined {
  return removedVersions.find(([version, , kinds]) => version === apiVersion && kinds.includes(kind))?.[1];
}

/** Returns the groups in which kinds of a group are served today. */
export function groupsToday(group: string): readonly string[] {
  return movedGroups.get(group) ?? [group];
}
