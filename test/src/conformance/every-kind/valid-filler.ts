import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import type { Field, ObjectSchema, ScalarSchema, Schema } from "@gatehouse/envelopes/schema";
import { asObject } from "./subject.js";

/**
 * An object with every member set to something that v1.29 accepts, as far as a schema can tell. Of members that exclude
 * each other each gets an item of its own where they stand in a list; elsewhere the first is taken.
 */
export function filledValidly(schema: ObjectSchema): JsonObject {
  return fillObject(schema, { inside: [], choice: 0 });
}

interface Way {
  /** Names of the messages around. */
  readonly inside: readonly string[];
  /** Index of the set member among those that exclude each other. */
  readonly choice: number;
}

/** Structs of which at most one member may be set, with the members that may stand beside it. */
const alternatives: ReadonlyMap<string, readonly string[]> = new Map([
  ["core.v1.EnvVarSource", []],
  ["core.v1.LifecycleHandler", []],
  ["core.v1.PersistentVolumeSource", []],
  ["core.v1.ProbeHandler", []],
  ["core.v1.ClaimSource", []],
  ["core.v1.VolumeProjection", []],
  ["core.v1.VolumeSource", []],
  ["storage.v1.VolumeAttachmentSource", []],
  ["networking.v1.IngressBackend", []],
  ["networking.v1.ServiceBackendPort", []],
  ["networking.v1.NetworkPolicyPeer", []],
  ["admissionregistration.v1.WebhookClientConfig", []],
  ["admissionregistration.v1beta1.ParamRef", ["namespace", "parameterNotFoundAction"]],
  ["admissionregistration.v1alpha1.ParamRef", ["namespace", "parameterNotFoundAction"]],
]);

function fillObject(schema: ObjectSchema, way: Way): JsonObject {
  const object: JsonObject = {};
  const name = schema.name.replace(/^k8s\.io\.api\./, "");
  const beside = alternatives.get(name);
  const fields = schema.fields.filter((field) => !isLeftOut(schema, field));
  const choices = beside === undefined ? [] : fields.filter((field) => !beside.includes(field.name));
  const chosen = choices[way.choice % Math.max(1, choices.length)];
  // JSONSchemaProps contains itself, in more than a dozen members.
  for (const field of way.inside.includes(schema.name) ? [] : fields) {
    if (beside !== undefined && field !== chosen && !beside.includes(field.name)) {
      continue;
    }
    const inside = [...way.inside, schema.name];
    const value = fillField(schema, field, {
      inside,
      choice: field.inline || field.schema.type === "scalar" ? way.choice : 0,
    });
    if (field.inline) {
      Object.assign(object, value);
    } else {
      object[field.name] = value;
    }
  }
  const fixed = fixedMembers[name];
  return fixed === undefined ? object : Object.assign(object, fixed(object, way.choice));
}

/** Reports whether a member is left out: only the server writes it, or no client does any more. */
function isLeftOut(schema: ObjectSchema, field: Field): boolean {
  if (schema.name.endsWith(".ObjectMeta")) {
    return !["annotations", "labels"].includes(field.name);
  }
  return field.number === undefined && (field.name === "kind" || field.name === "apiVersion");
}

function fillField(holder: ObjectSchema, field: Field, way: Way): JsonValue {
  const { schema } = field;
  if (schema.type === "list") {
    const count = schema.items.type === "object" ? itemCount(schema.items) : 1;
    return Array.from({ length: count }, (_item, choice) => fillValue(schema.items, field, { ...way, choice }));
  }
  const known = knownValues[`${holder.name.split(".").at(-1)}.${field.name}`];
  return known ?? fillValue(schema, field, way);
}

/** One for each of the members that exclude each other. */
function itemCount(schema: ObjectSchema): number {
  for (const message of [schema, ...schema.fields.filter(({ inline }) => inline).map((field) => field.schema)]) {
    const beside =
      message.type === "object" ? alternatives.get(message.name.replace(/^k8s\.io\.api\./, "")) : undefined;
    if (message.type === "object" && beside !== undefined) {
      return message.fields.length - beside.length;
    }
  }
  return 1;
}

function fillValue(schema: Schema, field: Field, way: Way): JsonValue {
  switch (schema.type) {
    case "scalar":
      return fillScalar(schema, field, way);
    case "object":
      return fillObject(schema, way);
    case "list":
      return [fillValue(schema.items, field, way)];
    case "map":
      return { [mapKeys[field.name] ?? "example"]: fillValue(schema.values, field, way) };
    case "json":
      return { example: [1, "two"] };
    case "union":
      return schema.form === "schemaOrStrings" ? ["example"] : { type: "string" };
  }
}

function fillScalar(schema: ScalarSchema, field: Field, { choice }: Way): JsonValue {
  const number = Math.max(field.number ?? 1, schema.minimum ?? 1);
  switch (schema.scalar) {
    case "boolean":
      return true;
    case "int32":
    case "int64":
      return number;
    case "double":
      return number + 0.5;
    case "bytes":
      return Buffer.from(`bytes ${number}`).toString("base64");
    case "time":
      return "2024-01-02T03:04:05Z";
    case "microTime":
      return "2024-01-02T03:04:05.678901Z";
    case "duration":
      return `${number}s`;
    case "quantity":
      return `${number}500m`;
    case "intOrString":
      return number % 2 === 0 ? number : "named";
    default:
      return schema.enum?.find((value) => value !== "") ?? textFor(field.name, choice);
  }
}

function textFor(name: string, choice: number): string {
  return name === "name" ? `name-${choice}` : `${name.toLowerCase().replaceAll(/[^a-z0-9]/g, "")}-value`;
}

const mapKeys: Readonly<Record<string, string>> = { capacity: "storage", limits: "cpu", requests: "cpu" };

/** Members whose values must have a form or be one of a few that the schema does not list. */
const knownValues: Readonly<Record<string, JsonValue>> = {
  "AuditAnnotation.valueExpression": "'text'",
  "FlowDistinguisherMethod.type": "ByUser",
  "HorizontalPodAutoscalerStatus.currentCPUUtilizationPercentage": 40,
  "LabelSelectorRequirement.operator": "In",
  "LimitResponse.type": "Queue",
  "MatchResources.matchPolicy": "Exact",
  "MetricSpec.type": "Pods",
  // An older name of serviceAccountName.
  "PodSpec.serviceAccount": "serviceaccountname-value",
  "MutatingWebhook.sideEffects": "None",
  "ParamRef.parameterNotFoundAction": "Deny",
  "PriorityLevelConfigurationSpec.type": "Limited",
  "ResourceClaimSpec.allocationMode": "Immediate",
  "Rule.scope": "*",
  "RoleRef.apiGroup": "rbac.authorization.k8s.io",
  "RoleRef.kind": "ClusterRole",
  "ServiceSpec.externalTrafficPolicy": "Local",
  "ServiceSpec.type": "LoadBalancer",
  "Subject.apiGroup": "rbac.authorization.k8s.io",
  "StorageClass.reclaimPolicy": "Delete",
  "ValidatingWebhook.sideEffects": "None",
  "ValidatingAdmissionPolicySpec.failurePolicy": "Fail",
};

/** Members that follow from which other one was chosen. */
const fixedMembers: Readonly<Record<string, (object: JsonObject, choice: number) => JsonObject>> = {
  "admissionregistration.v1.RuleWithOperations": () => ({ operations: ["CREATE"] }),
  "admissionregistration.v1beta1.NamedRuleWithOperations": () => ({ operations: ["CREATE"] }),
  "admissionregistration.v1alpha1.NamedRuleWithOperations": () => ({ operations: ["CREATE"] }),
  "admissionregistration.v1beta1.ValidatingAdmissionPolicyBindingSpec": () => ({ validationActions: ["Deny"] }),
  "admissionregistration.v1alpha1.ValidatingAdmissionPolicyBindingSpec": () => ({ validationActions: ["Deny"] }),
  "apps.v1.DaemonSetSpec": findOwnPods,
  "apps.v1.DeploymentSpec": findOwnPods,
  "apps.v1.DeploymentStrategy": () => ({ type: "RollingUpdate" }),
  "apps.v1.ReplicaSetSpec": findOwnPods,
  "apps.v1.StatefulSetSpec": findOwnPods,
  "batch.v1.JobSpec": findOwnPods,
  // A key stands for one value.
  "core.v1.ConfigMap": () => ({ binaryData: { "binary.data": "AA==" } }),
  "core.v1.NamespaceSpec": () => ({ finalizers: ["example.com/finalizer"] }),
  // The same twice.
  "core.v1.NodeSpec": ({ podCIDR }) => ({ podCIDRs: [podCIDR as string] }),
  "core.v1.PersistentVolumeClaimSpec": () => ({ accessModes: ["ReadWriteOnce"] }),
  "core.v1.PersistentVolumeSpec": () => ({ accessModes: ["ReadOnlyMany"] }),
  "core.v1.PodStatus": ({ podIP }) => ({ podIPs: [{ ip: podIP as string }] }),
  "core.v1.ReplicationControllerSpec": ({ template }) => ({ selector: labelsOf(template) }),
  // Of the beta API; v1 drops it.
  "discovery.v1.Endpoint": (endpoint) => {
    delete endpoint["deprecatedTopology"];
    return {};
  },
  "flowcontrol.v1.Subject": () => ({ kind: "User" }),
  "flowcontrol.v1beta3.Subject": () => ({ kind: "User" }),
  // The server adds what is stored now.
  "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionStatus": () => ({
    storedVersions: ["name-0"],
  }),
  "rbac.v1.Subject": () => ({ kind: "User" }),
};

/** A selector of the client's own must find the pods. */
function findOwnPods({ template }: JsonObject): JsonObject {
  return { selector: { matchLabels: labelsOf(template) } };
}

function labelsOf(template: JsonValue | undefined): JsonObject {
  return asObject(asObject(asObject(template)["metadata"])["labels"]);
}
