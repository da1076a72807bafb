import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { kindSchema } from "../schema/registry.js";
import { decodeJson } from "./decode-json.js";
import { encodeJson } from "./encode-json.js";
import { unwrapEnvelope, wrapUnknown } from "./envelope.js";
import { parseJson } from "./parse-json.js";
import { decodeProtobuf } from "./protobuf-decode.js";
import { encodeProtobuf } from "./protobuf-encode.js";

// Objects as Kubernetes 1.29 writes them, beside the checkout where there are any. A worktree lies one folder deeper.
const folder = ["../../../../shared/vectors/objects", "../../../../../shared/vectors/objects"]
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find((path) => existsSync(path));

const names =
  folder === undefined
    ? []
    : readdirSync(folder)
        .filter((file) => file.endsWith(".pb"))
        .map((file) => file.slice(0, -".pb".length));

test("recorded vectors are there", {
  skip: folder === undefined ? "no ../shared/vectors beside the checkout" : false,
}, () => {
  assert.ok(names.length > 0);
});

for (const name of names) {
  test(`recorded ${name} survives every conversion unchanged`, () => {
    const protobuf = readFileSync(`${folder}/${name}.pb`);
    const text = readFileSync(`${folder}/${name}.json`, "utf8").trimEnd();
    const parts = name.split(".");
    const [version = "", kindName = ""] = parts.slice(-2);
    const group = parts.slice(0, -2).join(".");
    const schema = kindSchema(group === "core" ? "" : group, version, kindName)?.schema;
    assert.ok(schema !== undefined, "the registry knows the kind");

    const envelope = unwrapEnvelope(protobuf);
    const fromProtobuf = decodeProtobuf(schema, envelope.raw, envelope);
    assert.equal(encodeJson(fromProtobuf, 2), text, "protobuf to JSON");
    const again = wrapUnknown(envelope.apiVersion, envelope.kind, encodeProtobuf(schema, fromProtobuf));
    assert.ok(again.equals(protobuf), "protobuf to protobuf");

    const { value, duplicateFields } = parseJson(text);
    const { object, unknownFields } = decodeJson(schema, value);
    assert.deepEqual([...duplicateFields, ...unknownFields], []);
    assert.equal(encodeJson(object, 2), text, "JSON to JSON");
    const fromJson = wrapUnknown(envelope.apiVersion, envelope.kind, encodeProtobuf(schema, object));
    assert.ok(fromJson.equals(protobuf), "JSON to protobuf");
  });
}
