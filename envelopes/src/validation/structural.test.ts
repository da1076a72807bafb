import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../json.js";
import { schemaRegistry } from "../schema/registry.js";
import type { Field, ListType, ObjectSchema, ScalarSchema, Schema } from "../schema/schema.js";
import { invalid } from "../status/status-error.js";
import { validateStructure } from "./structural.js";

function errorsOf(apiVersion: string, kind: string, object: JsonObject): string[] {
  const [version = "", group = ""] = apiVersion.split("/").reverse();
  const found = schemaRegistry().kindSchema(group, version, kind);
  assert.ok(found, `${apiVersion} ${kind}`);
  return validateStructure(found.schema, object).map((error) => `${error.field}: ${error.message}`);
}

const container: JsonObject = { name: "c", image: "i" };
const podSpec: JsonObject = { containers: [container], restartPolicy: "Always", dnsPolicy: "ClusterFirst" };
const template: JsonObject = { metadata: { labels: { a: "b" } }, spec: podSpec };
const selector: JsonObject = { matchLabels: { a: "b" } };

const accepted: readonly [name: string, apiVersion: string, kind: string, object: JsonObject][] = [
  ["a deployment", "apps/v1", "Deployment", { spec: { selector, template, strategy: { type: "RollingUpdate" } } }],
  ["a stateful set without service name", "apps/v1", "StatefulSet", { spec: { selector, template } }],
  [
    "a stateful set whose claims lack everything",
    "apps/v1",
    "StatefulSet",
    { spec: { selector, template, volumeClaimTemplates: [{ spec: { volumeMode: "Odd" } }] } },
  ],
  [
    "a volume inside of an attachment, which has no capacity",
    "storage.k8s.io/v1",
    "VolumeAttachment",
    {
      spec: {
        attacher: "a",
        nodeName: "n",
        source: { inlineVolumeSpec: { csi: { driver: "d", volumeHandle: "h" }, accessModes: ["ReadWriteOnce"] } },
      },
    },
  ],
  ["an empty config map", "v1", "ConfigMap", {}],
  ["a service", "v1", "Service", { spec: { type: "ClusterIP", ports: [{ port: 80, protocol: "TCP" }, { port: 80 }] } }],
  [
    "a container port twice",
    "v1",
    "Pod",
    {
      spec: { ...podSpec, containers: [{ ...container, ports: [{ containerPort: 1 }, { containerPort: 1 }] }] },
    },
  ],
  [
    "a host path of no type",
    "v1",
    "Pod",
    { spec: { ...podSpec, volumes: [{ name: "v", hostPath: { path: "/", type: "" } }] } },
  ],
  [
    "an environment variable without value, and headers",
    "v1",
    "Pod",
    {
      spec: {
        ...podSpec,
        containers: [
          {
            ...container,
            env: [{ name: "E" }],
            livenessProbe: { httpGet: { port: 0, httpHeaders: [{ name: "H", value: "" }] } },
          },
        ],
      },
    },
  ],
  [
    "endpoints of IPv4",
    "discovery.k8s.io/v1",
    "EndpointSlice",
    {
      addressType: "IPv4",
      endpoints: [{ addresses: ["10.0.0.1", "10.0.0.1"] }],
      ports: [{ port: 80, protocol: "TCP" }],
    },
  ],
  ["an empty endpoint slice", "discovery.k8s.io/v1", "EndpointSlice", { addressType: "IPv6", endpoints: [] }],
  ["a network policy without rules", "networking.k8s.io/v1", "NetworkPolicy", { spec: {} }],
  ["a role without rules", "rbac.authorization.k8s.io/v1", "Role", {}],
  ["conditions that lack members", "v1", "Pod", { spec: podSpec, status: { conditions: [{}], phase: "Odd" } }],
  [
    "owners that lack members, which metadata has its own check for",
    "v1",
    "Pod",
    {
      metadata: { ownerReferences: [{}] },
      spec: podSpec,
    },
  ],
];

for (const [name, apiVersion, kind, object] of accepted) {
  test(`${name} is accepted`, () => assert.deepEqual(errorsOf(apiVersion, kind, object), []));
}

const rejected: readonly [apiVersion: string, kind: string, object: JsonObject, errors: readonly string[]][] = [
  ["apps/v1", "Deployment", {}, ["spec.selector: Required value", "spec.template.spec.containers: Required value"]],
  [
    "apps/v1",
    "Deployment",
    { spec: { selector: {}, template: { spec: { containers: [] } } } },
    ["spec.template.spec.containers: Required value"],
  ],
  [
    "apps/v1",
    "Deployment",
    { spec: { selector, template, strategy: { type: "Roll" } } },
    [
      'spec.strategy: Unsupported value: apps.DeploymentStrategy{Type:"Roll", RollingUpdate:(*apps.RollingUpdateDeployment)(nil)}: supported values: "Recreate", "RollingUpdate"',
    ],
  ],
  ["apps/v1", "DaemonSet", {}, ["spec.template.spec.containers: Required value"]],
  [
    "v1",
    "Pod",
    { spec: { ...podSpec, containers: [{}] } },
    ["spec.containers[0].name: Required value", "spec.containers[0].image: Required value"],
  ],
  [
    "v1",
    "Pod",
    { spec: { ...podSpec, restartPolicy: "Sometimes" } },
    ['spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"'],
  ],
  [
    "v1",
    "Pod",
    { spec: { ...podSpec, containers: [{ ...container, imagePullPolicy: "Maybe" }] } },
    [
      'spec.containers[0].imagePullPolicy: Unsupported value: "Maybe": supported values: "Always", "IfNotPresent", "Never"',
    ],
  ],
  [
    "v1",
    "Pod",
    { spec: { ...podSpec, containers: [container, { ...container, volumeMounts: [{ name: "", mountPath: "" }] }] } },
    [
      "spec.containers[1].volumeMounts[0].name: Required value",
      "spec.containers[1].volumeMounts[0].mountPath: Required value",
    ],
  ],
  [
    "v1",
    "Pod",
    { spec: { ...podSpec, topologySpreadConstraints: [{ maxSkew: 1 }] } },
    [
      "spec.topologySpreadConstraints[0].topologyKey: Required value: can not be empty",
      'spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "": supported values: "DoNotSchedule", "ScheduleAnyway"',
    ],
  ],
  [
    "v1",
    "Pod",
    { spec: { ...podSpec, securityContext: { seccompProfile: {} } } },
    ["spec.securityContext.seccompProfile.type: Required value: type is required when seccompProfile is set"],
  ],
  [
    "v1",
    "Service",
    { spec: { type: "Public", ports: [{ port: 80, protocol: "tcp" }] } },
    [
      'spec.ports[0].protocol: Unsupported value: "tcp": supported values: "SCTP", "TCP", "UDP"',
      'spec.type: Unsupported value: "Public": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
    ],
  ],
  [
    "discovery.k8s.io/v1",
    "EndpointSlice",
    { addressType: "IPX" },
    ['addressType: Unsupported value: "IPX": supported values: "FQDN", "IPv4", "IPv6"'],
  ],
  [
    "discovery.k8s.io/v1",
    "EndpointSlice",
    { endpoints: [{}] },
    ["addressType: Required value", "endpoints[0].addresses: Required value: must contain at least 1 address"],
  ],
  [
    "networking.k8s.io/v1",
    "Ingress",
    { spec: { rules: [{ http: {} }, { http: { paths: [{ backend: { service: {} } }] } }] } },
    [
      "spec.rules[0].http.paths: Required value",
      "spec.rules[1].http.paths[0].pathType: Required value: pathType must be specified",
      "spec.rules[1].http.paths[0].backend.service.name: Required value",
    ],
  ],
  [
    "networking.k8s.io/v1",
    "Ingress",
    { spec: { rules: [{ http: { paths: [{ pathType: "", backend: {} }] } }] } },
    [
      'spec.rules[0].http.paths[0].pathType: Unsupported value: "": supported values: "Exact", "ImplementationSpecific", "Prefix"',
    ],
  ],
  [
    "batch/v1",
    "CronJob",
    { spec: { concurrencyPolicy: "Perhaps", jobTemplate: { spec: { template } } } },
    [
      "spec.schedule: Required value",
      'spec.concurrencyPolicy: Unsupported value: "Perhaps": supported values: "Allow", "Forbid", "Replace"',
    ],
  ],
  [
    "storage.k8s.io/v1",
    "StorageClass",
    { volumeBindingMode: "Later", reclaimPolicy: "Recycle" },
    [
      "provisioner: Required value",
      'reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"',
      'volumeBindingMode: Unsupported value: "Later": supported values: "Immediate", "WaitForFirstConsumer"',
    ],
  ],
  [
    "v1",
    "PersistentVolumeClaim",
    { spec: { accessModes: [] } },
    ["spec.accessModes: Required value: at least 1 access mode is required"],
  ],
  [
    "v1",
    "PersistentVolumeClaim",
    { spec: { accessModes: ["ReadWriteOnce", "Any"], dataSource: {} } },
    [
      'spec.accessModes: Unsupported value: "Any": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
      "spec.dataSource.name: Required value",
      "spec.dataSource.kind: Required value",
    ],
  ],
  [
    "v1",
    "PersistentVolume",
    { spec: { capacity: {}, csi: { controllerPublishSecretRef: { name: "s" } } } },
    [
      "spec.accessModes: Required value",
      "spec.capacity: Required value",
      "spec.csi.driver: Required value",
      "spec.csi.volumeHandle: Required value",
      "spec.csi.controllerPublishSecretRef.namespace: Required value",
    ],
  ],
  [
    "v1",
    "Pod",
    {
      spec: {
        ...podSpec,
        initContainers: [{ ...container, image: "" }],
        containers: [
          {
            ...container,
            terminationMessagePolicy: "Screen",
            envFrom: [{ configMapRef: {} }],
            resources: { claims: [{ name: "" }] },
          },
        ],
        volumes: [{ name: "v", secret: {} }],
      },
    },
    [
      "spec.volumes[0].secret.secretName: Required value",
      'spec.containers[0].terminationMessagePolicy: Unsupported value: "Screen": supported values: "File", "FallbackToLogsOnError"',
      "spec.containers[0].envFrom[0].configMapRef.name: Required value",
      "spec.containers[0].resources.claims[0]: Required value",
      "spec.initContainers[0].image: Required value",
    ],
  ],
  ["v1", "ReplicationController", { spec: {} }, ["spec.selector: Required value", "spec.template: Required value"]],
  ["apps/v1", "ControllerRevision", { revision: 1 }, ["data: Required value: data is mandatory"]],
  [
    "apps/v1",
    "DaemonSet",
    { spec: { selector, template, updateStrategy: { type: "Never" } } },
    [
      'spec.updateStrategy: Unsupported value: apps.DaemonSetUpdateStrategy{Type:"Never", RollingUpdate:(*apps.RollingUpdateDaemonSet)(nil)}: supported values: "RollingUpdate", "OnDelete"',
    ],
  ],
  [
    "networking.k8s.io/v1",
    "Ingress",
    { spec: { defaultBackend: { resource: {} } } },
    [
      "spec.defaultBackend.resource.kind: Required value: kind is required",
      "spec.defaultBackend.resource.name: Required value: name is required",
    ],
  ],
  ["networking.k8s.io/v1", "IngressClass", { spec: {} }, ["spec.controller: Required value"]],
  ["networking.k8s.io/v1alpha1", "IPAddress", { spec: {} }, ["spec.parentRef: Required value"]],
  [
    "networking.k8s.io/v1alpha1",
    "ServiceCIDR",
    { spec: {} },
    ["spec.cidrs: Required value: at least one CIDR required"],
  ],
];

for (const [apiVersion, kind, object, errors] of rejected) {
  test(`${kind} ${JSON.stringify(object)} is rejected`, () => {
    assert.deepEqual(errorsOf(apiVersion, kind, object), errors);
  });
}

test("every kind can be checked, empty or not", () => {
  for (const kind of schemaRegistry().kinds()) {
    validateStructure(kind.schema, {});
    validateStructure(kind.schema, { spec: null });
  }
});

const text: ScalarSchema = { type: "scalar", scalar: "string", enum: undefined };

function listOf(items: Schema, listType: ListType, listMapKeys: readonly string[] = []): Schema {
  return { type: "list", items, listType, listMapKeys, wrapped: false };
}

function custom(fields: Readonly<Record<string, Schema>>, required: readonly string[] = []): ObjectSchema {
  const list = Object.entries(fields).map(
    ([name, schema]): Field => ({
      name,
      schema,
      description: "",
      number: undefined,
      inline: false,
      pointer: false,
      omitEmpty: false,
      required: required.includes(name),
      default: undefined,
      patchStrategy: [],
      patchMergeKey: undefined,
    }),
  );
  return {
    type: "object",
    name: "",
    description: "",
    fields: list,
    properties: new Map(list.map((field) => [field.name, field])),
    mapType: undefined,
    hasProtobuf: false,
  };
}

test("custom kinds: required is about presence, sets and maps have no duplicates, limits hold", () => {
  const item = custom({ name: text, port: { type: "scalar", scalar: "int32", enum: undefined } });
  const schema = custom({
    spec: custom(
      {
        name: text,
        size: { type: "scalar", scalar: "int64", enum: undefined, minimum: 1, maximum: 3 },
        code: { ...text, minLength: 2, maxLength: 3 },
        color: { ...text, enum: ["red", "blue"] },
        tags: listOf(text, "set"),
        ports: listOf(item, "map", ["name", "port"]),
        byKey: { type: "map", values: custom({ x: text }, ["x"]), mapType: undefined },
      },
      ["name", "size"],
    ),
  });
  const check = (spec: JsonObject) =>
    validateStructure(schema, { spec }).map((error) => `${error.field}: ${error.message}`);
  assert.deepEqual(check({ name: "", size: 2, code: "🎈🎈🎈", color: "red" }), []);
  assert.deepEqual(
    check({
      size: 4,
      code: "a",
      color: "",
      tags: ["a", "b", "a"],
      ports: [{ name: "a", port: 1 }, { name: "a", port: 2 }, { name: "a" }, { name: "a" }, { name: "a", port: 1 }],
      byKey: { "a.b": {} },
    }),
    [
      "spec.name: Required value",
      "spec.size: Invalid value: 4: spec.size in body should be less than or equal to 3",
      'spec.code: Invalid value: "a": spec.code in body should be at least 2 chars long',
      'spec.color: Unsupported value: "": supported values: "red", "blue"',
      'spec.tags[2]: Duplicate value: "a"',
      'spec.ports[4]: Duplicate value: map[string]interface {}{"name":"a", "port":1}',
      "spec.byKey[a.b].x: Required value",
    ],
  );
});

test("a schema that contains itself is checked to any depth", () => {
  const fields: Field[] = [];
  const properties = new Map<string, Field>();
  const node: ObjectSchema = { ...custom({}), fields, properties };
  const [name] = custom({ name: text }, ["name"]).fields;
  const [next] = custom({ next: node }).fields;
  assert.ok(name && next);
  fields.push(next, name);
  properties.set("next", next).set("name", name);
  assert.deepEqual(
    validateStructure(node, { name: "a", next: { next: { name: "c" } } }).map((error) => error.field),
    ["next.name"],
  );
});

test("a thousand mistakes and one are looked for, and the answer lists a thousand and says that there are more", () => {
  const pod = schemaRegistry().kindSchema("", "v1", "Pod");
  assert.ok(pod !== undefined);
  const errors = validateStructure(pod.schema, { spec: { containers: Array.from({ length: 100_000 }, () => ({})) } });
  assert.ok(errors.length > 1_000 && errors.length <= 1_002, String(errors.length));
  const { status } = invalid({ group: "", kind: "Pod" }, "a", errors);
  const causes = status.details?.causes ?? [];
  assert.equal(causes.length, 1_001);
  assert.deepEqual(causes.at(-1), { message: "more errors than the first 1000, which are listed here" });
  assert.ok(status.message?.endsWith(", more errors than the first 1000, which are listed here]"));
});
