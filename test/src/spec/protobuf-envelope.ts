import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { decodeProtobuf, encodeProtobuf, unwrapUnknown, wrapUnknown } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { kindSchema, messageSchema } from "@gatehouse/envelopes/schema";
import { assertCode, assertStatus } from "./support/assert-status.js";
import { configMapsPath, createConfigMap, freshNamespace } from "./support/fixtures.js";
import { serverWith } from "./support/shared-server.js";

const section = "Resources and their fields, Protobuf envelope";
const protobuf = "application/vnd.kubernetes.protobuf";

describe(section, { concurrency: 16 }, () => {
  it(`${section}, Prefix, Unknown.typeMeta, TypeMeta.apiVersion, TypeMeta.kind, Unknown.contentEncoding, Unknown.contentType: four bytes, then an Unknown that says what is inside`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a");
    const answer = await client.get(configMapsPath(namespace, "a"), { accept: protobuf });
    assertCode(answer, 200);
    assert.equal(answer.headers["content-type"], protobuf);
    assert.deepEqual([...answer.bytes.subarray(0, 4)], [0x6b, 0x38, 0x73, 0x00]);
    // Field 1 (typeMeta) with field 1 (apiVersion) "v1" and field 2 (kind) "ConfigMap", then field 2 (raw).
    const typeMeta = [0x0a, 15, 0x0a, 2, ...Buffer.from("v1"), 0x12, 9, ...Buffer.from("ConfigMap"), 0x12];
    assert.deepEqual([...answer.bytes.subarray(4, 4 + typeMeta.length)], typeMeta);
    // Fields 3 and 4, contentEncoding and contentType, are there and empty.
    assert.deepEqual([...answer.bytes.subarray(-4)], [0x1a, 0, 0x22, 0]);
  });

  it(`${section}, Unknown.raw: the object, with nothing lost against its JSON`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const object = await createConfigMap(client, namespace, "a", { data: { k: "v" }, labels: { l: "1" } });
    const answer = await client.get(configMapsPath(namespace, "a"), { accept: protobuf });
    const { apiVersion, kind, raw } = unwrapUnknown(answer.bytes);
    assert.deepEqual({ kind, apiVersion, ...decodeProtobuf(schemaOf("ConfigMap"), raw) }, object);
  });

  it(`${section}: a list, too`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const { kind: _kind, apiVersion: _apiVersion, ...item } = await createConfigMap(client, namespace, "a");
    const answer = await client.get(configMapsPath(namespace), { accept: protobuf });
    const { apiVersion, kind, raw } = unwrapUnknown(answer.bytes);
    assert.deepEqual([apiVersion, kind], ["v1", "ConfigMapList"]);
    assert.deepEqual(decodeProtobuf(schemaOf("ConfigMapList"), raw)["items"], [item]);
  });

  it(`${section}: a body in protobuf, with an answer in JSON`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const object: JsonObject = { metadata: { name: "a" }, data: { k: "v" } };
    const body = wrapUnknown("v1", "ConfigMap", encodeProtobuf(schemaOf("ConfigMap"), object));
    const headers = { "content-type": protobuf, accept: "application/json" };
    const answer = await client.request("POST", configMapsPath(namespace), { body, headers });
    assertCode(answer, 201);
    assert.deepEqual(answer.document.data, { k: "v" });
  });

  it(`${section}: a body with another prefix is refused`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const body = Buffer.from("k9s\0\n\r\n\u0002v1");
    const answer = await client.request("POST", configMapsPath(namespace), {
      body,
      headers: { "content-type": protobuf },
    });
    assertStatus(answer, {
      code: 400,
      reason: "BadRequest",
      message: `the object provided is unrecognized (must be of type ConfigMap): provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] (${body.toString("hex")})`,
    });
  });

  it(`${section}: errors are a Status in the same envelope`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const answer = await client.get(configMapsPath(namespace, "none"), { accept: protobuf });
    assertCode(answer, 404);
    assert.equal(answer.headers["content-type"], protobuf);
    const { apiVersion, kind, raw } = unwrapUnknown(answer.bytes);
    assert.deepEqual([apiVersion, kind], ["v1", "Status"]);
    const status = decodeProtobuf(messageSchema("k8s.io.apimachinery.pkg.apis.meta.v1.Status"), raw);
    assert.deepEqual([status["reason"], status["code"]], ["NotFound", 404]);
    assert.equal(status["message"], 'configmaps "none" not found');
  });

  it(`${section}: a watch is a stream of length-prefixed events, each object in an envelope`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a");
    const answer = await client.get(configMapsPath(namespace, "", "watch=1&timeoutSeconds=1"), {
      accept: `${protobuf};stream=watch`,
    });
    assertCode(answer, 200);
    assert.equal(answer.headers["content-type"], `${protobuf};stream=watch`);
    const length = answer.bytes.readUInt32BE(0);
    assert.equal(answer.bytes.length, 4 + length);
    const event = answer.bytes.subarray(4);
    assert.deepEqual([...event.subarray(0, 7)], [0x0a, 5, ...Buffer.from("ADDED")]);
    const envelopeAt = event.indexOf("k8s\0");
    const { kind, raw } = unwrapUnknown(event.subarray(envelopeAt));
    assert.equal(kind, "ConfigMap");
    const { metadata } = decodeProtobuf(schemaOf("ConfigMap"), raw) as { metadata: { name: string } };
    assert.equal(metadata.name, "a");
  });
});

function schemaOf(kind: string) {
  const schema = kindSchema("", "v1", kind)?.schema;
  assert.ok(schema !== undefined);
  return schema;
}
