import { isJsonObject, type JsonObject } from "../json.js";
import {
  declaredOrder,
  detail,
  type MemberRules,
  oneOf,
  optional,
  required,
  requiredWith,
  unchecked,
} from "./member-rule.js";

const needsVerb = detail("verbs must contain at least one value");

/** Nothing but the type says what an update strategy is; where it is unknown, Go shows all of it. */
function strategyText(message: string): (strategy: JsonObject) => string {
  return ({ type, rollingUpdate }) => {
    const details = isJsonObject(rollingUpdate) ? "0xc000000000" : "nil";
    return `apps.${message}{Type:${JSON.stringify(type ?? "")}, RollingUpdate:(*apps.${rollingUpdateOf[message]})(${details})}`;
  };
}

const rollingUpdateOf: Readonly<Record<string, string>> = {
  DaemonSetUpdateStrategy: "RollingUpdateDaemonSet",
  DeploymentStrategy: "RollingUpdateDeployment",
};

const webhook = {
  sideEffects: { detail: "must specify one of None, NoneOnDryRun", supported: ["None", "NoneOnDryRun"] },
  admissionReviewVersions: detail("must specify one of v1, v1beta1"),
} as const;

const webhookRule = {
  operations: { required: true, supported: ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"] },
  apiGroups: required,
  apiVersions: required,
  resources: required,
  scope: { supported: ["*", "Cluster", "Namespaced"] },
} as const;

const webhookOrder = [
  "name",
  "rules",
  "failurePolicy",
  "matchPolicy",
  "sideEffects",
  "reinvocationPolicy",
  "clientConfig",
  "matchConditions",
  "admissionReviewVersions",
];

const webhookRuleOrder = ["operations", "apiGroups", "apiVersions", "resources", "scope"];

const rbacGroup = oneOf("rbac.authorization.k8s.io");

/** How kube-apiserver 1.29 words what is wrong with the other groups, by group and message. */
export const groupRules: Readonly<Record<string, MemberRules>> = {
  "admissionregistration.AuditAnnotation": {
    key: unchecked,
    valueExpression: detail("valueExpression is not specified"),
  },
  "admissionregistration.MatchResources": { matchPolicy: { supported: ["Equivalent", "Exact"] } },
  "admissionregistration.MutatingWebhook": webhook,
  "admissionregistration.NamedRuleWithOperations": webhookRule,
  "admissionregistration.ParamKind": { apiVersion: required, kind: required },
  "admissionregistration.ParamRef": {
    parameterNotFoundAction: { required: true, supported: ["Allow", "Deny"] },
  },
  "admissionregistration.RuleWithOperations": webhookRule,
  "admissionregistration.ServiceReference": {
    name: detail("service name is required"),
    namespace: detail("service namespace is required"),
  },
  "admissionregistration.ValidatingAdmissionPolicyBindingSpec": {
    policyName: required,
    validationActions: {
      ...requiredWith("at least one validation action is required"),
      supported: ["Audit", "Deny", "Warn"],
    },
  },
  "admissionregistration.ValidatingAdmissionPolicySpec": {
    failurePolicy: { supported: ["Fail", "Ignore"] },
    matchConstraints: required,
  },
  "admissionregistration.ValidatingWebhook": webhook,
  "admissionregistration.Validation": { expression: detail("expression is not specified") },
  "admissionregistration.Variable": {
    name: detail("name is not specified"),
    expression: detail("expression is not specified"),
  },
  "apiregistration.ServiceReference": { name: required, namespace: required },
  "apps.ControllerRevision": { data: requiredWith("data is mandatory") },
  "apps.DaemonSetSpec": { selector: unchecked },
  "apps.DaemonSetUpdateStrategy": {
    type: { declaredOrder: true, reportedAtHolder: true, shownAs: strategyText("DaemonSetUpdateStrategy") },
  },
  "apps.DeploymentStrategy": { type: { reportedAtHolder: true, shownAs: strategyText("DeploymentStrategy") } },
  // Claims are looked at when they are made.
  "apps.StatefulSetSpec": { serviceName: unchecked, podManagementPolicy: unchecked, volumeClaimTemplates: unchecked },
  "apps.StatefulSetUpdateStrategy": { type: unchecked },
  "autoscaling.ContainerResourceMetricSource": {
    name: detail("must specify a resource name"),
    container: detail("must specify a container"),
  },
  "autoscaling.HPAScalingPolicy": { type: unchecked },
  "autoscaling.MetricIdentifier": { name: detail("must specify a metric name") },
  "autoscaling.MetricSpec": {
    type: {
      detail: "must specify a metric source type",
      supported: ["ContainerResource", "External", "Object", "Pods", "Resource"],
    },
  },
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
  "certificates.CertificateSigningRequestSpec": { request: unchecked, usages: required },
  "certificates.ClusterTrustBundleSpec": { trustBundle: unchecked },
  "discovery.Endpoint": { addresses: detail("must contain at least 1 address") },
  "discovery.EndpointSlice": { endpoints: optional },
  "discovery.ForZone": { name: unchecked },
  "flowcontrol.FlowDistinguisherMethod": { type: oneOf("ByNamespace", "ByUser") },
  "flowcontrol.LimitResponse": { type: oneOf("Queue", "Reject") },
  "flowcontrol.NonResourcePolicyRule": { verbs: needsVerb, nonResourceURLs: unchecked },
  "flowcontrol.PolicyRulesWithSubjects": { subjects: detail("subjects must contain at least one value") },
  "flowcontrol.PriorityLevelConfigurationReference": { name: detail("must reference a priority level") },
  "flowcontrol.PriorityLevelConfigurationSpec": { type: oneOf("Exempt", "Limited") },
  "flowcontrol.ResourcePolicyRule": {
    verbs: needsVerb,
    apiGroups: detail("resource rules must supply at least one api group"),
    resources: detail("resource rules must supply at least one resource"),
  },
  "flowcontrol.ServiceAccountSubject": { namespace: detail("must specify namespace for service account") },
  "flowcontrol.Subject": { kind: oneOf("Group", "ServiceAccount", "User") },
  "networking.HTTPIngressPath": { pathType: detail("pathType must be specified") },
  "networking.IPAddressSpec": { parentRef: required },
  "networking.IngressBackend": {
    resource: {
      members: { kind: detail("kind is required"), name: detail("name is required") },
      order: ["kind", "name"],
    },
  },
  "networking.IngressClassParametersReference": { kind: detail("kind is required"), name: detail("name is required") },
  "networking.IngressClassSpec": { controller: required },
  "networking.NetworkPolicyPort": { protocol: declaredOrder },
  "networking.ParentReference": { resource: required, name: required },
  "networking.ServiceCIDRSpec": { cidrs: requiredWith("at least one CIDR required") },
  "node.RuntimeClass": { handler: unchecked },
  "rbac.ClusterRoleBinding": { roleRef: { members: { apiGroup: rbacGroup, kind: oneOf("ClusterRole") } } },
  "rbac.PolicyRule": { verbs: needsVerb },
  "rbac.RoleBinding": {
    roleRef: { members: { apiGroup: rbacGroup, kind: { ...oneOf("Role", "ClusterRole"), declaredOrder: true } } },
  },
  "rbac.Subject": { kind: { ...oneOf("ServiceAccount", "User", "Group"), declaredOrder: true } },
  "resource.ResourceClaimSpec": {
    resourceClassName: unchecked,
    allocationMode: oneOf("Immediate", "WaitForFirstConsumer"),
  },
  "scheduling.PriorityClass": { preemptionPolicy: declaredOrder },
  "storage.CSINodeSpec": { drivers: optional },
  "storage.CSIStorageCapacity": { storageClassName: unchecked },
  "storage.StorageClass": { reclaimPolicy: { supported: ["Delete", "Retain"] } },
  "storage.TokenRequest": { audience: unchecked },
  "storage.VolumeAttachmentSource": {
    inlineVolumeSpec: {
      members: { capacity: unchecked, csi: requiredWith("has to be specified in the context of inline volumes") },
      order: ["csi", "accessModes", "persistentVolumeReclaimPolicy"],
    },
  },
  "storage.VolumeAttachmentSpec": { nodeName: unchecked },
  "storage.VolumeAttributesClass": { parameters: requiredWith("must contain at least one key/value pair") },
};

/** What is checked first, where that is not the order of JSON. */
export const groupOrder: Readonly<Record<string, readonly string[]>> = {
  "admissionregistration.MatchCondition": ["expression", "name"],
  "admissionregistration.MutatingWebhook": webhookOrder,
  "admissionregistration.NamedRuleWithOperations": webhookRuleOrder,
  "admissionregistration.RuleWithOperations": webhookRuleOrder,
  "admissionregistration.ServiceReference": ["name", "namespace"],
  "admissionregistration.ValidatingAdmissionPolicySpec": [
    "failurePolicy",
    "paramKind",
    "matchConstraints",
    "matchConditions",
    "variables",
  ],
  "admissionregistration.ValidatingWebhook": webhookOrder,
  "autoscaling.ContainerResourceMetricSource": ["name", "container"],
  "certificates.CertificateSigningRequestSpec": ["usages", "signerName"],
  "flowcontrol.ServiceAccountSubject": ["name", "namespace"],
  "rbac.ClusterRoleBinding": ["roleRef", "subjects"],
  "rbac.RoleBinding": ["roleRef", "subjects"],
  "rbac.RoleRef": ["apiGroup", "kind", "name"],
  "rbac.Subject": ["name", "kind"],
};
