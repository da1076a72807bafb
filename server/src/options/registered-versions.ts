/**
 * The versions that v1.29 has registered, by group: `--runtime-config` may name them all, although of some no resource is
 * served any more. Asked of kube-apiserver.
 */
export const registeredVersions: ReadonlyMap<string, readonly string[]> = new Map([
  ["", ["v1"]],
  ["admission.k8s.io", ["v1", "v1beta1"]],
  ["admissionregistration.k8s.io", ["v1", "v1alpha1", "v1beta1"]],
  ["apps", ["v1", "v1beta1", "v1beta2"]],
  ["authentication.k8s.io", ["v1", "v1alpha1", "v1beta1"]],
  ["authorization.k8s.io", ["v1", "v1beta1"]],
  ["autoscaling", ["v1", "v2", "v2beta1", "v2beta2"]],
  ["batch", ["v1", "v1beta1"]],
  ["certificates.k8s.io", ["v1", "v1alpha1", "v1beta1"]],
  ["coordination.k8s.io", ["v1", "v1beta1"]],
  ["discovery.k8s.io", ["v1", "v1beta1"]],
  ["events.k8s.io", ["v1", "v1beta1"]],
  ["extensions", ["v1beta1"]],
  ["flowcontrol.apiserver.k8s.io", ["v1", "v1beta1", "v1beta2", "v1beta3"]],
  ["imagepolicy.k8s.io", ["v1alpha1"]],
  ["internal.apiserver.k8s.io", ["v1alpha1"]],
  ["networking.k8s.io", ["v1", "v1alpha1", "v1beta1"]],
  ["node.k8s.io", ["v1", "v1alpha1", "v1beta1"]],
  ["policy", ["v1", "v1beta1"]],
  ["rbac.authorization.k8s.io", ["v1", "v1alpha1", "v1beta1"]],
  ["resource.k8s.io", ["v1alpha2"]],
  ["scheduling.k8s.io", ["v1", "v1alpha1", "v1beta1"]],
  ["storage.k8s.io", ["v1", "v1alpha1", "v1beta1"]],
  ["apiextensions.k8s.io", ["v1", "v1beta1"]],
  ["apiregistration.k8s.io", ["v1", "v1beta1"]],
]);
