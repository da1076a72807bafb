// Flags of the servers of the areas about expressions, v1.29's and ours alike.

/** The policy of audit: one event for each request, when it is complete. */
export const auditPolicy = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  omitStages: ["RequestReceived", "ResponseStarted"],
  rules: [{ level: "Metadata" }],
};

/** Plugins that would refuse or change objects of the cases for reasons of their own. */
export const pluginsOff = [
  ...["ServiceAccount", "PodSecurity", "LimitRanger", "ResourceQuota", "Priority", "DefaultTolerationSeconds"],
  ...["DefaultStorageClass", "StorageObjectInUseProtection", "RuntimeClass", "DefaultIngressClass"],
  ...["TaintNodesByCondition", "CertificateApproval", "CertificateSigning", "CertificateSubjectRestriction"],
  "PersistentVolumeClaimResize",
];

/** RBAC, because expressions ask the authorizer. */
export const sharedFlags = [
  "--authorization-mode=RBAC",
  "--feature-gates=ValidatingAdmissionPolicy=true",
  "--runtime-config=api/all=true",
  `--disable-admission-plugins=${pluginsOff.join(",")}`,
];

/** Controllers of ours whose like does not run beside v1.29's server: what they write would be seen as a difference. */
export const otherControllers = [
  ...["serviceaccount-controller", "serviceaccount-token-controller", "certificatesigningrequest-signing-controller"],
  ...["root-ca-certificate-publisher-controller", "clusterrole-aggregation-controller", "namespace-controller"],
  ...["pod-garbage-collector-controller", "garbage-collector-controller", "disruption-controller"],
  ...["resourcequota-controller", "persistentvolumeclaim-protection-controller"],
  "persistentvolume-protection-controller",
];
