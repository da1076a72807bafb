import {
  type AdmissionPluginDefinition,
  mutatingAdmissionWebhook,
  namespaceLifecycle,
  validatingAdmissionPolicy,
  validatingAdmissionWebhook,
} from "@gatehouse/apiserver/admission";
import { alwaysAdmit } from "./always-admit.js";
import { alwaysDeny } from "./always-deny.js";
import { alwaysPullImages } from "./always-pull-images.js";
import { certificateApproval } from "./certificates/certificate-approval.js";
import { certificateSigning } from "./certificates/certificate-signing.js";
import { certificateSubjectRestriction } from "./certificates/certificate-subject-restriction.js";
import { clusterTrustBundleAttest } from "./certificates/cluster-trust-bundle-attest.js";
import { defaultIngressClass } from "./default-ingress-class.js";
import { defaultStorageClass } from "./default-storage-class.js";
import { defaultTolerationSeconds } from "./default-toleration-seconds.js";
import { denyServiceExternalIPs } from "./deny-service-external-ips.js";
import { eventRateLimit } from "./event-rate-limit/event-rate-limit.js";
import { extendedResourceToleration } from "./extended-resource-toleration.js";
import { imagePolicyWebhook } from "./image-policy-webhook/image-policy-webhook.js";
import { limitPodHardAntiAffinityTopology } from "./limit-pod-hard-anti-affinity-topology.js";
import { limitRanger } from "./limit-ranger/limit-ranger.js";
import { namespaceAutoProvision } from "./namespace-auto-provision.js";
import { namespaceExists } from "./namespace-exists.js";
import { nodeRestriction } from "./node-restriction/node-restriction.js";
import { ownerReferencesPermissionEnforcement } from "./owner-references-permission-enforcement.js";
import { persistentVolumeClaimResize } from "./persistent-volume-claim-resize.js";
import { persistentVolumeLabel } from "./persistent-volume-label.js";
import type { PluginParts } from "./plugin-parts.js";
import { podNodeSelector } from "./pod-node-selector.js";
import { podSecurity } from "./pod-security/pod-security.js";
import { podTolerationRestriction } from "./pod-toleration-restriction/pod-toleration-restriction.js";
import { priority } from "./priority.js";
import { resourceQuota } from "./resource-quota/resource-quota.js";
import { runtimeClass } from "./runtime-class.js";
import { securityContextDeny } from "./security-context-deny.js";
import { serviceAccount } from "./service-account/service-account.js";
import { storageObjectInUseProtection } from "./storage-object-in-use-protection.js";
import { taintNodesByCondition } from "./taint-nodes-by-condition.js";

/** The admission plugins of v1.29 in the order in which a write meets them. */
export const builtinPlugins: readonly AdmissionPluginDefinition<PluginParts>[] = [
  { name: "AlwaysAdmit", isOnByDefault: false, make: alwaysAdmit },
  { name: "NamespaceAutoProvision", isOnByDefault: false, make: namespaceAutoProvision },
  { name: "NamespaceLifecycle", isOnByDefault: true, make: namespaceLifecycle },
  { name: "NamespaceExists", isOnByDefault: false, make: namespaceExists },
  { name: "SecurityContextDeny", isOnByDefault: false, make: securityContextDeny },
  { name: "LimitPodHardAntiAffinityTopology", isOnByDefault: false, make: limitPodHardAntiAffinityTopology },
  { name: "LimitRanger", isOnByDefault: true, make: limitRanger },
  { name: "ServiceAccount", isOnByDefault: true, make: serviceAccount },
  { name: "NodeRestriction", isOnByDefault: false, make: nodeRestriction },
  { name: "TaintNodesByCondition", isOnByDefault: true, make: taintNodesByCondition },
  { name: "AlwaysPullImages", isOnByDefault: false, make: alwaysPullImages },
  { name: "ImagePolicyWebhook", isOnByDefault: false, make: imagePolicyWebhook },
  { name: "PodSecurity", isOnByDefault: true, make: podSecurity },
  { name: "PodNodeSelector", isOnByDefault: false, make: podNodeSelector },
  { name: "Priority", isOnByDefault: true, make: priority },
  { name: "DefaultTolerationSeconds", isOnByDefault: true, make: defaultTolerationSeconds },
  { name: "PodTolerationRestriction", isOnByDefault: false, make: podTolerationRestriction },
  { name: "EventRateLimit", isOnByDefault: false, make: eventRateLimit },
  { name: "ExtendedResourceToleration", isOnByDefault: false, make: extendedResourceToleration },
  { name: "PersistentVolumeLabel", isOnByDefault: false, make: persistentVolumeLabel },
  { name: "DefaultStorageClass", isOnByDefault: true, make: defaultStorageClass },
  { name: "StorageObjectInUseProtection", isOnByDefault: true, make: storageObjectInUseProtection },
  { name: "OwnerReferencesPermissionEnforcement", isOnByDefault: false, make: ownerReferencesPermissionEnforcement },
  { name: "PersistentVolumeClaimResize", isOnByDefault: true, make: persistentVolumeClaimResize },
  { name: "RuntimeClass", isOnByDefault: true, make: runtimeClass },
  { name: "CertificateApproval", isOnByDefault: true, make: certificateApproval },
  { name: "CertificateSigning", isOnByDefault: true, make: certificateSigning },
  { name: "ClusterTrustBundleAttest", isOnByDefault: true, make: clusterTrustBundleAttest },
  { name: "CertificateSubjectRestriction", isOnByDefault: true, make: certificateSubjectRestriction },
  { name: "DefaultIngressClass", isOnByDefault: true, make: defaultIngressClass },
  { name: "DenyServiceExternalIPs", isOnByDefault: false, make: denyServiceExternalIPs },
  { name: "MutatingAdmissionWebhook", isOnByDefault: true, make: mutatingAdmissionWebhook },
  { name: "ValidatingAdmissionPolicy", isOnByDefault: true, make: validatingAdmissionPolicy },
  { name: "ValidatingAdmissionWebhook", isOnByDefault: true, make: validatingAdmissionWebhook },
  { name: "ResourceQuota", isOnByDefault: true, make: resourceQuota },
  { name: "AlwaysDeny", isOnByDefault: false, make: alwaysDeny },
];
