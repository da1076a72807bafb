import assert from "node:assert/strict";
import { test } from "node:test";
import { DecodeError } from "../errors.js";
import type { JsonObject, JsonValue } from "../json/json.js";
import { kindSchema, messageSchema } from "../schema/registry.js";
import type { ObjectSchema } from "../schema/schema.js";
import { decodeJson } from "./decode-json.js";
import { type EmptyMember, writeEmptyAsNull } from "./empty-members.js";
import { encodeJson } from "./encode-json.js";
import { parseJson } from "./parse-json.js";

function schemaOf(group: string, version: string, kind: string): ObjectSchema {
  const found = kindSchema(group, version, kind);
  assert.ok(found !== undefined);
  return found.schema;
}

const pod = schemaOf("", "v1", "Pod");
const deployment = schemaOf("apps", "v1", "Deployment");
const crd = schemaOf("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
const core = (name: string): ObjectSchema => messageSchema(`k8s.io.api.core.v1.${name}`);

test("members are written in wire order, with what Go never leaves out", () => {
  const { object } = decodeJson(deployment, {
    spec: { template: { spec: { containers: [{ image: "x", name: "a" }] } }, replicas: 0 },
    metadata: { name: "web" },
    apiVersion: "apps/v1",
    kind: "Deployment",
  });
  assert.equal(
    encodeJson(object),
    '{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"web","creationTimestamp":null},' +
      '"spec":{"replicas":0,"selector":null,"template":{"metadata":{"creationTimestamp":null},"spec":{"containers":' +
      '[{"name":"a","image":"x","resources":{}}]}},"strategy":{}},"status":{}}',
  );
});

test("null leaves a member unset, and a list or map item zero", () => {
  const { object } = decodeJson(core("PodSpec"), {
    containers: [null],
    nodeName: null,
    nodeSelector: { a: null },
    securityContext: null,
    overhead: { cpu: null },
  });
  assert.deepEqual(object, {
    containers: [{ name: "", resources: {} }],
    nodeSelector: { a: "" },
    overhead: { cpu: "0" },
  });
});

test("omitempty drops empty values but not set pointers", () => {
  const { object } = decodeJson(core("PodSpec"), {
    containers: [],
    volumes: [],
    nodeSelector: {},
    nodeName: "",
    hostNetwork: false,
    priority: 0,
    automountServiceAccountToken: false,
    securityContext: {},
  });
  assert.deepEqual(object, {
    containers: [],
    automountServiceAccountToken: false,
    securityContext: {},
    priority: 0,
  });
});

test("an empty list that is always written becomes null where storage would lose it", () => {
  const role = schemaOf("rbac.authorization.k8s.io", "v1", "Role");
  assert.deepEqual(decodeJson(role, { rules: [] }).object["rules"], []);
  assert.equal(decodeJson(role, { rules: [] }, { empty: "null" }).object["rules"], null);
  const rule = decodeJson(role, { rules: [{ verbs: [] }] }, { empty: "null" }).object;
  assert.deepEqual(rule["rules"], [{ verbs: null }]);
});

test("empty lists that are always written can be listed, and become null later", () => {
  const role = schemaOf("rbac.authorization.k8s.io", "v1", "Role");
  const empty: EmptyMember[] = [];
  const { object } = decodeJson(role, { rules: [{ verbs: [] }, { verbs: ["get"] }] }, { empty });
  const other = decodeJson(role, { rules: [] }, { empty }).object;
  decodeJson(role, { rules: null }, { empty });
  assert.deepEqual(object["rules"], [{ verbs: [] }, { verbs: ["get"] }]);
  assert.deepEqual(other["rules"], []);
  assert.equal(empty.length, 2);
  writeEmptyAsNull(empty);
  assert.deepEqual(object["rules"], [{ verbs: null }, { verbs: ["get"] }]);
  assert.equal(other["rules"], null);
});

test("scalars are written in their canonical form", () => {
  const { object } = decodeJson(pod, {
    metadata: { creationTimestamp: "2024-01-01T01:00:00.5+01:00", labels: { b: "2", a: "1" } },
    spec: {
      containers: [
        {
          name: "a",
          resources: { limits: { memory: "1024Mi", cpu: 0.5 } },
          livenessProbe: { httpGet: { port: "http" }, tcpSocket: { port: 80 } },
        },
      ],
    },
  });
  assert.equal(
    encodeJson(object),
    '{"metadata":{"creationTimestamp":"2024-01-01T00:00:00Z","labels":{"a":"1","b":"2"}},"spec":{"containers":[{"name":"a",' +
      '"resources":{"limits":{"cpu":"500m","memory":"1Gi"}},"livenessProbe":{"httpGet":{"port":"http"},"tcpSocket":{"port":80}}}]},' +
      '"status":{}}',
  );
});

test("structs that are no pointers are written although omitempty", () => {
  const port = decodeJson(core("ServicePort"), { port: 80 }).object;
  assert.deepEqual(port, { port: 80, targetPort: 0 });
  const revision = decodeJson(schemaOf("apps", "v1", "ControllerRevision"), {}).object;
  assert.equal(encodeJson(revision), '{"metadata":{"creationTimestamp":null},"data":null,"revision":0}');
});

test("unknown members are dropped and reported by path, with exact case", () => {
  const { object, unknownFields } = decodeJson(deployment, {
    foo: 1,
    metadata: { labels: { anything: "goes" }, Name: "x" },
    spec: {
      Replicas: 1,
      template: { spec: { containers: [{ name: "a" }, { name: "b", bar: { deep: 1 }, nothing: null }] } },
    },
  });
  assert.deepEqual(unknownFields, [
    "foo",
    "metadata.Name",
    "spec.Replicas",
    "spec.template.spec.containers[1].bar",
    "spec.template.spec.containers[1].nothing",
  ]);
  assert.ok(!encodeJson(object).includes("bar"));
});

test("no more than a hundred unknown members are reported", () => {
  const members = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`x${index}`, 1]));
  assert.equal(decodeJson(pod, members).unknownFields.length, 100);
});

const mismatches: readonly (readonly [string, ObjectSchema, JsonValue, string])[] = [
  [
    "a string for an int32",
    deployment,
    { spec: { replicas: "3" } },
    "cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32",
  ],
  [
    "a fraction for an int32",
    deployment,
    { spec: { replicas: 1.5 } },
    "cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32",
  ],
  [
    "a number beyond an int32",
    deployment,
    { spec: { replicas: 3000000000 } },
    "cannot unmarshal number 3000000000 into Go struct field DeploymentSpec.spec.replicas of type int32",
  ],
  [
    "a number for a string",
    deployment,
    { metadata: { name: 1 } },
    "cannot unmarshal number into Go struct field ObjectMeta.metadata.name of type string",
  ],
  [
    "a number for a label",
    deployment,
    { metadata: { labels: { a: 1 } } },
    "cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string",
  ],
  [
    "an array for labels",
    deployment,
    { metadata: { labels: [] } },
    "cannot unmarshal array into Go struct field ObjectMeta.metadata.labels of type map[string]string",
  ],
  [
    "an object for a list",
    pod,
    { spec: { containers: {} } },
    "cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container",
  ],
  [
    "a string for a struct",
    pod,
    { spec: "x" },
    "cannot unmarshal string into Go struct field Pod.spec of type v1.PodSpec",
  ],
  [
    "a number for a named string",
    pod,
    { spec: { dnsPolicy: 1 } },
    "cannot unmarshal number into Go struct field PodSpec.spec.dnsPolicy of type v1.DNSPolicy",
  ],
  [
    "a member of a list item",
    pod,
    { spec: { containers: [{ ports: [{ protocol: true }] }] } },
    "cannot unmarshal bool into Go struct field ContainerPort.spec.containers.ports.protocol of type v1.Protocol",
  ],
  [
    "a member of an inlined struct",
    pod,
    { spec: { volumes: [{ emptyDir: [] }] } },
    "cannot unmarshal array into Go struct field Volume.spec.volumes.emptyDir of type v1.EmptyDirVolumeSource",
  ],
  [
    "a list of resources",
    pod,
    { spec: { containers: [{ resources: { limits: [] } }] } },
    "cannot unmarshal array into Go struct field ResourceRequirements.spec.containers.resources.limits of type v1.ResourceList",
  ],
  [
    "a boolean for a port",
    pod,
    { spec: { containers: [{ livenessProbe: { httpGet: { port: true } } }] } },
    "cannot unmarshal bool into Go struct field HTTPGetAction.spec.containers.livenessProbe.httpGet.port of type int32",
  ],
  [
    "a number for a time",
    pod,
    { metadata: { creationTimestamp: 1 } },
    "cannot unmarshal number into Go struct field ObjectMeta.metadata.creationTimestamp of type string",
  ],
  ["a list at the top", pod, [], "cannot unmarshal array into Go value of type v1.Pod"],
  [
    "a string for extra values",
    schemaOf("authentication.k8s.io", "v1", "TokenReview"),
    { status: { user: { extra: { a: "b" } } } },
    "cannot unmarshal string into Go struct field UserInfo.status.user.extra of type v1.ExtraValue",
  ],
  [
    "a schema inside a union",
    crd,
    { spec: { versions: [{ schema: { openAPIV3Schema: { properties: { a: { items: { maximum: "x" } } } } } }] } },
    "cannot unmarshal string into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema.properties.items of type float64",
  ],
];

for (const [name, schema, value, message] of mismatches) {
  test(`${name} is refused in Go's words`, () => {
    assert.throws(() => decodeJson(schema, value), { name: DecodeError.name, message: `json: ${message}` });
  });
}

const invalidScalars: readonly (readonly [string, JsonObject, string])[] = [
  [
    "quantity",
    { spec: { containers: [{ resources: { limits: { cpu: "1x" } } }] } },
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  ],
  [
    "quantity of the wrong type",
    { spec: { overhead: { cpu: true } } },
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  ],
  [
    "time",
    { metadata: { creationTimestamp: "now" } },
    'parsing time "now" as "2006-01-02T15:04:05Z07:00": cannot parse "now" as "2006"',
  ],
];

for (const [name, value, message] of invalidScalars) {
  test(`an invalid ${name} is refused in Go's words`, () => {
    assert.throws(() => decodeJson(pod, value), { name: DecodeError.name, message });
  });
}

test("what a type says that reads itself is told rather than an earlier value of a wrong type", () => {
  const quantity = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  const cases: readonly (readonly [JsonObject, string])[] = [
    [{ metadata: 1, spec: { containers: [{ name: 2, resources: { limits: { cpu: "1x" } } }] } }, quantity],
    [
      { spec: { containers: [{ name: true, ports: "x", livenessProbe: { tcpSocket: { port: {} } } }] } },
      "json: cannot unmarshal object into Go struct field TCPSocketAction.spec.containers.livenessProbe.tcpSocket.port of type int32",
    ],
    [
      { spec: { containers: [{ name: true, ports: "x" }] } },
      "json: cannot unmarshal bool into Go struct field Container.spec.containers.name of type string",
    ],
  ];
  for (const [value, message] of cases) {
    assert.throws(() => decodeJson(pod, value), { name: DecodeError.name, message });
  }
});

test("bytes may come as a list of numbers", () => {
  const secret = schemaOf("", "v1", "Secret");
  assert.deepEqual(decodeJson(secret, { data: { a: [104, null, 105] } }).object["data"], { a: "aABp" });
  for (const [item, found] of [
    ["x", "string"],
    [256, "number 256"],
  ] as const) {
    const message = `json: cannot unmarshal ${found} into Go struct field Secret.data of type uint8`;
    assert.throws(() => decodeJson(secret, { data: { a: [item] } }), { name: DecodeError.name, message });
  }
});

test("invalid base64 is refused in Go's words", () => {
  const secret = schemaOf("", "v1", "Secret");
  assert.throws(() => decodeJson(secret, { data: { a: "a-b=" } }), { message: "illegal base64 data at input byte 1" });
  assert.throws(() => decodeJson(secret, { data: { b: "aGVsbG8-", a: "-" } }), {
    message: "illegal base64 data at input byte 7",
  });
});

test("the unions of JSONSchemaProps take each of their forms", () => {
  const props = messageSchema("k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps");
  const value = {
    items: [{ type: "string" }],
    additionalProperties: { type: "object", unknownHere: 1 },
    additionalItems: false,
    dependencies: { a: ["b"], c: { type: "number" }, d: null },
    default: { any: [1] },
    enum: ["a", 1, null],
  };
  const { object, unknownFields } = decodeJson(props, value);
  assert.deepEqual(object, {
    default: { any: [1] },
    enum: ["a", 1, null],
    items: [{ type: "string" }],
    additionalProperties: { type: "object" },
    dependencies: { a: ["b"], c: { type: "number" }, d: null },
    additionalItems: false,
  });
  assert.deepEqual(unknownFields, []);
  assert.throws(() => decodeJson(props, { additionalItems: "x" }), { message: "boolean or JSON schema expected" });
});

test("schemas nested without end are refused before they exhaust the stack", () => {
  const props = messageSchema("k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps");
  for (const step of [
    (inner: JsonObject) => ({ properties: { a: inner } }),
    (inner: JsonObject) => ({ items: [inner] }),
  ]) {
    let value: JsonObject = {};
    for (let i = 0; i < 5000; i++) {
      value = step(value);
    }
    assert.throws(() => decodeJson(props, value), { message: "json: exceeded max depth" });
  }
});

test("map keys such as __proto__ are data", () => {
  const value = JSON.parse(
    '{"metadata":{"labels":{"__proto__":"x","constructor":"y"}},"__proto__":{"a":1}}',
  ) as JsonObject;
  const { object, unknownFields } = decodeJson(pod, value);
  assert.deepEqual(unknownFields, ["__proto__"]);
  assert.ok(encodeJson(object).includes('"labels":{"__proto__":"x","constructor":"y"}'));
  assert.equal(Object.getPrototypeOf(object), Object.prototype);
});

test("free-form members are copied, not shared", () => {
  const data = { a: [1, { b: 2 }] };
  const { object } = decodeJson(schemaOf("apps", "v1", "ControllerRevision"), { data });
  assert.deepEqual(object["data"], data);
  assert.notEqual(object["data"], data);
});

/** Decodes JSON text as a request body is decoded. */
function decodeText(schema: ObjectSchema, text: string): JsonObject {
  const { value, asWritten } = parseJson(text);
  return decodeJson(schema, value, { asWritten }).object;
}

test("a member given twice is decoded into what the first left behind, as in Go", () => {
  const configMap = schemaOf("", "v1", "ConfigMap");
  const cases: readonly (readonly [text: string, expected: JsonObject])[] = [
    ['{"data":{"a":"1"},"data":{"b":"2"}}', { data: { a: "1", b: "2" } }],
    ['{"data":{"a":"1"},"data" :{"b":"2"},"data":{"a":"3"}}', { data: { a: "3", b: "2" } }],
    ['{"data":{"a":"1"},"data":null}', {}],
    ['{"data":{"a":"1","a":null}}', { data: { a: "" } }],
    ['{"immutable":true,"immutable":null}', {}],
  ];
  for (const [text, expected] of cases) {
    const { metadata: _metadata, ...rest } = decodeText(configMap, text);
    assert.deepEqual(rest, expected, text);
  }
  const { metadata } = decodeText(
    configMap,
    '{"metadata":{"name":"x","name":null,"generation":5,"generation":null},"metadata":{"labels":{"q":"r"}}}',
  );
  assert.deepEqual(metadata, { name: "x", generation: 5, creationTimestamp: null, labels: { q: "r" } });
  const { spec } = decodeText(
    schemaOf("", "v1", "Pod"),
    '{"spec":{"containers":[{"name":"a","image":"x"},{"name":"z"}],"containers":[{"name":"b"}]}}',
  );
  assert.deepEqual(spec, { containers: [{ name: "b", image: "x", resources: {} }] });
});

test("free-form JSON takes the last of a member given twice", () => {
  const text = '{"data":{"a":{"x":1},"a":{"y":1.0}},"revision":1}';
  assert.deepEqual(decodeText(schemaOf("apps", "v1", "ControllerRevision"), text)["data"], { a: { y: 1 } });
});

test("an integer is written without a point and without an exponent", () => {
  const deployment = schemaOf("apps", "v1", "Deployment");
  for (const number of ["1.0", "1e2", "1E0", "-1.0", "1.5"]) {
    assert.throws(() => decodeText(deployment, `{"spec":{"replicas":${number}}}`), {
      message: `json: cannot unmarshal number ${number} into Go struct field DeploymentSpec.spec.replicas of type int32`,
    });
  }
  assert.throws(() => decodeText(deployment, '{"spec":{"replicas":9223372036854775808}}'), {
    message:
      "json: cannot unmarshal number 9223372036854775808 into Go struct field DeploymentSpec.spec.replicas of type int32",
  });
  assert.throws(() => decodeText(deployment, '{"metadata":{"name":1.0}}'), {
    message: "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.name of type string",
  });
  const quota = decodeText(schemaOf("", "v1", "ResourceQuota"), '{"spec":{"hard":{"cpu":1e3,"memory":1.0}}}');
  assert.deepEqual(quota["spec"], { hard: { cpu: "1e3", memory: "1" } });
});

test("unknown members below long names are told as far as their paths are no longer than a few hundred KiB", () => {
  const [first, second] = ["n".repeat(50_000), "m".repeat(50_000)];
  const unknown = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`u${index}`, index]));
  const openAPIV3Schema = { properties: { [first]: { properties: { [second]: unknown } } } };
  const { unknownFields } = decodeJson(crd, { spec: { versions: [{ schema: { openAPIV3Schema } }] } });
  const path = `spec.versions[0].schema.openAPIV3Schema.properties.${first}.properties.${second}`;
  assert.deepEqual(unknownFields, [`${path}.u0`, `${path}.u1`, `${path}.u2`]);
});
