import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeJson, unwrapEnvelope } from "@gatehouse/envelopes/codec";
import { createDefaulting } from "@gatehouse/envelopes/defaults";
import { defaultFeatures } from "@gatehouse/envelopes/features";
import { mediaTypes } from "@gatehouse/envelopes/names";
import { type StoredKind, TypedValueFormat } from "./typed-value-format.js";
import type { ValueFormatOptions } from "./value-format-options.js";

const configMap = { group: "", version: "v1", kind: "ConfigMap" };
const canonical = Buffer.from(
  encodeJson({
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: { name: "a", namespace: "b", uid: "c", creationTimestamp: "2026-01-01T00:00:00Z" },
    data: { key: "ü" },
  }),
);

function format(kind: StoredKind, options: Partial<ValueFormatOptions> = {}): TypedValueFormat {
  return new TypedValueFormat(kind, {
    mediaType: mediaTypes.protobuf,
    isShared: true,
    defaulting: createDefaulting({}),
    features: defaultFeatures,
    primaryFamily: "IPv4",
    ...options,
  });
}

test("a value is written as protobuf in an envelope and read back as the same bytes", () => {
  const stored = format(configMap).encode(canonical);
  const { apiVersion, kind } = unwrapEnvelope(stored);
  assert.deepEqual([apiVersion, kind], ["v1", "ConfigMap"]);
  assert.equal(format(configMap).decode(stored).toString(), canonical.toString());
});

test("JSON for a shared store ends with a line feed", () => {
  const shared = format(configMap, { mediaType: mediaTypes.json });
  assert.equal(shared.encode(canonical).toString(), `${canonical}\n`);
  assert.deepEqual(shared.decode(shared.encode(canonical)), canonical);
});

test("JSON of a store of this server alone is the value itself, in both directions", () => {
  const own = format(configMap, { mediaType: mediaTypes.json, isShared: false });
  assert.equal(own.encode(canonical), canonical);
  assert.equal(own.decode(canonical), canonical);
});

test("JSON that another program has written becomes canonical", () => {
  const text = JSON.stringify({ data: { key: "ü" }, metadata: { uid: "c", namespace: "b", name: "a", unknown: 1 } });
  const stored = Buffer.from(`{ "apiVersion": "v1", "kind": "ConfigMap", ${text.slice(1)}`);
  const expected = { name: "a", namespace: "b", uid: "c", creationTimestamp: null };
  assert.deepEqual(JSON.parse(format(configMap).decode(stored).toString()).metadata, expected);
});

test("a resource version that another program has stored is dropped", () => {
  const text = '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","resourceVersion":"7"}}\n';
  assert.deepEqual(JSON.parse(format(configMap).decode(Buffer.from(text)).toString()).metadata, {
    name: "a",
    creationTimestamp: null,
  });
});

test("YAML is written and read", () => {
  const yaml = format(configMap, { mediaType: mediaTypes.yaml });
  assert.match(yaml.encode(canonical).toString(), /^apiVersion: v1\ndata:\n {2}key: ü\n/);
  assert.deepEqual(yaml.decode(yaml.encode(canonical)), canonical);
});

test("protobuf is read by a store that writes JSON", () => {
  const own = format(configMap, { mediaType: mediaTypes.json, isShared: false });
  assert.deepEqual(own.decode(format(configMap).encode(canonical)), canonical);
});

test("constant defaults are filled in when a value is read", () => {
  const service = { group: "", version: "v1", kind: "Service" };
  const stored = Buffer.from('{"kind":"Service","apiVersion":"v1","metadata":{},"spec":{"ports":[{"port":1}]}}');
  const { spec } = JSON.parse(format(service).decode(stored).toString());
  assert.equal(spec.ports[0].protocol, "TCP");
});

for (const text of ["", "null", "{}", '{"apiVersion":"v1"}', '{"kind":"ConfigMap"}']) {
  test(`the value ${JSON.stringify(text)} is an empty object of the kind of its key, as in v1.29`, () => {
    assert.deepEqual(JSON.parse(format(configMap).decode(Buffer.from(text)).toString()), {
      kind: "ConfigMap",
      apiVersion: "v1",
      metadata: { creationTimestamp: null },
    });
  });
}

for (const [what, stored] of [
  ["of another kind", '{"kind":"Pod","apiVersion":"v1"}'],
  ["of an unknown version", '{"kind":"ConfigMap","apiVersion":"v2"}'],
  ["that is cut off", '{"kind":"ConfigMap","apiVersion":"v1"'],
  ["with a member of a wrong type", '{"kind":"ConfigMap","apiVersion":"v1","data":[]}'],
  ["that is no object", "text"],
  ["with a broken message", "k8s\0\n\u0005\n\u0002v1\u0012\u0009"],
] as const) {
  test(`a value ${what} is refused`, () => {
    assert.throws(() => format(configMap).decode(Buffer.from(stored)));
  });
}

test("a version of an earlier release is converted, and a version at rest as well", () => {
  const kind: StoredKind = {
    group: "policy",
    version: "v1",
    kind: "PodDisruptionBudget",
    olderVersions: [
      { group: "policy", version: "v1beta1", toStored: (object) => ({ ...object, spec: { minAvailable: 7 } }) },
    ],
    atRest: { version: { version: "v1beta1", fromStored: (object) => ({ ...object, spec: { minAvailable: 3 } }) } },
  };
  const held = Buffer.from(
    encodeJson({
      kind: "PodDisruptionBudget",
      apiVersion: "policy/v1",
      metadata: { creationTimestamp: null },
      spec: { minAvailable: 1 },
      status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
    }),
  );
  const stored = format(kind).encode(held);
  assert.equal(unwrapEnvelope(stored).apiVersion, "policy/v1beta1");
  const read = JSON.parse(format(kind).decode(stored).toString());
  assert.deepEqual([read.apiVersion, read.spec], ["policy/v1", { minAvailable: 7 }]);
});
