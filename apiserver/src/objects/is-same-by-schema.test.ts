import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeJson } from "@gatehouse/envelopes/codec";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import { messageSchema, type ObjectSchema } from "@gatehouse/envelopes/schema";
import { isSameBySchema, isSameMember } from "./is-same-by-schema.js";

const podSpec = messageSchema("k8s.io.api.core.v1.PodSpec");
const networkPolicy = messageSchema("k8s.io.api.networking.v1.NetworkPolicy");

const rows: readonly (readonly [string, ObjectSchema, JsonObject, JsonObject, boolean])[] = [
  ["an empty list is none", podSpec, { volumes: [] }, {}, true],
  ["an empty map is none", podSpec, { nodeSelector: {} }, {}, true],
  ["zero is nothing where there is no pointer", podSpec, { hostNetwork: false, nodeName: "" }, {}, true],
  ["zero behind a pointer is something", podSpec, { priority: 0 }, {}, false],
  ["an empty struct behind a pointer is something", podSpec, { affinity: {} }, {}, false],
  ["null is nothing", podSpec, { affinity: null, volumes: null }, {}, true],
  ["an empty struct that is no pointer is none", networkPolicy, { spec: {} }, {}, true],
  ["equal amounts are the same", podSpec, { overhead: { memory: "1024" } }, { overhead: { memory: "1Ki" } }, true],
  ["other amounts are not", podSpec, { overhead: { memory: "1024" } }, { overhead: { memory: "1k" } }, false],
  ["an entry of another name", podSpec, { overhead: { memory: "1" } }, { overhead: { cpu: "1" } }, false],
  ["one item more", podSpec, { tolerations: [{}] }, { tolerations: [] }, false],
  [
    "items in another order",
    podSpec,
    { volumes: [{ name: "a" }, { name: "b" }] },
    { volumes: [{ name: "b" }, { name: "a" }] },
    false,
  ],
];

for (const [name, schema, a, b, expected] of rows) {
  test(`${name}: ${expected ? "the same" : "not the same"}`, () => {
    assert.equal(isSameBySchema(schema, a, b), expected);
    assert.equal(isSameBySchema(schema, b, a), expected);
  });
}

test("free JSON is the same whatever the order of its members, schemas stand where schemas may", () => {
  const schema = messageSchema("k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps");
  const same = (a: JsonValue, b: JsonValue): boolean => isSameBySchema(schema, a, b);
  assert.ok(same({ default: { a: 1, b: 2 } }, { default: { b: 2, a: 1 } }));
  assert.ok(!same({ default: { a: 1 } }, { default: { a: 2 } }));
  assert.ok(same({ items: { type: "string", enum: [] } }, { items: { type: "string" } }));
  assert.ok(!same({ additionalProperties: true }, { additionalProperties: false }));
  assert.ok(!same({ additionalProperties: {} }, {}));
  assert.ok(!same({ not: {} }, {}));
});

test("what was sent empty is another thing than nothing, for those who look so exactly", () => {
  const sent = decodeJson(networkPolicy, { spec: { podSelector: {}, egress: [] } }).object;
  const stored = decodeJson(networkPolicy, { spec: { podSelector: {} } }).object;
  assert.ok(isSameMember(networkPolicy, sent, stored, ["spec"], "semantic"));
  assert.ok(!isSameMember(networkPolicy, sent, stored, ["spec"], "exact"));
  assert.ok(isSameMember(networkPolicy, stored, stored, ["spec"], "exact"));
});
