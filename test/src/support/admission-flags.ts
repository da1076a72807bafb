/**
 * Turns off the admission plugins that change objects or refuse them, but for what namespaces need: for tests whose
 * objects are compared whole, and for answers that were recorded from a server that ran without them. The oracle is to be started with the same flag.
 */
export const withoutAdmission = `--disable-admission-plugins=${[
  "LimitRanger",
  "ServiceAccount",
  "TaintNodesByCondition",
  "PodSecurity",
  "Priority",
  "DefaultTolerationSeconds",
  "DefaultStorageClass",
  "StorageObjectInUseProtection",
  "PersistentVolumeClaimResize",
  "RuntimeClass",
  "CertificateApproval",
  "CertificateSigning",
  "CertificateSubjectRestriction",
  "DefaultIngressClass",
  "ResourceQuota",
].join(",")}`;
