import type {
  admissionregistrationV1,
  apiextensionsV1,
  apiregistrationV1,
  appsV1,
  autoscalingV2,
  batchV1,
  certificatesV1,
  coordinationV1,
  coreV1,
  discoveryV1,
  flowcontrolV1,
  networkingV1,
  nodeV1,
  policyV1,
  rbacV1,
  schedulingV1,
  storageV1,
} from "@gatehouse/envelopes/types";
import type { ReadableResource } from "./readable-resource.js";

// Every built-in resource that can be watched, in its stable version of v1.29.

function namespaced<T>(apiVersion: string, kind: string, resource: string): ReadableResource<T> {
  return Object.freeze({ apiVersion, kind, resource, namespaced: true });
}

function inCluster<T>(apiVersion: string, kind: string, resource: string): ReadableResource<T> {
  return Object.freeze({ apiVersion, kind, resource, namespaced: false });
}

/** ConfigMap objects of v1. */
export const configMaps: ReadableResource<coreV1.ConfigMap> = namespaced("v1", "ConfigMap", "configmaps");
/** Endpoints objects of v1. */
export const endpoints: ReadableResource<coreV1.Endpoints> = namespaced("v1", "Endpoints", "endpoints");
/** Event objects of v1. */
export const events: ReadableResource<coreV1.Event> = namespaced("v1", "Event", "events");
/** LimitRange objects of v1. */
export const limitRanges: ReadableResource<coreV1.LimitRange> = namespaced("v1", "LimitRange", "limitranges");
/** Namespace objects of v1. */
export const namespaces: ReadableResource<coreV1.Namespace> = inCluster("v1", "Namespace", "namespaces");
/** Node objects of v1. */
export const nodes: ReadableResource<coreV1.Node> = inCluster("v1", "Node", "nodes");
/** PersistentVolumeClaim objects of v1. */
export const persistentVolumeClaims: ReadableResource<coreV1.PersistentVolumeClaim> = namespaced(
  "v1",
  "PersistentVolumeClaim",
  "persistentvolumeclaims",
);
/** PersistentVolume objects of v1. */
export const persistentVolumes: ReadableResource<coreV1.PersistentVolume> = inCluster(
  "v1",
  "PersistentVolume",
  "persistentvolumes",
);
/** Pod objects of v1. */
export const pods: ReadableResource<coreV1.Pod> = namespaced("v1", "Pod", "pods");
/** PodTemplate objects of v1. */
export const podTemplates: ReadableResource<coreV1.PodTemplate> = namespaced("v1", "PodTemplate", "podtemplates");
/** ReplicationController objects of v1. */
export const replicationControllers: ReadableResource<coreV1.ReplicationController> = namespaced(
  "v1",
  "ReplicationController",
  "replicationcontrollers",
);
/** ResourceQuota objects of v1. */
export const resourceQuotas: ReadableResource<coreV1.ResourceQuota> = namespaced(
  "v1",
  "ResourceQuota",
  "resourcequotas",
);
/** Secret objects of v1. */
export const secrets: ReadableResource<coreV1.Secret> = namespaced("v1", "Secret", "secrets");
/** ServiceAccount objects of v1. */
export const serviceAccounts: ReadableResource<coreV1.ServiceAccount> = namespaced(
  "v1",
  "ServiceAccount",
  "serviceaccounts",
);
/** Service objects of v1. */
export const services: ReadableResource<coreV1.Service> = namespaced("v1", "Service", "services");

/** MutatingWebhookConfiguration objects of admissionregistration.k8s.io/v1. */
export const mutatingWebhookConfigurations: ReadableResource<admissionregistrationV1.MutatingWebhookConfiguration> =
  inCluster("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", "mutatingwebhookconfigurations");
/** ValidatingWebhookConfiguration objects of admissionregistration.k8s.io/v1. */
export const validatingWebhookConfigurations: ReadableResource<admissionregistrationV1.ValidatingWebhookConfiguration> =
  inCluster("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "validatingwebhookconfigurations");

/** CustomResourceDefinition objects of apiextensions.k8s.io/v1. */
export const customResourceDefinitions: ReadableResource<apiextensionsV1.CustomResourceDefinition> = inCluster(
  "apiextensions.k8s.io/v1",
  "CustomResourceDefinition",
  "customresourcedefinitions",
);

/** APIService objects of apiregistration.k8s.io/v1. */
export const apiServices: ReadableResource<apiregistrationV1.APIService> = inCluster(
  "apiregistration.k8s.io/v1",
  "APIService",
  "apiservices",
);

/** ControllerRevision objects of apps/v1. */
export const controllerRevisions: ReadableResource<appsV1.ControllerRevision> = namespaced(
  "apps/v1",
  "ControllerRevision",
  "controllerrevisions",
);
/** DaemonSet objects of apps/v1. */
export const daemonSets: ReadableResource<appsV1.DaemonSet> = namespaced("apps/v1", "DaemonSet", "daemonsets");
/** Deployment objects of apps/v1. */
export const deployments: ReadableResource<appsV1.Deployment> = namespaced("apps/v1", "Deployment", "deployments");
/** ReplicaSet objects of apps/v1. */
export const replicaSets: ReadableResource<appsV1.ReplicaSet> = namespaced("apps/v1", "ReplicaSet", "replicasets");
/** StatefulSet objects of apps/v1. */
export const statefulSets: ReadableResource<appsV1.StatefulSet> = namespaced("apps/v1", "StatefulSet", "statefulsets");

/** HorizontalPodAutoscaler objects of autoscaling/v2. */
export const horizontalPodAutoscalers: ReadableResource<autoscalingV2.HorizontalPodAutoscaler> = namespaced(
  "autoscaling/v2",
  "HorizontalPodAutoscaler",
  "horizontalpodautoscalers",
);

/** CronJob objects of batch/v1. */
export const cronJobs: ReadableResource<batchV1.CronJob> = namespaced("batch/v1", "CronJob", "cronjobs");
/** Job objects of batch/v1. */
export const jobs: ReadableResource<batchV1.Job> = namespaced("batch/v1", "Job", "jobs");

/** CertificateSigningRequest objects of certificates.k8s.io/v1. */
export const certificateSigningRequests: ReadableResource<certificatesV1.CertificateSigningRequest> = inCluster(
  "certificates.k8s.io/v1",
  "CertificateSigningRequest",
  "certificatesigningrequests",
);

/** Lease objects of coordination.k8s.io/v1. */
export const leases: ReadableResource<coordinationV1.Lease> = namespaced("coordination.k8s.io/v1", "Lease", "leases");

/** EndpointSlice objects of discovery.k8s.io/v1. */
export const endpointSlices: ReadableResource<discoveryV1.EndpointSlice> = namespaced(
  "discovery.k8s.io/v1",
  "EndpointSlice",
  "endpointslices",
);

/** FlowSchema objects of flowcontrol.apiserver.k8s.io/v1. */
export const flowSchemas: ReadableResource<flowcontrolV1.FlowSchema> = inCluster(
  "flowcontrol.apiserver.k8s.io/v1",
  "FlowSchema",
  "flowschemas",
);
/** PriorityLevelConfiguration objects of flowcontrol.apiserver.k8s.io/v1. */
export const priorityLevelConfigurations: ReadableResource<flowcontrolV1.PriorityLevelConfiguration> = inCluster(
  "flowcontrol.apiserver.k8s.io/v1",
  "PriorityLevelConfiguration",
  "prioritylevelconfigurations",
);

/** IngressClass objects of networking.k8s.io/v1. */
export const ingressClasses: ReadableResource<networkingV1.IngressClass> = inCluster(
  "networking.k8s.io/v1",
  "IngressClass",
  "ingressclasses",
);
/** Ingress objects of networking.k8s.io/v1. */
export const ingresses: ReadableResource<networkingV1.Ingress> = namespaced(
  "networking.k8s.io/v1",
  "Ingress",
  "ingresses",
);
/** NetworkPolicy objects of networking.k8s.io/v1. */
export const networkPolicies: ReadableResource<networkingV1.NetworkPolicy> = namespaced(
  "networking.k8s.io/v1",
  "NetworkPolicy",
  "networkpolicies",
);

/** RuntimeClass objects of node.k8s.io/v1. */
export const runtimeClasses: ReadableResource<nodeV1.RuntimeClass> = inCluster(
  "node.k8s.io/v1",
  "RuntimeClass",
  "runtimeclasses",
);

/** PodDisruptionBudget objects of policy/v1. */
export const podDisruptionBudgets: ReadableResource<policyV1.PodDisruptionBudget> = namespaced(
  "policy/v1",
  "PodDisruptionBudget",
  "poddisruptionbudgets",
);

/** ClusterRoleBinding objects of rbac.authorization.k8s.io/v1. */
export const clusterRoleBindings: ReadableResource<rbacV1.ClusterRoleBinding> = inCluster(
  "rbac.authorization.k8s.io/v1",
  "ClusterRoleBinding",
  "clusterrolebindings",
);
/** ClusterRole objects of rbac.authorization.k8s.io/v1. */
export const clusterRoles: ReadableResource<rbacV1.ClusterRole> = inCluster(
  "rbac.authorization.k8s.io/v1",
  "ClusterRole",
  "clusterroles",
);
/** RoleBinding objects of rbac.authorization.k8s.io/v1. */
export const roleBindings: ReadableResource<rbacV1.RoleBinding> = namespaced(
  "rbac.authorization.k8s.io/v1",
  "RoleBinding",
  "rolebindings",
);
/** Role objects of rbac.authorization.k8s.io/v1. */
export const roles: ReadableResource<rbacV1.Role> = namespaced("rbac.authorization.k8s.io/v1", "Role", "roles");

/** PriorityClass objects of scheduling.k8s.io/v1. */
export const priorityClasses: ReadableResource<schedulingV1.PriorityClass> = inCluster(
  "scheduling.k8s.io/v1",
  "PriorityClass",
  "priorityclasses",
);

/** CSIDriver objects of storage.k8s.io/v1. */
export const csiDrivers: ReadableResource<storageV1.CSIDriver> = inCluster(
  "storage.k8s.io/v1",
  "CSIDriver",
  "csidrivers",
);
/** CSINode objects of storage.k8s.io/v1. */
export const csiNodes: ReadableResource<storageV1.CSINode> = inCluster("storage.k8s.io/v1", "CSINode", "csinodes");
/** CSIStorageCapacity objects of storage.k8s.io/v1. */
export const csiStorageCapacities: ReadableResource<storageV1.CSIStorageCapacity> = namespaced(
  "storage.k8s.io/v1",
  "CSIStorageCapacity",
  "csistoragecapacities",
);
/** StorageClass objects of storage.k8s.io/v1. */
export const storageClasses: ReadableResource<storageV1.StorageClass> = inCluster(
  "storage.k8s.io/v1",
  "StorageClass",
  "storageclasses",
);
/** VolumeAttachment objects of storage.k8s.io/v1. */
export const volumeAttachments: ReadableResource<storageV1.VolumeAttachment> = inCluster(
  "storage.k8s.io/v1",
  "VolumeAttachment",
  "volumeattachments",
);
