import assert from "node:assert/strict";
import { test } from "node:test";
import { DecodeError } from "../errors.js";
import type { JsonObject } from "../json/json.js";
import { kindSchema, messageSchema } from "../schema/registry.js";
import type { ObjectSchema } from "../schema/schema.js";
import { decodeJson } from "./decode-json.js";
import { encodeJson } from "./encode-json.js";
import { isEnveloped, unwrapEnvelope, unwrapUnknown, wrapUnknown } from "./envelope.js";
import { decodeProtobuf } from "./protobuf-decode.js";
import { encodeProtobuf } from "./protobuf-encode.js";

function schemaOf(group: string, version: string, kind: string): ObjectSchema {
  const found = kindSchema(group, version, kind);
  assert.ok(found !== undefined);
  return found.schema;
}

const configMap = schemaOf("", "v1", "ConfigMap");
const meta = (name: string): ObjectSchema => messageSchema(`k8s.io.apimachinery.pkg.apis.meta.v1.${name}`);

function hex(schema: ObjectSchema, value: JsonObject): string {
  return encodeProtobuf(schema, decodeJson(schema, value).object).toString("hex");
}

test("members that are no pointers are always written, pointers only when set", () => {
  assert.equal(hex(meta("ObjectMeta"), {}), "0a0012001a0022002a00320038004200");
  assert.equal(hex(meta("Preconditions"), {}), "");
  assert.equal(hex(meta("Preconditions"), { uid: "" }), "0a00");
});

test("integers are varints, negative ones of ten bytes", () => {
  const schema = meta("DeleteOptions");
  assert.equal(hex(schema, { gracePeriodSeconds: 300 }), "08ac02");
  assert.equal(hex(schema, { gracePeriodSeconds: -1 }), "08ffffffffffffffffff01");
  assert.equal(hex(schema, { gracePeriodSeconds: 9223372036854775807n }), "08ffffffffffffffff7f");
  for (const value of [0, 1, 127, 128, 2147483648, 9007199254740991, 9007199254740993n, -9223372036854775808n]) {
    const bytes = encodeProtobuf(schema, { gracePeriodSeconds: value });
    assert.equal(decodeProtobuf(schema, bytes)["gracePeriodSeconds"], value);
  }
});

test("maps are sorted by key, and null bytes in them are none", () => {
  assert.ok(hex(configMap, { data: { b: "2", a: "1" } }).endsWith("12060a0161120131" + "12060a0162120132"));
  assert.ok(hex(configMap, { binaryData: { a: null, b: "" } }).endsWith("1a050a01611200" + "1a050a01621200"));
});

test("map keys that look like indices or like __proto__ survive", () => {
  const data = JSON.parse('{"10":"a","9":"b","__proto__":"c","\u{1F600}":"d","\uFFFD":"e"}') as JsonObject;
  const bytes = encodeProtobuf(configMap, { data });
  const back = decodeProtobuf(configMap, bytes);
  assert.equal(encodeJson(back["data"] ?? null), '{"10":"a","9":"b","__proto__":"c","\uFFFD":"e","\u{1F600}":"d"}');
  assert.ok(encodeProtobuf(configMap, back).equals(bytes));
});

test("kind and apiVersion come from the envelope", () => {
  const bytes = wrapUnknown("v1", "ConfigMap", encodeProtobuf(configMap, { metadata: { name: "a" } }));
  assert.ok(isEnveloped(bytes));
  const unknown = unwrapEnvelope(bytes);
  assert.equal(unknown.apiVersion, "v1");
  assert.equal(unknown.kind, "ConfigMap");
  const object = decodeProtobuf(configMap, unknown.raw, unknown);
  assert.equal(
    encodeJson(object),
    '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","creationTimestamp":null}}',
  );
});

test("bytes without the prefix are no envelope", () => {
  assert.throws(() => unwrapEnvelope(Buffer.alloc(0)), { message: "empty data" });
  assert.throws(() => unwrapEnvelope(Buffer.from("k8s\0")), { message: "empty body" });
  assert.throws(() => unwrapEnvelope(Buffer.from("{}")), {
    name: DecodeError.name,
    message: "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]",
  });
});

test("an object inside RawExtension may itself be enveloped protobuf", () => {
  const inner = wrapUnknown("v1", "ConfigMap", encodeProtobuf(configMap, { data: { a: "1" } }));
  const watchEvent = meta("WatchEvent");
  const raw = Buffer.concat([Buffer.from([0x0a, inner.length]), inner]);
  const bytes = Buffer.concat([Buffer.from("0a054144444544", "hex"), Buffer.from([0x12, raw.length]), raw]);
  const { object } = decodeProtobuf(watchEvent, bytes);
  assert.deepEqual(object, {
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: { creationTimestamp: null },
    data: { a: "1" },
  });
});

test("runtime.Unknown members carry JSON", () => {
  const schema = schemaOf("audit.k8s.io", "v1", "Event");
  const { object } = decodeJson(schema, { requestObject: { kind: "Pod", a: [1] } });
  const bytes = encodeProtobuf(schema, object);
  assert.ok(bytes.includes(Buffer.from("0a040a001200", "hex")));
  assert.deepEqual(decodeProtobuf(schema, bytes)["requestObject"], { kind: "Pod", a: [1] });
});

test("unknown fields of every wire type are skipped", () => {
  const known = encodeProtobuf(configMap, { metadata: { name: "a" } });
  // Field 100: varint, 64 bits, bytes, a group with a nested group, 32 bits.
  const unknown = Buffer.from(
    "a00601" + "a1060102030405060708" + "a2060161" + "a306" + "0801" + "0b0c" + "a406" + "a50601020304",
    "hex",
  );
  const back = decodeProtobuf(configMap, Buffer.concat([unknown, known, unknown]));
  assert.deepEqual(back, decodeProtobuf(configMap, known));
});

const malformed: readonly (readonly [string, string, string])[] = [
  ["a length beyond the end", "0a05", "unexpected EOF"],
  ["a cut-off tag", "80", "unexpected EOF"],
  ["field number zero", "0000", "proto: illegal tag 0 (wire type 0)"],
  ["a varint without end", "08ffffffffffffffffffffff01", "proto: wrong wireType = 0 for field metadata"],
  ["a tag without end", "ffffffffffffffffffffff01", "proto: integer overflow"],
  ["the wrong wire type", "08010a00", "proto: wrong wireType = 0 for field metadata"],
  ["the end of a group that never began", "a406", "proto: ConfigMap: wiretype end group for non-group"],
  ["a group without end", "a306", "unexpected EOF"],
  ["an unknown wire type", "a706", "proto: illegal wireType 7"],
  ["a huge length", "0affffffffffffffff7f", "proto: negative length found during unmarshaling"],
];

for (const [name, bytes, message] of malformed) {
  test(`${name} is refused`, () => {
    assert.throws(() => decodeProtobuf(configMap, Buffer.from(bytes, "hex")), {
      name: DecodeError.name,
      message,
    });
  });
}

/** ConfigMaps with a creation time; the seconds of those that are out of range. */
const farTimes: readonly (readonly [string, string, number?])[] = [
  ["0a0d420b088088aeb498feffffff01", "0000-01-01T00:00:00Z"],
  ["0a0d420b08ff87aeb498feffffff01", "-0001-12-31T23:59:59Z", -62167219201],
  ["0a09420708ff82d1ffaf07", "9999-12-31T23:59:59Z"],
  ["0a094207088083d1ffaf07", "10000-01-01T00:00:00Z", 253402300800],
];

test("times before the year 0 and after 9999 are refused on demand only, since JSON shows and does not take them", () => {
  for (const [bytes, time, seconds] of farTimes) {
    const decode = (refusesFarTimes: boolean) =>
      decodeProtobuf(configMap, Buffer.from(bytes, "hex"), undefined, { refusesFarTimes });
    assert.deepEqual((decode(false)["metadata"] as JsonObject)["creationTimestamp"], time);
    if (seconds === undefined) {
      assert.deepEqual(decode(true), decode(false));
    } else {
      assert.throws(() => decode(true), { name: DecodeError.name, message: `time out of range: ${seconds} seconds` });
    }
  }
});

test("messages nested without end are refused before they exhaust the stack", () => {
  const schema = messageSchema("k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps");
  const not = schema.properties.get("not")?.number ?? 0;
  let bytes: Buffer = Buffer.alloc(0);
  for (let i = 0; i < 3000; i++) {
    const length: number[] = [];
    for (let rest = bytes.length; ; rest >>>= 7) {
      if (rest < 0x80) {
        length.push(rest);
        break;
      }
      length.push((rest & 0x7f) | 0x80);
    }
    const tag = not * 8 + 2;
    bytes = Buffer.concat([Buffer.from([(tag & 0x7f) | 0x80, tag >>> 7, ...length]), bytes]);
  }
  assert.throws(() => decodeProtobuf(schema, bytes), { message: "proto: exceeded max depth" });
});

test("kinds that exist in JSON only have no protobuf form", () => {
  const table = schemaOf("meta.k8s.io", "v1", "Table");
  assert.throws(() => encodeProtobuf(table, {}), TypeError);
  assert.throws(() => decodeProtobuf(table, Buffer.alloc(0)), DecodeError);
});

test("a long object outgrows the first buffer", () => {
  const data = { a: "x".repeat(100_000), é: "ü".repeat(1000), short: "é" };
  const bytes = encodeProtobuf(configMap, { data });
  assert.deepEqual(decodeProtobuf(configMap, bytes)["data"], { a: data.a, short: "é", é: data["é"] });
});

test("an unwrapped envelope is a view of its bytes", () => {
  const bytes = wrapUnknown("apps/v1", "Deployment", Buffer.from([1, 2, 3]));
  const unknown = unwrapUnknown(bytes);
  assert.equal(unknown.raw.buffer, bytes.buffer);
  assert.deepEqual([...unknown.raw], [1, 2, 3]);
});
