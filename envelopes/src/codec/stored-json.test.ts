import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "../json/json.js";
import { encodeJson } from "./encode-json.js";
import { fieldsTextOf, setFieldsText } from "./fields-text.js";
import { encodeStoredJson, parseStoredJson } from "./stored-json.js";

const fields = '{"f:data":{".":{},"k:{\\"n\\":\\"}}],\\\\\\"\\"}":{},"f:\\u003ca":{}}}';

function entry(manager: string, fieldsV1: string, after = ""): string {
  return `{"manager":"${manager}","operation":"Update","fieldsType":"FieldsV1","fieldsV1":${fieldsV1}${after}}`;
}

function objectOf(entries: readonly string[], rest = ""): string {
  return `{"kind":"ConfigMap","metadata":{"name":"a","managedFields":[${entries.join(",")}]}${rest}}`;
}

function entriesOf(json: string): JsonObject[] {
  return ((parseStoredJson(json) as JsonObject)["metadata"] as JsonObject)["managedFields"] as JsonObject[];
}

describe("an object as it is stored", () => {
  const json = objectOf(
    [entry("a", fields), entry("b", '{"f:x":{}}', ',"subresource":"status"')],
    ',"n":12345678901234567890',
  );

  it("is the same text after it has been parsed and encoded", () => {
    assert.equal(encodeStoredJson(parseStoredJson(json) as JsonObject), json);
    assert.equal(encodeJson(parseStoredJson(json)), json);
    assert.deepEqual(JSON.parse(encodeJson(parseStoredJson(json))), JSON.parse(json));
  });

  it("has what managers own as text until somebody reads it, who may change it then", () => {
    const object = parseStoredJson(json) as JsonObject;
    const entries = (object["metadata"] as JsonObject)["managedFields"] as JsonObject[];
    const [first, second] = entries as [JsonObject, JsonObject];
    assert.deepEqual(entries.map(fieldsTextOf), [fields, '{"f:x":{}}']);
    assert.deepEqual(Object.keys(second), ["manager", "operation", "fieldsType", "fieldsV1", "subresource"]);
    (second["fieldsV1"] as JsonObject)["f:y"] = {};
    assert.deepEqual(entries.map(fieldsTextOf), [fields, undefined]);
    first["fieldsV1"] = { "f:z": {} };
    assert.equal(
      encodeStoredJson(object),
      json.replace(fields, '{"f:z":{}}').replace('{"f:x":{}}', '{"f:x":{},"f:y":{}}'),
    );
    assert.deepEqual(entriesOf(json)[1]?.["fieldsV1"], { "f:x": {} }, "nobody else sees it");
  });

  it("is the same text with whatever owned items of lists are called", () => {
    for (const item of ["", '"', "\\", '""', '\\"', '"{', "}", 'a\\\\"}{"', "\u2028", "\t\n"]) {
      const owned = JSON.stringify({ "f:set": { [`v:${JSON.stringify(item)}`]: {} } });
      const keyed = JSON.stringify({ "f:map": { [`k:${JSON.stringify({ name: item })}`]: { ".": {} } } });
      const text = objectOf([entry("a", owned), entry("b", keyed)], ',"data":{"last":"x"}');
      assert.equal(encodeStoredJson(parseStoredJson(text) as JsonObject), text);
    }
  });

  it("may lose the member", () => {
    const [first] = entriesOf(json) as [JsonObject];
    delete first["fieldsV1"];
    assert.equal(fieldsTextOf(first), undefined);
    assert.equal("fieldsV1" in first, false);
  });

  it("is parsed as any other where the same stands elsewhere in it", () => {
    const template = ',"spec":{"template":{"metadata":{"managedFields":[';
    for (const odd of [
      objectOf([], `${template}${entry("a", fields)}]}}}`),
      objectOf([entry("a", fields)], `${template}${entry("a", "{}")}]}}}`),
      objectOf([entry("a", fields)], `,"spec":{"fieldsType":"FieldsV1","fieldsV1":{"a":12345678901234567890}}`),
      objectOf([entry("a", "null")], ""),
      objectOf([entry("a", '"text"')], `,"data":{"x\\"fieldsType":"FieldsV1","fieldsV1":{"}":"{"}}`),
    ]) {
      assert.equal(encodeStoredJson(parseStoredJson(odd) as JsonObject), odd);
    }
  });

  it("takes texts that it is given, and leaves what looks like them alone", () => {
    const object: JsonObject = {
      metadata: { managedFields: [{ fieldsV1: "fields of nobody" }, { operation: "Apply" }] },
    };
    const entries = (object["metadata"] as JsonObject)["managedFields"] as JsonObject[];
    setFieldsText(entries[1] as JsonObject, '{"f:a":{}}');
    assert.equal(
      encodeStoredJson(object),
      '{"metadata":{"managedFields":[{"fieldsV1":"fields of nobody"},{"operation":"Apply","fieldsV1":{"f:a":{}}}]}}',
    );
    assert.equal((object["metadata"] as JsonObject)["managedFields"], entries);
  });

  it("is refused when it is cut off", () => {
    for (let length = json.length - 40; length < json.length; length++) {
      assert.throws(() => parseStoredJson(json.slice(0, length)));
    }
    assert.throws(() => parseStoredJson(json.slice(0, json.indexOf("f:data"))));
  });
});
