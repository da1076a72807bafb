import type { AdmissionPluginName } from "../options/admission-plugins.js";
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
import { mutatingAdmissionWebhook } from "./mutating-admission-webhook.js";
import { namespaceAutoProvision } from "./namespace-auto-provision.js";
import { namespaceExists } from "./namespace-exists.js";
import { namespaceLifecycle } from "./namespace-lifecycle.js";
import { nodeRestriction } from "./node-restriction/node-restriction.js";
import { ownerReferencesPermissionEnforcement } from "./owner-references-permission-enforcement.js";
import { persistentVolumeClaimResize } from "./persistent-volume-claim-resize.js";
import { persistentVolumeLabel } from "./persistent-volume-label.js";
import type { MakePlugin } from "./plugin-parts.js";
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
import { validatingAdmissionWebhook } from "./validating-admission-webhook.js";

/**
 * The makers of plugins by name. A plugin without a maker exists by name only; ValidatingAdmissionPolicy waits for the
 * expression language.
 */
export const pluginMakers: Readonly<Partial<Record<AdmissionPluginName, MakePlugin>>> = {
  AlwaysAdmit: alwaysAdmit,
  NamespaceAutoProvision: namespaceAutoProvision,
  NamespaceLifecycle: namespaceLifecycle,
  NamespaceExists: namespaceExists,
  SecurityContextDeny: securityContextDeny,
  LimitPodHardAntiAffinityTopology: limitPodHardAntiAffinityTopology,
  LimitRanger: limitRanger,
  ServiceAccount: serviceAccount,
  NodeRestriction: nodeRestriction,
  TaintNodesByCondition: taintNodesByCondition,
  AlwaysPullImages: alwaysPullImages,
  ImagePolicyWebhook: imagePolicyWebhook,
  PodSecurity: podSecurity,
  PodNodeSelector: podNodeSelector,
  Priority: priority,
  DefaultTolerationSeconds: defaultTolerationSeconds,
  PodTolerationRestriction: podTolerationRestriction,
  EventRateLimit: eventRateLimit,
  ExtendedResourceToleration: extendedResourceToleration,
  PersistentVolumeLabel: persistentVolumeLabel,
  DefaultStorageClass: defaultStorageClass,
  StorageObjectInUseProtection: storageObjectInUseProtection,
  OwnerReferencesPermissionEnforcement: ownerReferencesPermissionEnforcement,
  PersistentVolumeClaimResize: persistentVolumeClaimResize,
  RuntimeClass: runtimeClass,
  CertificateApproval: certificateApproval,
  CertificateSigning: certificateSigning,
  ClusterTrustBundleAttest: clusterTrustBundleAttest,
  CertificateSubjectRestriction: certificateSubjectRestriction,
  DefaultIngressClass: defaultIngressClass,
  DenyServiceExternalIPs: denyServiceExternalIPs,
  MutatingAdmissionWebhook: mutatingAdmissionWebhook,
  ValidatingAdmissionWebhook: validatingAdmissionWebhook,
  ResourceQuota: resourceQuota,
  AlwaysDeny: alwaysDeny,
};
