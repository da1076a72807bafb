/*
 * Where kube-apiserver 1.29 words a missing or unknown value differently from what the schema alone suggests, or accepts
 * it. The schema says which members OpenAPI calls required and which sets of values are closed; the rules of the kinds
 * decide. Kinds are named by group and message, since all versions of a kind share one set of rules.
 */

/** How one member departs from the general rule. */
export interface MemberRule {
  /** Not checked here: kube-apiserver accepts it, or the rules of the kind find words of their own. */
  readonly unchecked?: true;
  /** It may be missing or empty after all; what is there is checked. */
  readonly optional?: true;
  /** The text after `Required value`. */
  readonly detail?: string;
  /** The empty string is an unsupported value like any other, not a missing one. */
  readonly emptyIsUnsupported?: true;
  /** Supported values are listed as declared instead of sorted. */
  readonly declaredOrder?: true;
  /** The supported values, where they are not those of the schema. */
  readonly supported?: readonly string[];
}

const unchecked: MemberRule = { unchecked: true };
const optional: MemberRule = { optional: true };
const declaredOrder: MemberRule = { declaredOrder: true };
const detail = (text: string): MemberRule => ({ detail: text });

const needsVerb = detail("verbs must contain at least one value");
const noEmptyKey = detail("can not be empty");

const memberRules: Readonly<Record<string, Readonly<Record<string, MemberRule>>>> = {
  "admissionregistration.AuditAnnotation": { key: unchecked, valueExpression: unchecked },
  "admissionregistration.MutatingWebhook": {
    sideEffects: { detail: "must specify one of None, NoneOnDryRun", supported: ["None", "NoneOnDryRun"] },
    admissionReviewVersions: detail("must specify one of v1, v1beta1"),
  },
  "admissionregistration.ParamRef": { parameterNotFoundAction: unchecked },
  "admissionregistration.ServiceReference": {
    name: detail("service name is required"),
    namespace: detail("service namespace is required"),
  },
  "admissionregistration.ValidatingWebhook": {
    sideEffects: { detail: "must specify one of None, NoneOnDryRun", supported: ["None", "NoneOnDryRun"] },
    admissionReviewVersions: detail("must specify one of v1, v1beta1"),
  },
  "admissionregistration.Validation": { expression: unchecked },
  "admissionregistration.Variable": { name: unchecked, expression: unchecked },
  "apps.DaemonSetSpec": { selector: unchecked },
  "apps.DaemonSetUpdateStrategy": { type: declaredOrder },
  "apps.StatefulSetSpec": { serviceName: unchecked, podManagementPolicy: unchecked },
  "apps.StatefulSetUpdateStrategy": { type: unchecked },
  "autoscaling.ContainerResourceMetricSource": {
    name: detail("must specify a resource name"),
    container: detail("must specify a container"),
  },
  "autoscaling.HPAScalingPolicy": { type: unchecked },
  "autoscaling.MetricIdentifier": { name: detail("must specify a metric name") },
  "autoscaling.MetricSpec": { type: detail("must specify a metric source type") },
  "autoscaling.MetricTarget": { type: detail("must specify a metric target type") },
  "autoscaling.ResourceMetricSource": { name: detail("must specify a resource name") },
  "batch.JobSpec": { completionMode: declaredOrder },
  "batch.PodFailurePolicy": { rules: optional },
  "batch.PodFailurePolicyOnExitCodesRequirement": {
    operator: detail('valid values: ["In" "NotIn"]'),
    values: unchecked,
  },
  "batch.PodFailurePolicyOnPodConditionsPattern": { type: unchecked, status: unchecked },
  "batch.PodFailurePolicyRule": { action: detail('valid values: ["Count" "FailIndex" "FailJob" "Ignore"]') },
  "certificates.CertificateSigningRequestSpec": { request: unchecked },
  "certificates.ClusterTrustBundleSpec": { trustBundle: unchecked },
  "core.Binding": { target: unchecked },
  "core.ContainerResizePolicy": { resourceName: unchecked, restartPolicy: unchecked },
  "core.EndpointAddress": { ip: unchecked },
  "core.HTTPHeader": { name: unchecked, value: unchecked },
  "core.LimitRangeItem": { type: unchecked },
  "core.LimitRangeSpec": { limits: optional },
  "core.NodeSelector": { nodeSelectorTerms: detail("must have at least one node selector term") },
  "core.NodeSelectorRequirement": { key: unchecked, operator: unchecked },
  "core.PodAffinityTerm": { topologyKey: noEmptyKey },
  "core.PodOS": { name: detail("cannot be empty") },
  "core.PodReadinessGate": { conditionType: unchecked },
  "core.PodSchedulingGate": { name: unchecked },
  "core.PodSpec": { restartPolicy: declaredOrder, dnsPolicy: declaredOrder, preemptionPolicy: declaredOrder },
  "core.QuobyteVolumeSource": {
    registry: detail("must be a host:port pair or multiple pairs separated by commas"),
  },
  "core.RangeAllocation": { range: unchecked, data: unchecked },
  "core.ScaleIOPersistentVolumeSource": { secretRef: optional },
  "core.ScaleIOVolumeSource": { secretRef: optional },
  "core.ScopedResourceSelectorRequirement": { scopeName: unchecked, operator: unchecked },
  "core.SeccompProfile": { type: detail("type is required when seccompProfile is set") },
  // Whether a policy makes sense depends on the type of the service.
  "core.ServiceSpec": { externalTrafficPolicy: unchecked },
  "core.Sysctl": { value: unchecked },
  "core.Taint": { key: unchecked, effect: declaredOrder },
  "core.Toleration": { effect: declaredOrder },
  "core.TopologySelectorLabelRequirement": { key: unchecked },
  "core.TopologySpreadConstraint": { topologyKey: noEmptyKey, whenUnsatisfiable: { emptyIsUnsupported: true } },
  "discovery.Endpoint": { addresses: detail("must contain at least 1 address") },
  "discovery.EndpointSlice": { endpoints: optional },
  "discovery.ForZone": { name: unchecked },
  "flowcontrol.FlowDistinguisherMethod": { type: unchecked },
  "flowcontrol.LimitResponse": { type: unchecked },
  "flowcontrol.NonResourcePolicyRule": { verbs: needsVerb, nonResourceURLs: unchecked },
  "flowcontrol.PolicyRulesWithSubjects": { subjects: detail("subjects must contain at least one value") },
  "flowcontrol.PriorityLevelConfigurationReference": { name: detail("must reference a priority level") },
  "flowcontrol.PriorityLevelConfigurationSpec": { type: unchecked },
  "flowcontrol.ResourcePolicyRule": {
    verbs: needsVerb,
    apiGroups: detail("resource rules must supply at least one api group"),
    resources: detail("resource rules must supply at least one resource"),
  },
  "flowcontrol.ServiceAccountSubject": {
    name: unchecked,
    namespace: detail("must specify namespace for service account"),
  },
  "flowcontrol.Subject": { kind: unchecked },
  "networking.HTTPIngressPath": { pathType: detail("pathType must be specified") },
  "networking.IngressClassParametersReference": { kind: detail("kind is required"), name: detail("name is required") },
  "networking.NetworkPolicyPort": { protocol: declaredOrder },
  "node.RuntimeClass": { handler: unchecked },
  "rbac.PolicyRule": { verbs: needsVerb },
  "rbac.RoleRef": { apiGroup: unchecked, kind: unchecked },
  "rbac.Subject": { kind: unchecked },
  "resource.ResourceClassParametersReference": { kind: unchecked, name: unchecked },
  "scheduling.PriorityClass": { preemptionPolicy: declaredOrder },
  "storage.CSINodeSpec": { drivers: optional },
  "storage.CSIStorageCapacity": { storageClassName: unchecked },
  "storage.StorageClass": { reclaimPolicy: { supported: ["Delete", "Retain"] } },
  "storage.TokenRequest": { audience: unchecked },
  "storage.VolumeAttachmentSpec": { nodeName: unchecked },
};

// Groups whose kinds are reviews, or have rules of which the schema says next to nothing.
const uncheckedGroups: ReadonlySet<string> = new Set([
  "admission",
  "apidiscovery",
  "apiextensions",
  "audit",
  "authentication",
  "authorization",
  "events",
  "imagepolicy",
  // Labels, owners and managed fields have checks of their own (object-meta.ts), selectors, too.
  "meta",
]);

/** How the members of a message depart from the general rule; undefined when no member of it is checked at all. */
export function structuralRulesOf(messageName: string): Readonly<Record<string, MemberRule>> | undefined {
  const parts = messageName.split(".");
  const message = parts.at(-1) ?? "";
  const group = parts.at(-3) ?? "";
  // Status is written by controllers, and kube-apiserver looks at little of it.
  if (uncheckedGroups.has(group) || message.endsWith("Status")) {
    return undefined;
  }
  return memberRules[`${group}.${message}`] ?? {};
}
